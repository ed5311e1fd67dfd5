import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import type { ValueCount } from '../../traffic-store/event-store.ts';

/** A value with its present name. */
type NamedCount = ValueCount & { name: string | null };

/**
 * The autonomous systems with the most events, from how many events each address has. A code as text; '' for addresses of none. An
 * address belongs to the nearest range that contains it.
 */
export async function countByAsn(db: Kysely<Tables>, addresses: readonly ValueCount[], limit: number): Promise<NamedCount[]> {
  if (addresses.length === 0) return [];
  const { rows } = await sql<NamedCount>`
    with counted as (
      select near.code, sum(seen.count)::bigint as count
      from unnest(${addresses.map(({ value }) => value)}::inet[], ${addresses.map(({ count }) => count)}::bigint[]) as seen (ip, count)
      left join lateral (
        select code from (select last, code from asn_prefixes where first <= seen.ip order by first desc, last limit 4) as nearest
        where last >= seen.ip limit 1
      ) as near on true
      group by near.code order by count desc, near.code limit ${limit}
    )
    select coalesce(counted.code::text, '') as value, asns.name, counted.count
    from counted left join asns on asns.code = counted.code order by counted.count desc, counted.code
  `.execute(db);
  return rows;
}
