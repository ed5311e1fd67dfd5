import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import type { OpenTransaction } from '../../database/transaction.ts';

/** What became of one address; `before` is its former reason, null for a new one. */
export type WrittenIp = { ip: string; before: string | null };

/** Runs a write in one transaction. */
export async function inTransaction<T>(db: Kysely<Tables>, write: (tx: OpenTransaction) => Promise<T>): Promise<T> {
  return db.transaction().execute(write);
}

/** Puts addresses on the list, or gives known ones the new reason; tells what became of each. */
export async function putIps(
  tx: OpenTransaction,
  { ips, reason, now }: { ips: readonly string[]; reason: string; now: Date },
): Promise<WrittenIp[]> {
  // One order for all, so that two calls with the same addresses never wait for each other in a circle.
  const sorted = ips.toSorted();
  const { rows: known } = await sql<{ ip: string; reason: string }>`
    select ip, reason from black_ips where ip = any(${sorted}::text[]) order by ip for update
  `.execute(tx);
  const reasons = new Map(known.map((row) => [row.ip, row.reason]));
  const { rows } = await sql<{ ip: string; is_new: boolean }>`
    insert into black_ips (ip, reason, created_at, updated_at)
    select ip, ${reason}, ${now}, ${now} from unnest(${sorted}::text[]) with ordinality as asked(ip, place) order by place
    on conflict (ip) do update set reason = excluded.reason, updated_at = excluded.updated_at
    returning ip, xmax = 0 as is_new
  `.execute(tx);
  return rows.map(({ ip, is_new: isNew }) => ({ ip, before: isNew ? null : (reasons.get(ip) ?? '') }));
}

/** Takes an address off the list and gives its reason; undefined when it is not on it. */
export async function deleteIp(tx: OpenTransaction, ip: string): Promise<string | undefined> {
  const row = await tx.deleteFrom('black_ips').where('ip', '=', ip).returning('reason').executeTakeFirst();
  return row?.reason;
}
