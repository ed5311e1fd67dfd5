import type { BlackIpsQuery } from '@switchyard/contract/black-ips';
import { canonicalIp } from '@switchyard/contract/ip-address';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import type { OpenTransaction } from '../../database/transaction.ts';

/** One page of the black list, last changed first, and how many addresses match. */
export async function listBlackIpsPage(db: Kysely<Tables>, { search, page, limit }: BlackIpsQuery) {
  const matching = search === undefined ? sql`true` : contains(search);
  const { rows } = await sql<{ ip: string; reason: string; updated_at: Date }>`
    select ip, reason, updated_at from black_ips where ${matching}
    order by updated_at desc, ip limit ${limit} offset ${(page - 1) * limit}
  `.execute(db);
  const { rows: counts } = await sql<{ total: number }>`select count(*) as total from black_ips where ${matching}`.execute(db);
  return { rows, total: counts[0]?.total ?? 0 };
}

/** All addresses that match. */
export async function listMatchingIps(db: Kysely<Tables>, { search }: Pick<BlackIpsQuery, 'search'>): Promise<string[]> {
  const { rows } = await sql<{ ip: string }>`
    select ip from black_ips where ${search === undefined ? sql`true` : contains(search)}
  `.execute(db);
  return rows.map(({ ip }) => ip);
}

/** Reasons of those of the addresses that are on the list, locked in order until the transaction ends. */
export async function lockIps(tx: OpenTransaction, ips: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ ip: string; reason: string }>`
    select ip, reason from black_ips where ip = any(${ips}::text[]) order by ip for update
  `.execute(tx);
  return new Map(rows.map(({ ip, reason }) => [ip, reason]));
}

/** A part of the address's text or of the reason, or the address in any spelling; `strpos` knows no wildcards. */
function contains(search: string) {
  const address = canonicalIp(search) ?? search;
  return sql`(strpos(ip, lower(${search})) > 0 or strpos(lower(reason), lower(${search})) > 0 or ip = ${address})`;
}

/** Traffic servers that have one of these addresses, in order of id. */
export async function listServersAt(db: Kysely<Tables>, ips: readonly string[]): Promise<{ ip: string; name: string }[]> {
  const { rows } = await sql<{ ip: string; name: string }>`
    select asked.ip, server.name from unnest(${ips}::text[]) as asked(ip)
    join traffic_servers as server on server.ip = asked.ip::inet
    where server.deleted_at is null order by server.id
  `.execute(db);
  return rows;
}

/** A written address; `before` is its former reason, null for a new address. */
export type WrittenIp = { ip: string; before: string | null };

/** Adds addresses to the list, or gives known ones the new reason. */
export async function insertIps(
  tx: OpenTransaction,
  { ips, reason, now }: { ips: readonly string[]; reason: string; now: Date },
): Promise<WrittenIp[]> {
  // All calls write in one order, so that two with the same addresses cannot deadlock.
  const sortedIps = ips.toSorted();
  const reasons = await lockIps(tx, sortedIps);
  const { rows } = await sql<{ ip: string; is_new: boolean }>`
    insert into black_ips (ip, reason, created_at, updated_at)
    select ip, ${reason}, ${now}, ${now} from unnest(${sortedIps}::text[]) with ordinality as asked(ip, place) order by place
    on conflict (ip) do update set reason = excluded.reason, updated_at = excluded.updated_at
    returning ip, xmax = 0 as is_new
  `.execute(tx);
  return rows.map(({ ip, is_new: isNew }) => ({ ip, before: isNew ? null : (reasons.get(ip) ?? '') }));
}

/** Removes an address from the list and gives its reason; undefined when it is not on the list. */
export async function deleteIp(tx: OpenTransaction, ip: string): Promise<string | undefined> {
  const { rows } = await sql<{ reason: string }>`delete from black_ips where ip = ${ip} returning reason`.execute(tx);
  return rows[0]?.reason;
}
