import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../database/tables.ts';

/** Which of the buyers that somebody named exist: ids that do, and ids by e-mail in lower case. */
export type Buyers = { ids: ReadonlySet<number>; idByEmail: ReadonlyMap<string, number> };

/** Finds buyers, deleted ones left out, by id and by e-mail in lower case, in one query. */
export async function findBuyers(db: Kysely<Tables>, named: { ids: readonly number[]; emails: readonly string[] }): Promise<Buyers> {
  const { rows } = await sql<{ id: number; email: string }>`
    select id, lower(email) as email from accounts
    where panel = 'buyer' and deleted_at is null and (id = any(${named.ids}::bigint[]) or lower(email) = any(${named.emails}::text[]))
  `.execute(db);
  return { ids: new Set(rows.map((row) => row.id)), idByEmail: new Map(rows.map((row) => [row.email, row.id])) };
}
