import type { BlackIpsQuery } from '@switchyard/contract/black-ips';
import { canonicalIp } from '@switchyard/contract/ip-address';
import { sql, type Kysely } from 'kysely';
import { containsText } from '../../database/sql-conditions.ts';
import type { Tables } from '../../database/tables.ts';
import { wordsOf } from './black-list-store.ts';
import { isPresent } from './present-entries-lookup.ts';

/** One page of the black list, last changed first, and how many addresses match. */
export async function listBlackIpsPage(db: Kysely<Tables>, { search, page, limit }: BlackIpsQuery, now: Date) {
  const matching = search === undefined ? isPresent(now) : sql`${isPresent(now)} and ${contains(search)}`;
  const { rows } = await sql<{ ip: string; reason: string; updated_at: Date }>`
    select ip, reason, updated_at from black_ips where ${matching}
    order by updated_at desc, ip limit ${limit} offset ${(page - 1) * limit}
  `.execute(db);
  const { rows: counts } = await sql<{ total: number }>`select count(*) as total from black_ips where ${matching}`.execute(db);
  return { rows, total: counts[0]?.total ?? 0 };
}

/** A part of the address's text or of the reason, or the address in any spelling. Entries with the text anywhere are found by the index, and may have it in their source alone. */
function contains(search: string) {
  const address = canonicalIp(search) ?? search;
  const isShown = sql`(strpos(ip, lower(${search})) > 0 or strpos(lower(reason), lower(${search})) > 0)`;
  return sql`((${containsText(wordsOf('black_ips'), search)} and ${isShown}) or ip = ${address})`;
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

/** All traffic servers with an address. */
export async function listServers(db: Kysely<Tables>): Promise<{ ip: string; name: string }[]> {
  const { rows } = await sql<{ ip: string; name: string }>`
    select host(ip) as ip, name from traffic_servers where deleted_at is null and ip is not null order by id desc
  `.execute(db);
  return rows;
}
