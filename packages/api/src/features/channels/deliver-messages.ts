import { channelLimits, channelMessages } from '@switchyard/contract/channels';
import { z } from 'zod';
import type { ReadSecret } from '../../adapters/read-secret.ts';
import type { Databases } from '../../database/connect.ts';
import { recordAudit, transaction, unaudited, unchanged } from '../../database/transaction.ts';
import { updateRow } from '../../entities/entity-store.ts';
import type { JobWorker, SendJob } from '../../jobs/job-queue.ts';
import { channelJob, channelQueue } from './announce.ts';
import { openDestination } from './channel-secrets.ts';
import {
  findChannel,
  listDueChannels,
  lockChannel,
  updateReleased,
  updateReserved,
  updatePause,
  type StoredChannel,
} from './channels-store.ts';
import {
  findDueBatch,
  listBatchTimes,
  findFreshDue,
  listFreshMessages,
  reportType,
  updateAllFailed,
  updateAttempted,
  updateFreshDue,
  updateOvertaken,
  updateToBatch,
  type Batch,
  type StoredMessage,
} from './messages-store.ts';
import { byGravity, type Destination, type MessageToSend, type MessageItem, type Send, type SendResult } from './message-to-send.ts';

export type DeliveryDependencies = {
  jobsDb: Databases['jobsDb'];
  sendJob: SendJob;
  send: Send;
  readSecret: ReadSecret;
  now: () => Date;
  /** Address of the console. */
  publicUrl: string;
  /** Called with each failure. Never gets secrets of the channel. */
  onMessageFault: (fault: { channelId: number; messageIds: number[]; isFinal: boolean; status: number | null; reason: string }) => void;
  onFault: (fault: unknown) => void;
  /** Seconds to wait after the first, second … failure; after the last one a message has failed. */
  retrySeconds?: readonly number[] | undefined;
};

/** Eight attempts within a day. */
const usualRetrySeconds = [10, 60, 300, 1800, 7200, 21_600, 54_000];
/** After a failure a channel waits so long before it sends its next message, unless the receiver asks for another pause. */
const failurePauseSeconds = 10;
const tooManyPauseSeconds = 60;
/** A pass over the messages of a channel begins no further attempt after this time, and an attempt lasts 15 s. */
const passMilliseconds = 10_000;
const reservationSeconds = 40;
/** Messages that are sent together at most: all that an evaluation announces. */
const batchMessages = 500;
const hour = 3_600_000;
/** Jobs start by the clock of the database: what is due within this time is due, so that a slow clock here misses no job. */
const earlyMilliseconds = 5000;

const jobData = z.object({ channelId: z.int() });

/** Sends the messages of channels, each channel apart from the others. */
export type Delivery = {
  worker: JobWorker;
  /** Sends jobs for channels whose own were lost, e.g. with a restored backup. */
  resume: () => Promise<void>;
  /** Ends attempts under way. They count as not made. */
  stop: () => Promise<void>;
};

/**
 * A job only starts a pass over the messages of a channel and ends at once, so a receiver that does not answer holds no slot of the
 * queue. One process at a time makes a pass for a channel. If it is killed, a job that it left behind makes the next one.
 */
export function createDelivery(deps: DeliveryDependencies): Delivery {
  const stopping = new AbortController();
  const passes = new Set<Promise<void>>();

  async function start(data: unknown): Promise<void> {
    const { channelId } = jobData.parse(data);
    stopping.signal.throwIfAborted();
    const isReserved = await transaction(deps.jobsDb, async (tx) => {
      const channel = await updateReserved(tx, { id: channelId, seconds: reservationSeconds, now: soonBy(deps.now()) });
      if (!channel) return unchanged(false);
      await deps.sendJob(tx, channelJob(channelId, reservationSeconds + 1));
      return unaudited('the pace of sending is no setting', true);
    });
    if (!isReserved) return;
    const pass = makePass(deps, channelId, stopping.signal)
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) deps.onFault(error);
      })
      .finally(() => passes.delete(pass));
    passes.add(pass);
  }

  return {
    worker: { queue: channelQueue, batchSize: channelLimits.channels, run: start },
    async resume() {
      await transaction(deps.jobsDb, async (tx) => {
        for (const id of await listDueChannels(tx, deps.now())) await deps.sendJob(tx, channelJob(id));
        return unaudited('jobs for messages that are stored already', undefined);
      });
    },
    async stop() {
      stopping.abort(new Error('The process stops'));
      await Promise.all(passes);
    },
  };
}

