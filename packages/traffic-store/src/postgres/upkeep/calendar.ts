import type pg from 'pg';
import { inTransaction } from '../statements.ts';

/**
 * Recounts all days of one store if the server's offset is not the one in which they were cut, which `traffic_calendar` holds for
 * each store.
 */
export async function recountOnNewOffset(
  pool: pg.Pool,
  { counts, offset, recount }: { counts: 'events' | 'deliveries'; offset: string; recount: (client: pg.ClientBase) => Promise<void> },
): Promise<void> {
  await inTransaction(pool, async (client) => {
    const storedOffset = await client.query<{ utc_offset: string }>(
      `insert into traffic_calendar (counts, utc_offset) values ($1, $2) on conflict (counts) do update set counts = $1 returning utc_offset`,
      [counts, offset],
    );
    if (storedOffset.rows[0]?.utc_offset === offset) return;
    await recount(client);
    await client.query('update traffic_calendar set utc_offset = $2 where counts = $1', [counts, offset]);
  });
}
