import { z } from 'zod';
import type { DomainOutcome, DomainProvisioner } from '../../adapters/domain-provisioner/domain-provisioner.ts';
import type { Databases } from '../../database/connect.ts';
import { transaction, unaudited, type OpenTransaction } from '../../database/transaction.ts';
import type { SendJob } from '../../jobs/job-queue.ts';
import { lockOnServer, findDueLink, findLeftServer, updateLink, updateOverdue, type DueLink } from './links-store.ts';

export const linkQueue = 'domain-links';

/** `run` is the same for all requests of one start of a link; `tries` counts failures, `asks` answers that it is still at work. */
const counterFields = { linkId: z.int(), run: z.int(), tries: z.int().default(0), asks: z.int().default(0) };
const stageData = z.object({ kind: z.literal('stage'), ticket: z.int(), ...counterFields });
const removalData = z.object({
  kind: z.literal('removal'),
  appId: z.int(),
  serverId: z.int(),
  domain: z.string(),
  onlyCloudflare: z.boolean(),
  /** Ticket of the link that starts with the app's next domain once the server was asked to remove this one. */
  nextTicket: z.int().optional(),
  ...counterFields,
});
const jobData = z.discriminatedUnion('kind', [stageData, removalData]);
type StageData = z.output<typeof stageData>;
type RemovalData = z.output<typeof removalData>;

/** The job for the current stage of a link. */
export function stageJob(data: Omit<z.input<typeof stageData>, 'kind'>, afterSeconds: number) {
  return { queue: linkQueue, data: { kind: 'stage', ...data }, afterSeconds } as const;
}

/** The job that removes a domain from a server after its link was deleted, or its app got another domain. */
export function removalJob(data: Omit<z.input<typeof removalData>, 'kind'>, afterSeconds = 0) {
  return { queue: linkQueue, data: { kind: 'removal', ...data }, afterSeconds } as const;
}

export type LinkJobDependencies = {
  jobsDb: Databases['jobsDb'];
  provisioner: DomainProvisioner;
  sendJob: SendJob;
  now: () => Date;
  /** Seconds to wait after the first, second … failure of a stage; after the last one the link shows the error. */
  retrySeconds?: readonly number[] | undefined;
  /** Called for a domain that could not be removed from its server. */
  onLeftBehind: (what: { domain: string; serverId: number; message: string }) => void;
};

const usualRetrySeconds = [5, 15, 45, 120];
/** The number of times a server may answer that it is still at work on a stage. */
const mostAsks = 60;
const busySeconds = 1;
const overdueMilliseconds = 120_000;
const archivedMessage = 'The app was archived while it was being linked';

/**
 * Runs a job of the queue: one request to the traffic server, in a transaction that also sends the next job. If the process
 * ends midway, the link stays as it was and its job runs again.
 */
export async function runLinkJob(deps: LinkJobDependencies, data: unknown, signal: AbortSignal): Promise<void> {
  const job = jobData.parse(data);
  await transaction(deps.jobsDb, async (tx) => {
    if (job.kind === 'stage') await runStage({ ...deps, tx, signal }, job);
    else await runRemoval({ ...deps, tx, signal }, job);
    return unaudited('the progress of a link or unlink that has its entry already', undefined);
  });
}

/** Sends jobs for links whose own were lost, e.g. with a restored backup; gives their number. */
export async function resumeLinks({ jobsDb, sendJob, now }: Pick<LinkJobDependencies, 'jobsDb' | 'sendJob' | 'now'>): Promise<number> {
  return transaction(jobsDb, async (tx) => {
    const at = now();
    const links = await updateOverdue(tx, new Date(at.getTime() - overdueMilliseconds), at);
    for (const { id, ticket } of links) await sendJob(tx, stageJob({ linkId: id, ticket, run: ticket }, 0));
    return unaudited('new jobs for links that have their entries already', links.length);
  });
}

type Running = LinkJobDependencies & { tx: OpenTransaction; signal: AbortSignal };