/** Sends what is due, one batch after the other, then leaves a job for what waits. */
async function makePass(deps: DeliveryDependencies, channelId: number, signal: AbortSignal): Promise<void> {
  const endsAt = performance.now() + passMilliseconds;
  try {
    while (performance.now() < endsAt && (await sendNext(deps, channelId, signal)));
  } finally {
    await transaction(deps.jobsDb, async (tx) => {
      const due = await updateReleased(tx, channelId);
      const seconds = due === null ? null : Math.max(0, Math.ceil((due.getTime() - deps.now().getTime()) / 1000));
      if (seconds !== null) await deps.sendJob(tx, channelJob(channelId, seconds));
      return unaudited('the pace of sending is no setting', undefined);
    });
  }
}

/** Sends the next batch that is due; false if there is none, or the channel has to wait. */
async function sendNext(deps: DeliveryDependencies, channelId: number, signal: AbortSignal): Promise<boolean> {
  const channel = await findChannel(deps.jobsDb, channelId);
  if (channel?.is_on !== true) return false;
  const batch = await takeBatch(deps, channel);
  if (batch === null) return false;
  const destination = unreachedOf(openDestination(channel, deps.readSecret, deps.now()), batch[0].unreached);
  return storeResult(deps, { channel, batch, result: await attempt(deps, { destination, batch }, signal) });
}

async function attempt(
  deps: DeliveryDependencies,
  { destination, batch }: { destination: Destination | null; batch: Batch },
  signal: AbortSignal,
): Promise<SendResult> {
  if (destination === null)
    return { kind: 'failed', status: null, answer: channelMessages.secretLost, retryAfter: null, isFinal: false, isGone: false };
  if (destination.kind === 'mail' && destination.addresses.length === 0)
    return { kind: 'sent', status: null, answer: channelMessages.addressesLeft };
  return deps.send(destination, messageOf(deps, batch), signal);
}

/** The messages of the next attempt. Those of an earlier one stay together; new ones are gathered as the channel says. */
async function takeBatch({ jobsDb, now }: DeliveryDependencies, channel: StoredChannel): Promise<Batch | null> {
  return transaction(jobsDb, async (tx) => {
    const at = now();
    const overtaken = await updateOvertaken(tx, channel.id);
    const same = (found: Batch | null) => (overtaken === 0 ? unchanged(found) : unaudited('the order of messages is no setting', found));
    const due = await findDueBatch(tx, channel.id, soonBy(at));
    if (due) return same(due);
    const first = await findFreshDue(tx, channel.id, soonBy(at));
    if (first === undefined) return same(null);
    const times = await listBatchTimes(tx, channel.id, new Date(at.getTime() - hour));
    const left = channel.per_hour - times.length;
    const freedBy = times[-left];
    if (left <= 0 && freedBy !== undefined) {
      await updateFreshDue(tx, channel.id, new Date(freedBy.getTime() + hour));
      return unaudited('the pace of sending is no setting', null);
    }
    // The last message that this hour allows has all that wait, but for reports, which programs expect by themselves.
    const gathersAll = first.type !== reportType && (left === 1 || (channel.digest_minutes > 0 && first.severity !== 'critical'));
    const isGrouped = channel.group_minutes > 0 && first.group_key !== null;
    const ids =
      gathersAll || isGrouped
        ? await listFreshMessages(tx, channel.id, { like: gathersAll ? null : first, limit: batchMessages })
        : [first.id];
    return unaudited('an attempt is no change by anybody', await updateToBatch(tx, ids, at));
  });
}

