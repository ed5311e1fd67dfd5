import type pg from 'pg';
import { inTransaction } from '../../postgres/statements.ts';
import { newParameters, using } from '../statement.ts';
import type { Engine } from '../write/settle-batches.ts';

/**
 * Prevents PostgreSQL from assigning numbers that events and batches already have: a PostgreSQL that was restored from a backup is
 * behind. A batch with the number of an earlier one would be mistaken for it, and two events with one id would share a place in a
 * list.
 */
export async function raiseSequences({ engine, cluster }: Engine, pool: pg.Pool): Promise<void> {
  const newestBatch = cluster === null ? 'greatest(max(batch), (select max(batch) from void_batches))' : 'max(batch)';
  const text = `select max(id), ${newestBatch} from events ${using(null)}`;
  const [line = ''] = await engine.lines({ text, parameters: newParameters() });
  const [id = 0, batch = 0] = line.split('\t').map(Number);
  await inTransaction(pool, async (client) => {
    // The lock under which batches take their numbers.
    await client.query('select pg_advisory_xact_lock(7300213)');
    await client.query(`select setval('events_id_seq', $1) from events_id_seq where last_value < $1`, [id]);
    await client.query(`select setval('event_batches_seq', $1) from event_batches_seq where last_value < $1`, [batch]);
  });
}
