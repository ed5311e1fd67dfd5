import { bulkChange, bulkMessages, bulkRuleOf, type BulkChange } from '@switchyard/contract/bulk';
import { holdsAny } from '@switchyard/contract/permissions';
import { z } from 'zod';
import type { BulkEntity, LockedRow } from '../../bulk-rows.ts';
import type { Databases } from '../../database/connect.ts';
import { isImpossibleValue } from '@switchyard/traffic-store/database-errors';
import { countRecorded, transaction, unaudited, unchanged, type OpenTransaction } from '../../database/transaction.ts';
import { FieldErrors, HttpError } from '../../errors.ts';
import type { AccountCall, AccountCaller } from '../../http/bind.ts';
import type { SendJob } from '../../jobs/job-queue.ts';
import { findTokenCaller } from '../api-tokens/token-caller-lookup.ts';
import { findSessionCaller } from '../sessions/session-caller-lookup.ts';
import {
  updateUnstarted,
  deleteRows,
  listWaitingRows,
  lockRun,
  updateChecked,
  updateDone,
  updateRun,
  updateStalled,
  type RowOutcome,
  type StoredRun,
  type WaitingRow,
} from './bulk-store.ts';

export const bulkQueue = 'bulk-runs';

/** The job that goes on with a run. */
export function bulkJob(runId: number) {
  return { queue: bulkQueue, data: { runId } } as const;
}

const jobData = z.object({ runId: z.int() });

export type BulkJobDependencies = {
  jobsDb: Databases['jobsDb'];
  sendJob: SendJob;
  now: () => Date;
  entities: readonly BulkEntity[];
  /** Whether accounts of the demo can sign in. */
  demoIsOn: boolean;
};

/**
 * Rows of a chunk. Rows that are changed one by one have a savepoint each, and PostgreSQL keeps up to 64 of a transaction where others
 * find them cheaply.
 */
const chunkRows = { oneByOne: 50, atOnce: 500 };
/** A job ends before it would count as lost. */
const sliceMilliseconds = 10_000;
const stalledMilliseconds = 120_000;
const forgottenMilliseconds = 86_400_000;

/**
 * Goes on with a run for some seconds and sends the job for the rest. A chunk is one transaction: its changes are committed with their
 * results, so a process that ends midway changes no row twice.
 */
export async function runBulkJob(deps: BulkJobDependencies, data: unknown, signal: AbortSignal): Promise<void> {
  const { runId } = jobData.parse(data);
  const endsAt = performance.now() + sliceMilliseconds;
  while (await runChunk(deps, runId)) {
    signal.throwIfAborted();
    if (performance.now() < endsAt) continue;
    await transaction(deps.jobsDb, async (tx) => {
      await deps.sendJob(tx, bulkJob(runId));
      return unaudited('the rest of a run that has its entry already', undefined);
    });
    return;
  }
}

/** Sends jobs for runs whose own were lost, e.g. with a restored backup. */
export async function resumeRuns({ jobsDb, sendJob, now }: BulkJobDependencies): Promise<void> {
  await transaction(jobsDb, async (tx) => {
    const at = now();
    for (const id of await updateStalled(tx, new Date(at.getTime() - stalledMilliseconds), at)) await sendJob(tx, bulkJob(id));
    return unaudited('new jobs for runs that have their entries already', undefined);
  });
}

/** Cancels runs that nobody started for a day after their check. */
export async function cancelForgottenRuns({ jobsDb, now }: BulkJobDependencies): Promise<void> {
  await transaction(jobsDb, async (tx) => {
    const at = now();
    await updateUnstarted(tx, new Date(at.getTime() - forgottenMilliseconds), at);
    return unaudited('runs that changed nothing', undefined);
  });
}

/** Checks or changes the next rows of a run; false when nothing is left to do. */
async function runChunk(deps: BulkJobDependencies, runId: number): Promise<boolean> {
  const checkedRows = await transaction(deps.jobsDb, async (tx) => {
    const run = await lockRun(tx, runId, null);
    // Rolled back: a check is the change itself, but never committed.
    return unchanged(run?.state === 'checking' ? await workOnRows(deps, tx, run) : null);
  });
  return transaction(deps.jobsDb, async (tx) => {
    const run = await lockRun(tx, runId, null);
    const isCheck = checkedRows !== null;
    if (run?.state !== (isCheck ? 'checking' : 'running')) return unchanged(false);
    const chunk = checkedRows ?? (await workOnRows(deps, tx, run));
    const now = deps.now();
    if ('problem' in chunk) {
      await updateRun(tx, { id: run.id, state: 'stopped', problem: chunk.problem, now });
      if (isCheck) await deleteRows(tx, run.id);
    } else if (chunk.outcomes.length === 0) await updateRun(tx, { id: run.id, state: isCheck ? 'ready' : 'done', now });
    else {
      await (isCheck ? updateChecked : updateDone)(tx, run.id, chunk.outcomes);
      await updateRun(tx, { id: run.id, state: run.state, now });
    }
    return unaudited('each changed row has its entry', 'outcomes' in chunk && chunk.outcomes.length > 0);
  });
}

type Chunk = { outcomes: RowOutcome[] } | { problem: string };

