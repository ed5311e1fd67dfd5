import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Tables } from './tables.ts';
import { existing } from './transaction.ts';

type CountedPage = { rows: readonly { total: number }[]; page: number; found: RawBuilder<unknown> };

/** How many rows a list has, of which a page was read: each row knows it. A page past the last one has no row, so `found`, SQL from `from` on, is counted. */
export async function totalOfPage(db: Kysely<Tables>, { rows: [first], page, found }: CountedPage): Promise<number> {
  if (first !== undefined || page === 1) return first?.total ?? 0;
  const { rows } = await sql<{ total: number }>`select count(*)::int as total ${found}`.execute(db);
  return existing(rows[0]).total;
}