async function runStage(deps: Running, job: StageData): Promise<void> {
  const waitingLink = await findDueLink(deps.tx, job);
  if (!waitingLink) return;
  const { domain } = waitingLink;
  if (!(await lockOnServer(deps.tx, { appId: waitingLink.app_id, serverId: waitingLink.server.id, domain }))) {
    await deps.sendJob(deps.tx, stageJob(job, busySeconds));
    return;
  }
  // Read again: until the lock was taken, another job may have removed the domain of an outdated link.
  const link = await findDueLink(deps.tx, job);
  if (!link) return;
  if (link.is_archived) {
    await settle(deps, job, { status: `err_${link.stage}`, error: archivedMessage });
    return;
  }
  const { id, url, token_hash: tokenHash } = link.server;
  const outcome = await deps.provisioner.perform(
    {
      action: link.stage,
      domain,
      onlyCloudflare: link.is_only_cf,
      server: { id, url, tokenHash },
      id: requestId(job, link.stage),
    },
    deps.signal,
  );
  if (outcome.kind === 'done') return advance(deps, job, link, outcome);
  const next = nextTry(deps, job, outcome);
  if (next) return goOn(deps, { ...job, ...next.counts }, {}, next.seconds);
  const message = outcome.kind === 'failed' ? outcome.message : 'The server is still at work after all this time';
  await settle(deps, job, { status: `err_${link.stage}`, error: message, ...(link.stage === 'bind' ? { is_bind: false } : {}) });
}

async function advance(deps: Running, job: StageData, link: DueLink, outcome: DomainOutcome & { kind: 'done' }): Promise<void> {
  const progress = {
    ...(outcome.registrar === undefined ? {} : { registrar: outcome.registrar }),
    ...(outcome.sslAt === undefined ? {} : { ssl_at: outcome.sslAt }),
  };
  if (link.stage === 'ssl') return settle(deps, job, { ...progress, status: 'ok', error: null });
  const change = link.stage === 'add' ? { ...progress, status: 'bind' as const } : { ...progress, status: 'ssl' as const, is_bind: true };
  await goOn(deps, { ...job, tries: 0, asks: 0 }, change, deps.provisioner.stageSeconds);
}

type Change = Omit<Parameters<typeof updateLink>[2], 'updated_at' | 'next_stage_at'>;

/** Writes the progress and sends the next job. */
async function goOn(deps: Running, job: StageData, change: Change, seconds: number): Promise<void> {
  const at = deps.now();
  const next = { next_stage_at: new Date(at.getTime() + seconds * 1000), updated_at: at };
  const ticket = await updateLink(deps.tx, job, { ...change, ...next });
  if (ticket !== undefined) await deps.sendJob(deps.tx, stageJob({ ...job, ticket }, seconds));
}

/** Ends the operation, with success or an error. */
async function settle(deps: Running, job: StageData, change: Change): Promise<void> {
  await updateLink(deps.tx, job, { ...change, next_stage_at: null, updated_at: deps.now() });
}

async function runRemoval(deps: Running, job: RemovalData): Promise<void> {
  if (!(await lockOnServer(deps.tx, job))) {
    await deps.sendJob(deps.tx, removalJob(job, busySeconds));
    return;
  }
  const { nextTicket, ...removal } = job;
  await removeDomain(deps, removal);
  if (nextTicket === undefined) return;
  const next = { linkId: job.linkId, ticket: nextTicket, run: nextTicket };
  await deps.sendJob(deps.tx, stageJob(next, deps.provisioner.stageSeconds));
}

async function removeDomain(deps: Running, job: Omit<RemovalData, 'nextTicket'>): Promise<void> {
  const { serverId, domain } = job;
  const server = await findLeftServer(deps.tx, { serverId, domain });
  if (!server) return;
  const outcome = await deps.provisioner.perform(
    {
      action: 'delete',
      domain,
      onlyCloudflare: job.onlyCloudflare,
      server: { id: serverId, url: server.url, tokenHash: server.token_hash },
      id: requestId(job, 'delete'),
    },
    deps.signal,
  );
  if (outcome.kind === 'done') return;
  const next = nextTry(deps, job, outcome);
  if (next) await deps.sendJob(deps.tx, removalJob({ ...job, ...next.counts }, next.seconds));
  else deps.onLeftBehind({ domain, serverId, message: outcome.kind === 'failed' ? outcome.message : 'The server is still at work' });
}

/** The time until the next request and the counts for it; null when there is none. */
function nextTry(
  { retrySeconds = usualRetrySeconds }: LinkJobDependencies,
  { tries, asks }: { tries: number; asks: number },
  outcome: Exclude<DomainOutcome, { kind: 'done' }>,
): { seconds: number; counts: { tries: number; asks: number } } | null {
  if (outcome.kind === 'pending') return asks < mostAsks ? { seconds: outcome.seconds, counts: { tries: 0, asks: asks + 1 } } : null;
  const seconds = outcome.isFinal ? undefined : retrySeconds[tries];
  return seconds === undefined ? null : { seconds, counts: { tries: tries + 1, asks } };
}

function requestId({ linkId, run }: { linkId: number; run: number }, action: string): string {
  return `link-${linkId}-${run}-${action}`;
}
