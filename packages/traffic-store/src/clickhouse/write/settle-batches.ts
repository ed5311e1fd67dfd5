import type { Microseconds } from '@switchyard/contract/dates';
import type pg from 'pg';
import type { EngineClient } from '../engine-client.ts';
import { instant } from '../event-conditions.ts';
import { quoteName } from '../schema.ts';
import { newParameters, using } from '../statement.ts';
import { tryWithAppLocks } from './app-locks.ts';

/** The engine, and the cluster it belongs to. */
export type Engine = { engine: EngineClient; cluster: string | null };

/** A batch whose insert may have failed, may be under way, or may have succeeded without an answer. */
export type OpenBatch = { seq: number; app_ids: number[]; from: Microseconds; until: Microseconds };

/** Columns of an `OpenBatch`. */
export const openBatchColumns = `seq, app_ids, (extract(epoch from from_hour) * 1000000)::bigint as "from",
  (extract(epoch from until_hour) * 1000000)::bigint as until`;

/** Marks an open batch of which nothing is stored, nor ever will be. */
export const voidStatement = `update event_batches set state = 'void', settled_at = clock_timestamp() where seq = $1 and state = 'open'`;

/** The name of a batch's insert. Other databases of the same server count their batches, too, so the name says whose it is. */
export function insertName({ database }: EngineClient, seq: number, table = 'events'): string {
  return `${database}-${table}-${seq}`;
}

/** Nothing of a batch can be stored afterwards: an insert that begins fails (not on a cluster), and one that runs is ended. */
export async function voidBatch({ engine, cluster }: Engine, seq: number): Promise<void> {
  if (cluster === null)
    await engine.insert({
      table: 'void_batches',
      columns: ['batch', 'is_void'],
      values: [[seq, 1]],
      queryId: insertName(engine, seq, 'void'),
    });
  const on = cluster === null ? '' : ` on cluster ${quoteName(cluster)}`;
  await engine.command(`kill query${on} where query_id = '${insertName(engine, seq)}' sync`);
}

/**
 * Finds out what became of a batch and writes it down: stored if any of its events are, else void. The locks of its apps must be held.
 * Nothing of it can be stored afterwards.
 */
export async function settleBatch(engineAndNames: Engine, client: pg.ClientBase, { seq, from, until }: OpenBatch): Promise<void> {
  await voidBatch(engineAndNames, seq);
  const parameters = newParameters();
  const text = `select count() from events where batch = ${parameters.add(seq, 'UInt64')}
    and occurred_at >= ${instant(from, parameters)} and occurred_at < ${instant(until, parameters)} ${using(null)}`;
  const [count = '0'] = await engineAndNames.engine.lines({ text, parameters });
  if (Number(count) > 0) await client.query('select announce_event_batch($1, $2)', [seq, Number(count)]);
  else await client.query(voidStatement, [seq]);
}

/** Settles batches that ended writers left open. Batches of running writers are left to them. */
export async function settleAbandonedBatches(engine: Engine, pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<OpenBatch>(`select ${openBatchColumns} from event_batches where state = 'open' order by seq`);
  for (const batch of rows) {
    await tryWithAppLocks(pool, batch.app_ids, async (client) => {
      // Its writer may have finished since.
      const { rowCount } = await client.query(`select from event_batches where seq = $1 and state = 'open'`, [batch.seq]);
      if (rowCount === 1) await settleBatch(engine, client, batch);
    });
  }
}
