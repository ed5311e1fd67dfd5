import type { BelongingsSummary } from '@switchyard/contract/belongings';
import * as contract from '@switchyard/contract/bulk';
import { wireDate } from '@switchyard/contract/dates';
import { pageForm, type Pagination } from '@switchyard/contract/envelope';
import { holdsAny } from '@switchyard/contract/permissions';
import type { AppScope } from '@switchyard/contract/app-scope';
import type { BlockedRequests, BulkEntity } from '../../bulk-rows.ts';
import type { Databases } from '../../database/connect.ts';
import { recordAudit, transaction, unchanged, type Audited, type OpenTransaction } from '../../database/transaction.ts';
import { conflict, FieldErrors, forbidden, HttpError, notFound, peopleOnly } from '../../errors.ts';
import type { AccountCall, AccountCaller, Call } from '../../http/bind.ts';
import { eventsOr } from '@switchyard/traffic-store/traffic-store';
import { bulkJob, type BulkJobDependencies } from './bulk-jobs.ts';
import * as store from './bulk-store.ts';

const hour = 3_600_000;

export type BulkDependencies = BulkJobDependencies & { db: Databases['db'] };

/**
 * Begins the check of a change. Throws 403 without the permission of the action or for a token where it needs a person, 409 for too
 * many unfinished runs, and 422 for a target without rows or with too many.
 */
export async function checkBulk(
  deps: BulkDependencies,
  { body, caller, request }: Call<typeof contract.checkBulk>,
): Promise<contract.BulkRun> {
  const { change, target } = body;
  const { entity: name, needs, peopleOnly: isForPeople = false } = contract.bulkRuleOf(change.action);
  if (!holdsAny(caller.account.permissions, needs)) throw forbidden();
  if (isForPeople && caller.by.kind === 'token') throw peopleOnly();
  const entity = deps.entities.find((candidate) => candidate.name === name);
  if (!entity) throw new Error(`Bulk run: unknown entity (${name})`);
  return transaction(deps.db, async (tx) => {
    await rejectTooManyRuns(tx, caller);
    const keys = await listTarget(tx, entity, { target, caller });
    await rejectBeyondQuota(tx, { caller, rows: keys.length, now: deps.now() });
    const id = await store.insertRun(tx, { ...starterOf(caller), entity: name, change, undo_of: null, ip: request.ip }, deps.now());
    await store.insertRows(tx, id, keys);
    await deps.sendJob(tx, bulkJob(id));
    return recordRun(tx, { id, action: 'check', label: change.action }, { caller, request });
  });
}

/**
 * Begins the check of the undo of a run, or gives the one that waits for its start. Throws as `checkBulk`, and 409 unless the run is over and no undo of
 * it was started.
 */
export async function undoBulkRun(
  deps: BulkDependencies,
  { params, caller, request }: Call<typeof contract.undoBulkRun>,
): Promise<contract.BulkRun> {
  return transaction(deps.db, async (tx) => {
    const run = await lockOwn(tx, params.id, caller);
    const isOver = run.state === 'done' || (run.started_at !== null && (run.state === 'cancelled' || run.state === 'stopped'));
    const undo = run.undone_by === null ? undefined : await store.lockRun(tx, run.undone_by, null);
    if (!isOver || (undo && undo.started_at !== null)) throw conflict(contract.bulkMessages.notUndoable);
    if (undo) return unchanged(await present(tx, undo, caller.scope));
    await rejectTooManyRuns(tx, caller);
    await rejectBeyondQuota(tx, { caller, rows: await store.countChanged(tx, run.id), now: deps.now() });
    const { entity } = run;
    const id = await store.insertRun(tx, { ...starterOf(caller), entity, change: null, undo_of: run.id, ip: request.ip }, deps.now());
    await store.insertUndoRows(tx, { runId: id, undoOf: run.id });
    await deps.sendJob(tx, bulkJob(id));
    return recordRun(tx, { id, action: 'check', label: labelOf(run, true) }, { caller, request });
  });
}

/** Starts a checked run. Throws 404 for runs of others, 409 unless it is ready, and 403 where the change needs a recent sign-in. */
export async function startBulkRun(
  deps: BulkDependencies,
  { params: { id }, caller, request }: Call<typeof contract.startBulkRun>,
): Promise<contract.BulkRun> {
  return transaction(deps.db, async (tx) => {
    const run = await lockOwn(tx, id, caller);
    if (run.state !== 'ready') throw conflict(contract.bulkMessages.notReady);
    const fields = (await store.listActions(tx, run.id)).flatMap((action) => contract.bulkRuleOf(action).guards ?? []);
    request.guardWrite?.({ fields, hasProvenPassword: false });
    await store.updateStarter(tx, id, { ...starterOf(caller), ip: request.ip });
    await store.updateRun(tx, { id, state: 'running', now: deps.now() });
    await deps.sendJob(tx, bulkJob(id));
    return recordRun(tx, { id, action: 'start', label: labelOf(run) }, { caller, request });
  });
}

