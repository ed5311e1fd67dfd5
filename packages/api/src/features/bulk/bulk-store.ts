import type {
  BulkActionName,
  BulkChange,
  BulkCounts,
  BulkEntityName,
  BulkResult,
  BulkRowsQuery,
  BulkState,
} from '@switchyard/contract/bulk';
import { containsAlike } from '../../database/sql-conditions.ts';
import { sql, type Kysely } from 'kysely';
import type { AppScope } from '@switchyard/contract/app-scope';
import type { Tables } from '../../database/tables.ts';
import { existing, unauditedStatement, type OpenTransaction } from '../../database/transaction.ts';

/** A stored run. */
export type StoredRun = {
  id: number;
  account_id: number;
  session_id: number | null;
  token_id: number | null;
  entity: BulkEntityName;
  change: unknown;
  undo_of: number | null;
  undone_by: number | null;
  state: BulkState;
  problem: string | null;
  ip: string;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
};

const columns = sql`run.id, run.account_id, run.session_id, run.token_id, run.entity, run.change, run.undo_of, run.state, run.problem,
  host(run.ip) as ip, run.created_at, run.started_at, run.finished_at,
  (select undo.id from bulk_runs undo where undo.undo_of = run.id and undo.state not in ('cancelled', 'stopped')) as undone_by`;

/** The owner of a run. With a token only its own runs, which are limited to its apps. */
export type RunOwner = { accountId: number; tokenId: number | null };

function isOwn({ accountId, tokenId }: RunOwner) {
  return tokenId === null ? sql`run.account_id = ${accountId}` : sql`run.account_id = ${accountId} and run.token_id = ${tokenId}`;
}

type NewRun = Pick<StoredRun, 'account_id' | 'session_id' | 'token_id' | 'entity' | 'undo_of' | 'ip'> & { change: BulkChange | null };

/** Inserts a run that is to be checked. */
export async function insertRun(tx: OpenTransaction, run: NewRun, now: Date): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into bulk_runs (account_id, session_id, token_id, entity, change, undo_of, state, ip, created_at, updated_at)
    values (${run.account_id}, ${run.session_id}, ${run.token_id}, ${run.entity}, ${run.change === null ? null : JSON.stringify(run.change)},
      ${run.undo_of}, 'checking', ${run.ip}, ${now}, ${now})
    returning id
  `.execute(tx);
  return existing(rows[0]).id;
}

/** Inserts the rows of a run in their order. */
export async function insertRows(tx: OpenTransaction, runId: number, keys: readonly string[]): Promise<void> {
  await sql`
    insert into bulk_rows (run_id, position, key) select ${runId}, position, key from unnest(${keys}::text[]) with ordinality as row (key, position)
  `.execute(tx);
  await updateRowCount(tx, runId, keys.length);
}

async function updateRowCount(tx: OpenTransaction, runId: number, rows: number): Promise<void> {
  await sql`update bulk_runs set row_count = ${rows} where id = ${runId}`.execute(tx);
}

/** Deletes the rows of a run that was never started. */
export async function deleteRows(tx: OpenTransaction, runId: number): Promise<void> {
  await sql`delete from bulk_rows where run_id = ${runId}`.execute(tx);
  await updateRowCount(tx, runId, 0);
}

/** Number of rows that a run changed. */
export async function countChanged(tx: OpenTransaction, runId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from bulk_rows where run_id = ${runId} and result = 'changed'`.execute(tx);
  return existing(rows[0]).count;
}

/**
 * Stored rows of an account's runs, and when the oldest of its newest `perHour` runs was made; null if that is before `since`, or if there
 * are fewer.
 */
export async function findUse(
  tx: OpenTransaction,
  { accountId, since, perHour }: { accountId: number; since: Date; perHour: number },
): Promise<{ rows: number; nth: Date | null }> {
  const { rows } = await sql<{ rows: number; nth: Date | null }>`
    select coalesce(sum(row_count), 0)::integer as rows, (
      select created_at from bulk_runs where account_id = ${accountId} and created_at > ${since} order by id desc limit 1 offset ${perHour - 1}
    ) as nth from bulk_runs where account_id = ${accountId}
  `.execute(tx);
  return existing(rows[0]);
}

