import type { Databases } from '../../../database/connect.ts';
import { dimensionOfGroup, groupFigures, noEventCounts, type SelectedGroups, toEventCounts, typeColumn } from '../../event-groups.ts';
import { isCounted } from '../../event-filter-rules.ts';
import type { EventCounts, EventGroups, GroupKey } from '../../event-store.ts';
import { keyColumn } from '../../group-columns.ts';
import { newParameters } from '../event-conditions.ts';
import { isUniqueBy } from '../rollups.ts';
import { type Query, queryUntil, readColumns } from '../statements.ts';
import { type CountedBy, countedParts } from './counted-parts.ts';

/** SQL of the key of a group, by what a row counts; `addOffset` gives a placeholder of the server's offset. */
function keyOf(key: GroupKey, by: CountedBy, addOffset: () => string): string {
  const time = (): string => `((${by === 'event' ? 'occurred_at' : 'hour'} at time zone 'UTC') + ${addOffset()}::interval)`;
  if (key === 'day') return `${by === 'day' ? 'day' : `${time()}::date`} - date '1970-01-01'`;
  if (key === 'hour') return `extract(hour from ${time()})::integer`;
  return key === 'server' ? `coalesce(server_id::text, '')` : `${dimensionOfGroup[key]}`;
}

/** Matches by group, with how many of them succeeded and are of bots; at most `limit` groups, in no order. */
export async function countGroups(
  pools: Pick<Databases['pools'], 'ui' | 'sessions'>,
  offset: string,
  { filter, by, typeFigures = [], limit, signal }: EventGroups,
): Promise<EventCounts> {
  const parameters = newParameters();
  const addOffset = (): string => parameters.add(offset);
  const neededDimensions = by.flatMap((key) => dimensionOfGroup[key] ?? []);
  const parts = countedParts(
    { filter, offset },
    {
      columns: (source) => by.map((key, index) => `${keyOf(key, source, addOffset)} as ${keyColumn(index)}`),
      neededDimensions,
      outcomes: ['successes', 'bots'],
      typeFigures,
      longest: by.includes('server') || !isCounted(filter) ? 'event' : by.includes('hour') ? 'hour' : 'day',
    },
    parameters,
  );
  const [first, ...more] = parts;
  if (first === undefined) return noEventCounts({ by, typeFigures });
  const isGrouped = more.length === 0 && isUniqueBy(first.source, [...neededDimensions, ...(by.includes('day') ? ['day'] : [])]);
  const keys = by.map((_, index) => keyColumn(index));
  const figures = [...groupFigures, ...typeFigures.map((_, index) => typeColumn(index))];
  const sums = figures.map((name) => `sum(${name})::bigint as ${name}`);
  const text = isGrouped
    ? first.text
    : `select ${[...keys, ...sums].join(', ')} from (${parts.map((part) => part.text).join(' union all ')}) as counted
       ${by.length === 0 ? 'having count(*) > 0' : `group by ${keys.join(', ')}`}`;
  const query = { text: `${text} limit ${Math.trunc(limit)}`, values: parameters.values };
  const run = async (statement: Query) => queryUntil<SelectedGroups>(pools, statement, signal);
  return toEventCounts(await readColumns(run, query, [...keys, ...figures]), { by, typeFigures });
}