/** Cancels a run that is not over; its chunk under way is finished first. Throws 404 for runs of others and 409 for one that is over. */
export async function cancelBulkRun(
  deps: BulkDependencies,
  { params: { id }, caller, request }: Call<typeof contract.cancelBulkRun>,
): Promise<contract.BulkRun> {
  return transaction(deps.db, async (tx) => {
    const run = await lockOwn(tx, id, caller);
    if (run.finished_at !== null) throw conflict(contract.bulkMessages.notUnfinished);
    await store.updateRun(tx, { id, state: 'cancelled', now: deps.now() });
    if (run.started_at === null) await store.deleteRows(tx, id);
    return recordRun(tx, { id, action: 'cancel', label: labelOf(run) }, { caller, request });
  });
}

/** One's own run. Throws 404 for those of others. */
export async function getBulkRun(
  { db }: BulkDependencies,
  { params, caller }: Call<typeof contract.getBulkRun>,
): Promise<contract.BulkRun> {
  return present(db, await getOwn(db, params.id, caller), caller.scope);
}

/** Own runs, newest first. */
export async function listBulkRuns(
  { db }: BulkDependencies,
  { query, caller }: Call<typeof contract.listBulkRuns>,
): Promise<{ rows: contract.BulkRun[]; pagination: Pagination }> {
  const { rows, total } = await store.listRuns(db, ownerOf(caller), query);
  const runs: contract.BulkRun[] = [];
  for (const run of rows) runs.push(await present(db, run, caller.scope));
  return { rows: runs, pagination: pageForm({ total, count: runs.length, limit: query.limit, page: query.page }) };
}

/** Rows of one's own run; none without a permission for changes of its entity. Throws 404 for runs of others. */
export async function listBulkRows(
  deps: BulkDependencies,
  { params, query, caller }: Call<typeof contract.listBulkRows>,
): Promise<{ rows: contract.BulkRow[]; pagination: Pagination }> {
  const run = await getOwn(deps.db, params.id, caller);
  if (!maySeeRows(run, caller)) return { rows: [], pagination: pageForm({ total: 0, count: 0, limit: query.limit, page: query.page }) };
  const blocked = await countBlocked(deps, run, caller);
  const { rows, total } = await store.listRows(deps.db, { run, scope: caller.scope, query, weights: blocked?.byKey ?? null });
  const pagination = pageForm({ total, count: rows.length, limit: query.limit, page: query.page });
  return {
    rows: rows.map(({ key, label, ...row }) => ({
      key,
      label,
      check: row.check_result && { result: row.check_result, message: row.check_message },
      result: row.result && { result: row.result, message: row.message },
      blocked: blocked && (blocked.byKey.get(key) ?? 0),
    })),
    pagination,
  };
}

/** Requests that the rows of a ban that will change would have blocked. Throws 404 for runs of others. */
export async function getBlockedRequests(
  deps: BulkDependencies,
  { params, caller }: Call<typeof contract.getBlockedRequests>,
): Promise<{ blocked: number; all: number; unknown: number } | null> {
  const run = await getOwn(deps.db, params.id, caller);
  const blocked = await countBlocked(deps, run, caller);
  const all = blocked && (await eventsOr(blocked.countAll(), null));
  if (blocked === null || all === null) return null;
  const keys = await store.listChangingKeys(deps.db, run.id, [...blocked.byKey.keys()]);
  return { blocked: keys.reduce((sum, key) => sum + (blocked.byKey.get(key) ?? 0), 0), ...all };
}

/** Belongings of the accounts to which a run will deny access; null without any. Throws 404 for runs of others. */
export async function getBulkBelongings(
  { db, entities }: BulkDependencies,
  { params, caller }: Call<typeof contract.getBulkBelongings>,
): Promise<BelongingsSummary | null> {
  const run = await getOwn(db, params.id, caller);
  const entity = entities.find(({ name }) => name === run.entity);
  if (entity?.summarizeBelongings === undefined || !maySeeRows(run, caller)) return null;
  const keys = await store.listKeysOfChange(db, run.id, { action: 'account.set_access', params: { hasAccess: false } });
  return keys.length === 0 ? null : entity.summarizeBelongings(keys, caller);
}

/** Whether the caller still has a permission for changes of the entity, whose rows are named. */
function maySeeRows({ entity }: store.StoredRun, { account }: AccountCaller): boolean {
  return contract.bulkEntityPermissions(entity).some((needs) => holdsAny(account.permissions, needs));
}

