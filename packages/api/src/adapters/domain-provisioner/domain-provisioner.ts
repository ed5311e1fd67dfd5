import { simulatedRegistrar } from '@switchyard/contract/app-domains';

/** What a traffic server is asked to do with a domain (O23). */
export type DomainAction = 'add' | 'bind' | 'ssl' | 'delete';

/** A traffic server as the provisioner needs it. */
export type ProvisionedServer = {
  id: number;
  /** Where its API is, without a slash at its end. */
  url: string;
  /** SHA-256 of its token, which is all we have of it; null when it has none that counts (api 13). */
  tokenHash: Buffer | null;
};

export type DomainRequest = {
  action: DomainAction;
  domain: string;
  onlyCloudflare: boolean;
  server: ProvisionedServer;
  /** The same whenever the same thing is asked again, e.g. after a lost answer. */
  id: string;
};

/** What became of a request; messages are shown to staff beside the link. */
export type DomainOutcome =
  | { kind: 'done'; registrar?: string; sslAt?: Date }
  /** Still at work: ask again after so many seconds. */
  | { kind: 'pending'; seconds: number }
  /** `isFinal`: asking again is of no use. */
  | { kind: 'failed'; message: string; isFinal: boolean };

/** Makes traffic servers serve domains. Never throws for what a server does; aborted by the signal it rejects with its reason. */
export type DomainProvisioner = {
  /** Seconds from one stage to the next. */
  readonly stageSeconds: number;
  perform: (request: DomainRequest, signal: AbortSignal) => Promise<DomainOutcome>;
};

const certificateDays = 90;

/**
 * Contacts nobody: every stage is done at once, a few seconds apart, so that the states can be seen. Its links name
 * `Simulated` as their registrar, by which the console labels them (O23).
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