/** Inserts the rows that undo those that a run changed. */
export async function insertUndoRows(tx: OpenTransaction, { runId, undoOf }: { runId: number; undoOf: number }): Promise<void> {
  await sql`
    insert into bulk_rows (run_id, position, key, label, change, expected)
    select ${runId}, position, key, label, inverse, state_after from bulk_rows where run_id = ${undoOf} and result = 'changed'
  `.execute(tx);
  await updateRowCount(tx, runId, await countChanged(tx, undoOf));
}

/** Number of runs of an account that are under way. Locks the account's runs, so that concurrent calls count each other. */
export async function countUnfinished(tx: OpenTransaction, accountId: number): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('bulk runs'), ${accountId})`.execute(tx);
  const { rows } = await sql<{ count: number }>`
    select count(*) from bulk_runs where account_id = ${accountId} and state in ('checking', 'running')
  `.execute(tx);
  return rows[0]?.count ?? 0;
}

/** A run of this owner. */
export async function findRun(db: Kysely<Tables>, id: number, owner: RunOwner): Promise<StoredRun | undefined> {
  const { rows } = await sql<StoredRun>`select ${columns} from bulk_runs run where id = ${id} and ${isOwn(owner)}`.execute(db);
  return rows[0];
}

/** One page of the runs of this owner, newest first, and their number. */
export async function listRuns(
  db: Kysely<Tables>,
  owner: RunOwner,
  { page, limit, entity }: { page: number; limit: number; entity?: BulkEntityName | undefined },
) {
  const isListed = sql`${isOwn(owner)} and (${entity ?? null}::text is null or run.entity = ${entity ?? null})`;
  const { rows } = await sql<StoredRun>`
    select ${columns} from bulk_runs run where ${isListed} order by id desc limit ${limit} offset ${(page - 1) * limit}
  `.execute(db);
  const { rows: totals } = await sql<{ total: number }>`select count(*) as total from bulk_runs run where ${isListed}`.execute(db);
  return { rows, total: totals[0]?.total ?? 0 };
}

/** A run, locked until the transaction ends, so that its chunks and commands wait for each other; `owner` null: of anybody. */
export async function lockRun(tx: OpenTransaction, id: number, owner: RunOwner | null): Promise<StoredRun | undefined> {
  const isFound = sql`id = ${id} and ${owner === null ? sql`true` : isOwn(owner)}`;
  await sql`select from bulk_runs run where ${isFound} for update`.execute(tx);
  // Read by a later statement than the one that waited, so that it sees an undo which another call began meanwhile.
  const { rows } = await sql<StoredRun>`select ${columns} from bulk_runs run where ${isFound}`.execute(tx);
  return rows[0];
}

/** Moves a run to another state, or says that it goes on. */
export async function updateRun(
  tx: OpenTransaction,
  { id, state, problem = null, now }: { id: number; state: BulkState; problem?: string | null; now: Date },
): Promise<void> {
  await sql`
    update bulk_runs set state = ${state}, problem = ${problem}, updated_at = ${now},
      started_at = case when ${state} = 'running' then coalesce(started_at, ${now}) else started_at end,
      finished_at = case when ${state} in ('done', 'cancelled', 'stopped') then ${now}::timestamptz end
    where id = ${id}
  `.execute(tx);
}

/** Binds a run to the sign-in that starts it. */
export async function updateStarter(tx: OpenTransaction, id: number, by: Pick<StoredRun, 'session_id' | 'token_id' | 'ip'>): Promise<void> {
  await sql`update bulk_runs set session_id = ${by.session_id}, token_id = ${by.token_id}, ip = ${by.ip} where id = ${id}`.execute(tx);
}

/** The actions of a run: one, or in an undo those of its rows. */
export async function listActions(tx: OpenTransaction, id: number): Promise<BulkActionName[]> {
  const { rows } = await sql<{ action: BulkActionName }>`
    select distinct coalesce(run.change, row.change) ->> 'action' as action
    from bulk_runs run join bulk_rows row on row.run_id = run.id where run.id = ${id} and coalesce(run.change, row.change) is not null
  `.execute(tx);
  return rows.map(({ action }) => action);
}

/** A row that waits for its check or its change. */
export type WaitingRow = { position: number; key: string; change: unknown; expected: string | null; check_result: BulkResult | null };

/** The first rows that wait. */
export async function listWaitingRows(
  db: Kysely<Tables>,
  { runId, isCheck, limit }: { runId: number; isCheck: boolean; limit: number },
): Promise<WaitingRow[]> {
  const { rows } = await sql<WaitingRow>`
    select position, key, change, expected, check_result from bulk_rows
    where run_id = ${runId} and ${isCheck ? sql`check_result is null` : sql`result is null`} order by position limit ${limit}
  `.execute(db);
  return rows;
}

/** Outcome of a row. */
export type RowOutcome = {
  position: number;
  label: string | null;
  result: BulkResult;
  message: string | null;
  /** The state that was found. */
  state: string | null;
  stateAfter: string | null;
  inverse: BulkChange | null;
};

/** Stores the outcomes of a check, with the states that a run must find. */
export async function updateChecked(tx: OpenTransaction, runId: number, outcomes: readonly RowOutcome[]): Promise<void> {
  await sql`
    update bulk_rows row set check_result = given.result, check_message = given.message, label = coalesce(given.label, row.label),
      expected = coalesce(row.expected, given.state)
    from unnest(${outcomes.map(({ position }) => position)}::int[], ${outcomes.map(({ label }) => label)}::text[],
      ${outcomes.map(({ result }) => result)}::text[], ${outcomes.map(({ message }) => message)}::text[],
      ${outcomes.map(({ state }) => state)}::text[]) as given (position, label, result, message, state)
    where row.run_id = ${runId} and row.position = given.position
  `.execute(tx);
}

/** Stores the outcomes of a run, with what an undo needs. */
export async function updateDone(tx: OpenTransaction, runId: number, outcomes: readonly RowOutcome[]): Promise<void> {
  await sql`
    update bulk_rows row set result = given.result, message = given.message, inverse = given.inverse, state_after = given.state_after
    from unnest(${outcomes.map(({ position }) => position)}::int[], ${outcomes.map(({ result }) => result)}::text[],
      ${outcomes.map(({ message }) => message)}::text[],
      ${outcomes.map(({ inverse }) => (inverse === null ? null : JSON.stringify(inverse)))}::jsonb[],
      ${outcomes.map(({ stateAfter }) => stateAfter)}::text[]) as given (position, result, message, inverse, state_after)
    where row.run_id = ${runId} and row.position = given.position
  `.execute(tx);
}

/** Rows of apps outside a scope are left out, also of runs that were made when the scope was wider. */
function isVisible({ entity }: Pick<StoredRun, 'entity'>, scope: AppScope) {
  if (entity !== 'app' || scope === 'all') return sql`true`;
  return sql`key = any(${scope.map(String)}::text[])`;
}

type Counted = { check_result: BulkResult | null; result: BulkResult | null; rows: number };

/** Number of rows of a run in the scope by their results. */
export async function countRows(
  db: Kysely<Tables>,
  run: Pick<StoredRun, 'id' | 'entity'>,
  scope: AppScope,
): Promise<{ total: number; check: BulkCounts; result: BulkCounts }> {
  const { rows } = await sql<Counted>`
    select check_result, result, count(*) as rows from bulk_rows
    where run_id = ${run.id} and ${isVisible(run, scope)} group by check_result, result
  `.execute(db);
  const none = { changed: 0, already: 0, denied: 0, conflict: 0, failed: 0 };
  const counts = { total: 0, check: { ...none }, result: { ...none } };
  for (const row of rows) {
    counts.total += row.rows;
    if (row.check_result !== null) counts.check[row.check_result] += row.rows;
    if (row.result !== null) counts.result[row.result] += row.rows;
  }
  return counts;
}

export type ListedRow = { key: string; label: string; check_result: BulkResult | null; check_message: string | null } & {
  result: BulkResult | null;
  message: string | null;
};

type RowsOf = { run: Pick<StoredRun, 'id' | 'entity'>; scope: AppScope; query: BulkRowsQuery; weights: ReadonlyMap<string, number> | null };

/** One page of the rows of a run in the scope, the heaviest first and else in their order, and how many match. */
export async function listRows(db: Kysely<Tables>, { run, scope, query, weights }: RowsOf): Promise<{ rows: ListedRow[]; total: number }> {
  const found = query.search === undefined ? sql`true` : containsAlike(sql`label || ' ' || key`, query.search);
  const matches = sql`run_id = ${run.id} and ${isVisible(run, scope)} and ${found}
    and (${query.check ?? null}::text is null or check_result = ${query.check ?? null})
    and (${query.result ?? null}::text is null or result = ${query.result ?? null})`;
  const { rows } = await sql<ListedRow>`
    select key, label, check_result, check_message, result, message from bulk_rows
    left join unnest(${[...(weights?.keys() ?? [])]}::text[], ${[...(weights?.values() ?? [])]}::bigint[]) as weights (key, weight) using (key)
    where ${matches} order by coalesce(weight, 0) desc, position limit ${query.limit} offset ${(query.page - 1) * query.limit}
  `.execute(db);
  const { rows: totals } = await sql<{ total: number }>`select count(*) as total from bulk_rows where ${matches}`.execute(db);
  return { rows, total: totals[0]?.total ?? 0 };
}

/** Those of the keys whose rows a run changed, or will change by its check. */
export async function listChangingKeys(db: Kysely<Tables>, runId: number, keys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select key from bulk_rows where run_id = ${runId} and coalesce(result, check_result) = 'changed' and key = any(${keys}::text[])
  `.execute(db);
  return rows.map(({ key }) => key);
}

