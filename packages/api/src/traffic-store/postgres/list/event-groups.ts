import type pg from 'pg';
import { dimensionOfGroup } from '../../event-groups.ts';
import type { EventGroup, EventGroups, GroupKey } from '../../event-store.ts';
import { newParameters } from '../event-conditions.ts';
import { keptName } from '../statements.ts';
import { type CountedBy, countedParts } from './counted-parts.ts';

/** SQL of the key of a group, by what a row counts; `addOffset` gives a placeholder of the server's offset. */
function keyOf(key: GroupKey, by: CountedBy, addOffset: () => string): string {
  const time = (): string => `((${by === 'event' ? 'occurred_at' : 'hour'} at time zone 'UTC') + ${addOffset()}::interval)`;
  if (key === 'day') return by === 'day' ? 'day::text' : `${time()}::date::text`;
  if (key === 'hour') return `extract(hour from ${time()})::integer::text`;
  return key === 'server' ? `coalesce(server_id::text, '')` : `${dimensionOfGroup[key]}::text`;
}

/** Matches by group, with how many of them succeeded and are of bots; at most `limit` groups, in no order. For filters that roll-ups count. */
export async function countGroups(pool: pg.Pool, offset: string, { filter, by, limit }: EventGroups): Promise<EventGroup[]> {
  if (filter.scope !== 'all' && filter.scope.length === 0) return [];
  const parameters = newParameters();
  const addOffset = (): string => parameters.add(offset);
  const keys = by.map((_, index) => `key_${index}`);
  const parts = countedParts(
    { filter, offset },
    {
      columns: (source) => ['null', ...by.map((key, index) => `${keyOf(key, source, addOffset)} as ${keys[index]}`)].join(', '),
      needed: by.flatMap((key) => dimensionOfGroup[key] ?? []),
      longest: by.includes('server') ? 'event' : by.includes('hour') ? 'hour' : 'day',
      withOutcomes: true,
    },
    parameters,
  );
  if (parts.length === 0) return [];
  const text = `select array[${keys.join(', ')}]::text[] as keys, sum(requests)::bigint as requests, sum(successes)::bigint as successes, sum(bots)::bigint as bots
    from (${parts.join(' union all ')}) as counted ${by.length === 0 ? 'having count(*) > 0' : `group by ${keys.join(', ')}`} limit ${Math.trunc(limit)}`;
  return (await pool.query<EventGroup>({ name: keptName(text), text, values: parameters.values })).rows;
}