/** The destination with the addresses alone that the attempt before did not reach: none, should they have left the channel. */
function unreachedOf(destination: Destination | null, unreached: readonly string[] | null): Destination | null {
  if (destination?.kind !== 'mail' || unreached === null) return destination;
  return { ...destination, addresses: destination.addresses.filter((address) => unreached.includes(address)) };
}

function messageOf({ publicUrl }: DeliveryDependencies, batch: Batch): MessageToSend {
  const toItem = (message: StoredMessage): MessageItem => ({
    uid: message.uid,
    type: message.type,
    severity: message.severity,
    at: message.happened_at,
    title: message.title,
    lines: message.lines,
    url: `${publicUrl}${message.path}`,
    data: message.data,
  });
  const [first] = batch;
  const id = batch.length === 1 ? first.uid : `digest-${first.channel_id}-${first.uid}`;
  const [worst = toItem(first), ...others] = byGravity(batch.map(toItem));
  return { id, at: first.created_at, items: [worst, ...others] };
}

/** Stores what became of a batch; false if the channel has to wait. */
async function storeResult(
  deps: DeliveryDependencies,
  { channel, batch, result }: { channel: StoredChannel; batch: Batch; result: SendResult },
): Promise<boolean> {
  const { jobsDb, now, retrySeconds = usualRetrySeconds } = deps;
  const at = now();
  const { answer, status } = result;
  const { unreached = [] } = result.kind === 'sent' ? result : {};
  if (result.kind === 'sent' && unreached.length === 0) {
    await updateAttempted(jobsDb, batch, { state: 'sent', answer, next: null, now: at });
    await updatePause(jobsDb, channel.id, null);
    return true;
  }
  const wait = result.kind === 'failed' && (result.isFinal || result.isGone) ? undefined : retrySeconds[batch[0].attempts];
  deps.onMessageFault({
    channelId: channel.id,
    messageIds: batch.map(({ id }) => id),
    isFinal: wait === undefined,
    status,
    reason: answer,
  });
  const after = (seconds: number) => new Date(at.getTime() + seconds * 1000);
  if (result.kind === 'sent') {
    const next = wait === undefined ? null : after(withJitter(wait));
    await updateAttempted(jobsDb, batch, { state: next === null ? 'failed' : 'pending', answer, next, now: at, unreached });
    return true;
  }
  const next = wait === undefined ? null : after(Math.max(withJitter(wait), result.retryAfter ?? 0));
  if (result.isGone) {
    await switchOff(deps, { id: channel.id, batch, answer });
    return false;
  }
  await updateAttempted(jobsDb, batch, { state: next === null ? 'failed' : 'pending', answer, next, now: at });
  const pause = result.retryAfter ?? (status === 429 ? tooManyPauseSeconds : Math.min(failurePauseSeconds, wait ?? failurePauseSeconds));
  await updatePause(jobsDb, channel.id, after(pause));
  return false;
}

function soonBy(now: Date): Date {
  return new Date(now.getTime() + earlyMilliseconds);
}

/** Up to a tenth more, so that receivers of many consoles do not get all retries at once. */
function withJitter(seconds: number): number {
  return seconds * (1 + Math.random() / 10);
}

/** Switches a channel off whose receiver wants no messages any more. */
async function switchOff(
  { jobsDb, now }: DeliveryDependencies,
  { id, batch, answer }: { id: number; batch: Batch; answer: string },
): Promise<void> {
  await transaction(jobsDb, async (tx) => {
    const channel = await lockChannel(tx, id);
    await updateAttempted(tx, batch, { state: 'failed', answer, next: null, now: now() });
    if (!channel?.is_on) return unaudited('the channel is off or was deleted', undefined);
    await updateRow(tx, 'channels', id, { is_on: false }, now());
    await updateAllFailed(tx, id, answer);
    const changes = [{ field: 'is_on', from: true, to: false }];
    return recordAudit(tx, { actor: null, entity: 'channel', action: 'update', id, label: channel.name, request: null, changes });
  });
}