/** Applies the change to the next rows. The rights of the caller are read again, so that a lost one stops the run. */
async function workOnRows(deps: BulkJobDependencies, tx: OpenTransaction, run: StoredRun): Promise<Chunk> {
  const caller = await findCaller(deps, tx, run);
  if (!caller || caller.mustSetUpFactor) return { problem: bulkMessages.signedOut };
  const entity = deps.entities.find(({ name }) => name === run.entity);
  if (!entity) throw new Error(`Bulk run: unknown entity (${run.entity})`);
  const limit = entity.applyAll === undefined ? chunkRows.oneByOne : chunkRows.atOnce;
  const rows = await listWaitingRows(tx, { runId: run.id, isCheck: run.state === 'checking', limit });
  const changes = new Map(rows.map((row) => [row.position, changeOf(run, row)]));
  const distinct = [...changes.values()].filter((change) => change !== null);
  if (distinct.some(({ action }) => !holdsAny(caller.account.permissions, bulkRuleOf(action).needs)))
    return { problem: bulkMessages.lostPermission };

  const target = { keys: rows.map(({ key }) => key), changes: distinct, caller };
  const found = await entity.lockRows(tx, target);
  const call = callOf(run, caller);
  const outcomes: RowOutcome[] = [];
  const dueRows: { key: string; change: BulkChange }[] = [];
  for (const row of rows) {
    const change = changes.get(row.position) ?? null;
    const outcome = await changeRow(tx, {
      run,
      row,
      change,
      locked: found.get(row.key),
      keyProblem: entity.keyProblem(row.key),
      call,
    });
    outcomes.push(outcome);
    if (change !== null && outcome.result === 'changed') dueRows.push({ key: row.key, change });
  }
  if (dueRows.length > 0) await entity.applyAll?.(tx, dueRows, call);
  const after = await entity.lockRows(tx, target);
  const keys = new Map(rows.map(({ position, key }) => [position, key]));
  return {
    outcomes: outcomes.map((outcome) => {
      if (outcome.result !== 'changed') return outcome;
      const stateAfter = after.get(keys.get(outcome.position) ?? '')?.state ?? null;
      // Rows that are changed at once are locked, so their state tells.
      if (entity.applyAll !== undefined && stateAfter === outcome.state) return { ...outcome, result: 'already', inverse: null };
      return { ...outcome, stateAfter };
    }),
  };
}

type RowWork = {
  run: StoredRun;
  row: WaitingRow;
  /** Null: an undo of a change that has no inverse. */
  change: BulkChange | null;
  locked: LockedRow | undefined;
  /** Why the key can name no row. */
  keyProblem: string | null;
  call: AccountCall;
};

async function changeRow(tx: OpenTransaction, { run, row, change, locked, keyProblem, call }: RowWork): Promise<RowOutcome> {
  const outcome = { position: row.position, label: null, state: null, stateAfter: null, inverse: null, message: null } as const;
  if (!locked) return { ...outcome, result: 'denied', message: keyProblem ?? bulkMessages.notFound };
  const { label, state } = locked;
  if (change === null) return { ...outcome, label, state, result: 'denied', message: bulkMessages.notReversible };
  // A row that the check did not find has no expected state.
  const wasMissing = run.state === 'running' && row.expected === null;
  if (wasMissing || (row.expected !== null && row.expected !== state)) {
    const isUndo = run.undo_of !== null && (run.state === 'checking' || row.check_result === 'conflict');
    return {
      ...outcome,
      label,
      state,
      result: 'conflict',
      message: isUndo ? bulkMessages.changedSinceRun : bulkMessages.changedSinceCheck,
    };
  }
  const entries = countRecorded(tx);
  const problem = await locked.apply?.(tx, change, call).then(() => null, describeProblem);
  if (problem) return { ...outcome, label, state, ...problem };
  // Its command found nothing to do. The state does not tell: somebody else may change what is not there and cannot be locked.
  if (locked.apply !== undefined && countRecorded(tx) === entries) return { ...outcome, label, state, result: 'already' };
  return { ...outcome, label, state, result: 'changed', inverse: locked.inverseOf(change) };
}

/** The result of a row whose command was rejected. Throws what concerns the database rather than the row. */
function describeProblem(error: unknown): Pick<RowOutcome, 'result' | 'message'> {
  if (error instanceof FieldErrors) return { result: 'denied', message: Object.values(error.errors).flat().join(' ') };
  if (error instanceof HttpError && error.status < 500) return { result: 'denied', message: error.message };
  if (isImpossibleValue(error)) return { result: 'failed', message: bulkMessages.failed };
  throw error;
}

function changeOf(run: StoredRun, row: WaitingRow): BulkChange | null {
  const stored = run.change ?? row.change;
  return stored === null ? null : bulkChange.parse(stored);
}

async function findCaller({ now, demoIsOn }: BulkJobDependencies, tx: OpenTransaction, run: StoredRun): Promise<AccountCaller | undefined> {
  const at = { now: now(), demoIsOn };
  if (run.token_id !== null) return findTokenCaller(tx, { tokenId: run.token_id, ...at });
  return run.session_id === null ? undefined : findSessionCaller(tx, { sessionId: run.session_id, ...at });
}

/** The call that entries of the trail name: the id of the request links those of a run. */
function callOf(run: StoredRun, caller: AccountCaller): AccountCall {
  const request = { requestId: `bulk-${run.id}`, ip: run.ip, userAgent: null, guardWrite: null };
  if (caller.by.kind !== 'token') return { caller, request };
  return { caller, request: { ...request, via: { kind: 'token', id: caller.by.tokenId, name: caller.by.name } } };
}
