import { simulatedRegistrar } from '@switchyard/contract/app-domains';

/** The action of a traffic server on a domain. */
export type DomainAction = 'add' | 'bind' | 'ssl' | 'delete';

/** Data of a traffic server that the provisioner needs. */
export type ProvisionedServer = {
  id: number;
  /** URL of its API without a trailing slash. */
  url: string;
  /** SHA-256 of its token, the only stored form; null without a valid token (api 13). */
  tokenHash: Buffer | null;
};

export type DomainRequest = {
  action: DomainAction;
  domain: string;
  onlyCloudflare: boolean;
  server: ProvisionedServer;
  /** Idempotency key: the same for every retry. */
  id: string;
};

/** Outcome of a request. Messages are shown to staff beside the link. */
export type DomainOutcome =
  | { kind: 'done'; registrar?: string; sslAt?: Date }
  /** In progress: ask again after `seconds`. */
  | { kind: 'pending'; seconds: number }
  /** `isFinal`: a retry would fail again. */
  | { kind: 'failed'; message: string; isFinal: boolean };

/** Makes traffic servers serve domains. Failures of a server are outcomes; an abort rejects with the reason of the signal. */
export type DomainProvisioner = {
  /** Seconds between two stages. */
  readonly stageSeconds: number;
  perform: (request: DomainRequest, signal: AbortSignal) => Promise<DomainOutcome>;
};

const certificateDays = 90;

/**
 * Simulates provisioning without any connection. Every stage succeeds, a few seconds apart, so that the states can be seen.
 * The registrar is `Simulated`, which the console shows as a label.
 */
export function createSimulatedProvisioner({ now, stageSeconds = 2 }: { now: () => Date; stageSeconds?: number }): DomainProvisioner {
  return {
    stageSeconds,
    perform: async ({ action }) => {
      if (action === 'add') return { kind: 'done', registrar: simulatedRegistrar };
      if (action === 'ssl') return { kind: 'done', sslAt: new Date(now().getTime() + certificateDays * 86_400_000) };
      return { kind: 'done' };
    },
  };
}
