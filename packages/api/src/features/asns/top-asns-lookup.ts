import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import type { ValueCount } from '../../traffic-store/event-store.ts';

/** A value with its present name. */
type NamedCount = ValueCount & { name: string | null };

/**
 * SQL that selects the code of the autonomous system of an address. Ranges may overlap; the one that begins nearest to the address
 * counts, as a router prefers the most specific one.
 */
export function nearestAsn(ip: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select code from (
      select first, last, code from asn_prefixes where first <= ${ip} order by first desc, last limit 4
    ) as near where last >= ${ip} order by first desc, last limit 1`;
}

/**
 * The autonomous systems with the most events, from how many events each address has. A code as text; '' for addresses of none.
 */
export async function countByAsn(db: Kysely<Tables>, addresses: readonly ValueCount[], limit: number): Promise<NamedCount[]> {
  if (addresses.length === 0) return [];
  const { rows } = await sql<NamedCount>`
    with counted as (
      select near.code, sum(seen.count)::bigint as count
      from unnest(${addresses.map(({ value }) => value)}::inet[], ${addresses.map(({ count }) => count)}::bigint[]) as seen (ip, count)
      left join lateral (
        ${nearestAsn(sql`seen.ip`)}
      ) as near on true
      group by near.code order by count desc, near.code limit ${limit}
    )
    select coalesce(counted.code::text, '') as value, asns.name, counted.count
    from counted left join asns on asns.code = counted.code order by counted.count desc, counted.code
  `.execute(db);
  return rows;
}
