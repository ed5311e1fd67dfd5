import type { Pools } from '../../console-database.ts';
import {
  dimensionOfGroup,
  figuresOf,
  noEventCounts,
  rankColumn,
  type SelectedGroups,
  toEventCounts,
  withRest,
} from '../../grouped-counts.ts';
import { isCounted } from '../../event-filter-rules.ts';
import type { EventCounts, EventGroups, FirstGroups, GroupKey } from '../../event-store.ts';
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
  pools: Pick<Pools, 'ui' | 'sessions'>,
  offset: string,
  { filter, by, typeFigures = [], limit, first: firstGroups, signal }: EventGroups,
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
  const figures = figuresOf(typeFigures);
  const sums = figures.map((name) => `sum(${name})::bigint as ${name}`);
  const text = isGrouped
    ? first.text
    : `select ${[...keys, ...sums].join(', ')} from (${parts.map((part) => part.text).join(' union all ')}) as counted
       ${by.length === 0 ? 'having count(*) > 0' : `group by ${keys.join(', ')}`}`;
  const limitText = ` limit ${Math.trunc(limit)}`;
  const run = async (statement: Query) => queryUntil<WithTotal>(pools, statement, signal);
  if (firstGroups === undefined) {
    return toEventCounts(await readColumns(run, { text: text + limitText, values: parameters.values }, [...keys, ...figures]), {
      by,
      typeFigures,
    });
  }
  // Putting the rows of a roll-up aside takes longer than reading them again.
  const counted = isGrouped ? `not materialized (${text})` : `materialized (${text}${limitText})`;
  const query = { text: firstOf(counted, { keys, figures, firstGroups }), values: parameters.values };
  return toFirstGroups(await readColumns(run, query, [...keys, ...figures, 'all_groups']), { by, typeFigures });
}

/** The columns of first groups and, in one row without keys, of all: only that one has their number. */
type WithTotal = SelectedGroups & { readonly all_groups?: readonly (number | null)[] };
type Columns = { -readonly [Name in keyof SelectedGroups]: SelectedGroups[Name] };

/**
 * SQL of the first of the counted groups, those that tie with the last one, and the sums of all. Writing all as JSON would take longest. A
 * selection of the first rows with ties would sort all.
 */
function firstOf(
  counted: string,
  { keys, figures, firstGroups }: { keys: readonly string[]; figures: readonly string[]; firstGroups: FirstGroups },
): string {
  const { by, direction, count } = firstGroups;
  const rank = rankColumn(by);
  const isAscending = direction === 'asc';
  const last = `select ${rank} from counted order by ${rank} ${isAscending ? 'asc' : 'desc'} limit 1 offset ${Math.trunc(count) - 1}`;
  const names = [...keys, ...figures].join(', ');
  const sums = [...keys.map(() => 'null'), ...figures.map((name) => `coalesce(sum(${name}), 0)::bigint`)];
  return `with counted as ${counted}
      select ${names}, null::bigint as all_groups from counted where coalesce(${rank} ${isAscending ? '<=' : '>='} (${last}), true)
      union all select ${sums.join(', ')}, count(*) from counted`;
}

/** The first groups and the sums of all, which are the row that has their number. */
function toFirstGroups(columns: WithTotal, { by, typeFigures = [] }: Pick<EventGroups, 'by' | 'typeFigures'>): EventCounts {
  const { all_groups: totals = [] } = columns;
  const at = totals.findIndex((groups) => groups !== null);
  const listed: Columns = {};
  for (const name of by.map((_, index) => keyColumn(index))) listed[name] = columns[name]?.toSpliced(at, 1) ?? [];
  for (const name of figuresOf(typeFigures)) listed[name] = columns[name]?.toSpliced(at, 1) ?? [];
  return withRest(listed, { groups: totals[at] ?? 0, sumOf: (name) => columns[name]?.[at] ?? 0 }, { by, typeFigures });
}
