import type { BlackIpsQuery } from '@switchyard/contract/black-ips';
import { canonicalIp } from '@switchyard/contract/ip-address';
import { sql, type Kysely, type SqlBool } from 'kysely';
import type { Tables } from '../../database/tables.ts';

/** One page of the black list, last changed first, and how many addresses match (api [86]). */
export async function listBlackIpsPage(db: Kysely<Tables>, { search, page, limit }: BlackIpsQuery) {
  const found = search === undefined ? sql<SqlBool>`true` : contains(search);
  const rows = await db
    .selectFrom('black_ips')
    .select(['ip', 'reason', 'updated_at'])
    .where(found)
    .orderBy('updated_at', 'desc')
    .orderBy('ip')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
  const { total } = await db
    .selectFrom('black_ips')
    .select(sql<number>`count(*)`.as('total'))
    .where(found)
    .executeTakeFirstOrThrow();
  return { rows, total };
}

/** A part of the address's text or of the reason, or the address in any spelling; `strpos` knows no wildcards. */
function contains(search: string) {
  const address = canonicalIp(search) ?? search;
  return sql<SqlBool>`(strpos(ip, lower(${search})) > 0 or strpos(lower(reason), lower(${search})) > 0 or ip = ${address})`;
}

/** Traffic servers that have one of these addresses, by id. */
export async function findServersAt(db: Kysely<Tables>, ips: readonly string[]): Promise<{ ip: string; name: string }[]> {
  const { rows } = await sql<{ ip: string; name: string }>`
    select asked.ip, server.name from unnest(${ips}::text[]) as asked(ip)
    join traffic_servers as server on server.ip = asked.ip::inet
    where server.deleted_at is null order by server.id
  `.execute(db);
  return rows;
}