async function countBlocked({ entities }: BulkDependencies, run: store.StoredRun, caller: AccountCaller): Promise<BlockedRequests | null> {
  const entity = entities.find(({ name }) => name === run.entity);
  if (entity?.countBlocked === undefined || run.change === null || !maySeeRows(run, caller)) return null;
  return eventsOr(entity.countBlocked(contract.bulkChange.parse(run.change), caller), null);
}

/** Records what was done to a run and gives the run. */
async function recordRun(
  tx: OpenTransaction,
  { id, action, label }: { id: number; action: 'check' | 'start' | 'cancel'; label: string },
  { caller, request }: AccountCall,
): Promise<Audited<contract.BulkRun>> {
  const run = await present(tx, await getOwn(tx, id, caller), caller.scope);
  return recordAudit(tx, { actor: caller.account, entity: 'bulk_run', action, id, label, request }, run);
}

/** Keys of a target in the order in which their rows are locked. */
async function listTarget(
  tx: OpenTransaction,
  entity: BulkEntity,
  { target, caller }: { target: contract.BulkTarget; caller: AccountCaller },
): Promise<string[]> {
  const exceptions = 'except' in target ? target.except : [];
  const malformed = exceptions.find((key) => entity.keyProblem(key) !== null);
  if (malformed !== undefined) throw new FieldErrors({ target: [contract.bulkMessages.malformedException(malformed)] });
  const keys = new Set('keys' in target ? target.keys.map(entity.canonicalKey) : await entity.listKeys(tx, target, caller));
  for (const key of exceptions) keys.delete(entity.canonicalKey(key));
  if (keys.size === 0) throw new FieldErrors({ target: [contract.bulkMessages.none] });
  if (keys.size > contract.bulkLimits.rows) throw new FieldErrors({ target: [contract.bulkMessages.tooMany] });
  return [...keys].sort(entity.compareKeys);
}

async function rejectTooManyRuns(tx: OpenTransaction, { account }: AccountCaller): Promise<void> {
  if ((await store.countUnfinished(tx, account.id)) >= contract.bulkLimits.unfinished) throw conflict(contract.bulkMessages.unfinished);
}

/** Throws 429 for one run too many in an hour, and for too many stored rows. The account's runs are locked. */
async function rejectBeyondQuota(
  tx: OpenTransaction,
  { caller, rows, now }: { caller: AccountCaller; rows: number; now: Date },
): Promise<void> {
  const { perHour, stored } = contract.bulkLimits;
  const use = await store.findUse(tx, { accountId: caller.account.id, since: new Date(now.getTime() - hour), perHour });
  if (use.nth !== null) {
    const seconds = Math.max(1, Math.ceil((use.nth.getTime() + hour - now.getTime()) / 1000));
    throw new HttpError(429, contract.bulkMessages.perHour, { retryAfter: seconds });
  }
  if (use.rows + rows > stored) throw new HttpError(429, contract.bulkMessages.stored, { retryAfter: hour / 1000 });
}

function ownerOf({ account, by }: AccountCaller): store.RunOwner {
  return { accountId: account.id, tokenId: by.kind === 'token' ? by.tokenId : null };
}

/** The sign-in or the token that a run acts with. */
function starterOf({ account, by }: AccountCaller) {
  const sessionId = by.kind === 'session' ? by.sessionId : null;
  return { account_id: account.id, session_id: sessionId, token_id: by.kind === 'token' ? by.tokenId : null };
}

async function getOwn(db: Databases['db'], id: number, caller: AccountCaller): Promise<store.StoredRun> {
  const run = await store.findRun(db, id, ownerOf(caller));
  if (!run) throw notFound();
  return run;
}

async function lockOwn(tx: OpenTransaction, id: number, caller: AccountCaller): Promise<store.StoredRun> {
  const run = await store.lockRun(tx, id, ownerOf(caller));
  if (!run) throw notFound();
  return run;
}

function labelOf(run: store.StoredRun, isUndone = false): string {
  if (run.undo_of !== null) return `undo of ${run.undo_of}`;
  return isUndone ? `undo of ${run.id}` : contract.bulkChange.parse(run.change).action;
}

async function present(db: Databases['db'], run: store.StoredRun, scope: AppScope): Promise<contract.BulkRun> {
  const { id, entity, undo_of, undone_by, state, problem } = run;
  return {
    id,
    entity,
    change: run.change === null ? null : contract.bulkChange.parse(run.change),
    undo_of,
    undone_by,
    state,
    problem,
    ...(await store.countRows(db, run, scope)),
    created_at: wireDate(run.created_at),
    started_at: wireDate(run.started_at),
    finished_at: wireDate(run.finished_at),
  };
}
