import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Query } from './request-query.ts';
import { type EventPage, type FoundRequest, readEventPage } from './stored-request.ts';

/**
 * Runs a query for a page. Planning over the partitions costs more than reading a page, so statements are kept prepared
 * unless told otherwise. `matches` is what a search says of itself, else 0.
 */
export async function runQuery(
  pool: pg.Pool,
  query: Query,
  { isKept } = { isKept: true },
): Promise<{ rows: FoundRequest[]; matches: number }> {
  const name = isKept ? { name: createHash('sha256').update(query.text).digest('hex').slice(0, 40) } : {};
  const { rows } = await pool.query<EventPage & { matches?: number }>({ ...name, ...query });
  return { rows: rows.flatMap(readEventPage), matches: rows[0]?.matches ?? 0 };
}
