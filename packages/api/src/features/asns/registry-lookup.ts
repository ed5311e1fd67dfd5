import type { AsnRow } from '@switchyard/contract/asns';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import { nearestRanges } from './asn-ranges.ts';

/**
 * SQL that selects the code of the autonomous system of an address. Ranges may overlap; the one that begins nearest to the address
 * counts, as a router prefers the most specific one.
 */
export function nearestAsn(ip: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select code from (
      select first, last, code from asn_prefixes where first <= ${ip} order by first desc, last, code limit ${sql.lit(nearestRanges)}
    ) as near where last >= ${ip} order by first desc, last, code limit 1`;
}

/** Autonomous systems with their bans by their codes as texts; those that the registry does not have are missing. */
export async function findAsns(db: Kysely<Tables>, codes: readonly string[]): Promise<ReadonlyMap<string, AsnRow>> {
  const known = [...new Set(codes)].filter((code) => code !== '');
  if (known.length === 0) return new Map();
  const { rows } = await sql<AsnRow>`
    select code, domain, name, is_ban_create, is_ban_receive from asns where code = any(${known}::bigint[])
  `.execute(db);
  return new Map(rows.map((asn) => [String(asn.code), asn]));
}

/** Names of autonomous systems by their codes as texts; systems without a name are missing. */
export async function findAsnNames(db: Kysely<Tables>, codes: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const asns = await findAsns(db, codes);
  return new Map([...asns].flatMap(([code, { name }]) => (name === '' ? [] : [[code, name]])));
}

/** The reasons of bans, by code; systems without one are missing. */
export async function findBanReasons(db: Kysely<Tables>, codes: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (codes.length === 0) return new Map();
  const { rows } = await sql<{ code: number; reason: string }>`
    select code, reason from asn_ban_reasons where code = any(${codes}::bigint[])
  `.execute(db);
  return new Map(rows.map(({ code, reason }) => [code, reason]));
}