/** Keys of the rows that a run changed, or will change by its check, with a change that has at least these fields. */
export async function listKeysOfChange(db: Kysely<Tables>, runId: number, change: BulkChange): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select row.key from bulk_runs run join bulk_rows row on row.run_id = run.id
    where run.id = ${runId} and coalesce(row.result, row.check_result) = 'changed'
      and coalesce(run.change, row.change) @> ${JSON.stringify(change)}::jsonb
  `.execute(db);
  return rows.map(({ key }) => key);
}

/** Runs under way that nothing happened to since an instant: their jobs were lost. */
export async function updateStalled(tx: OpenTransaction, before: Date, now: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update bulk_runs set updated_at = ${now} where id in (
      select id from bulk_runs where state in ('checking', 'running') and updated_at < ${before} order by id for update skip locked
    ) returning id
  `.execute(tx);
  return rows.map(({ id }) => id);
}

/** Cancels checked runs that were not started since an instant, and deletes their rows. */
export async function updateUnstarted(tx: OpenTransaction, before: Date, now: Date): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from bulk_runs where state = 'ready' and updated_at < ${before} order by id for update skip locked
  `.execute(tx);
  for (const { id } of rows) {
    await updateRun(tx, { id, state: 'cancelled', now });
    await deleteRows(tx, id);
  }
}

/** Deletes runs that were made before an instant; one with an undo stays as long as that, because it goes with it. */
export async function deleteOldRuns(db: Kysely<Tables>, before: Date): Promise<void> {
  const statement = unauditedStatement('results of runs; the trail keeps the entry of each change', db);
  await sql`
    delete from bulk_runs where created_at < ${before} and state not in ('checking', 'running') and not exists (
      select from bulk_runs as undo where undo.undo_of = bulk_runs.id and (undo.created_at >= ${before} or undo.state in ('checking', 'running'))
    )
  `.execute(statement);
}
