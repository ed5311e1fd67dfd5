import { offsetMinutes } from '@switchyard/contract/dates';
import {
  dimensionOfGroup,
  figuresOf,
  groupFigures,
  noEventCounts,
  rankColumn,
  type SelectedGroups,
  toEventCounts,
  typeColumn,
  withRest,
} from '../../grouped-counts.ts';
import { isCounted } from '../../event-filter-rules.ts';
import type { EventCounts, EventGroups, FirstGroups, GroupKey, TypeFigure } from '../../event-store.ts';
import { keyColumn } from '../../group-columns.ts';
import { flag } from '../../event-flags.ts';
import { hour, splitWhole } from '../../time-buckets.ts';
import type { EngineClient } from '../engine-client.ts';
import { allConditions, countedConditions, serverOfRow, where } from '../event-conditions.ts';
import { newParameters, type Parameters, using } from '../statement.ts';
import { groupFigureSql, succeeds } from '../schema.ts';
import { hourConditions, projectionFor } from './hours.ts';
import { type LongCounts, longCountsFor } from './long-counts.ts';

/** SQL of the key of a group; `time` is that of the clock of the server's offset. */
function keyOf(key: GroupKey, time: string): string {
  if (key === 'day') return `toUInt32(toDate(${time}))`;
  if (key === 'hour') return `toHour(${time})`;
  return key === 'server' ? `if(server = 0, '', toString(server))` : `${dimensionOfGroup[key]}`;
}

type Asked = Required<Pick<EventGroups, 'filter' | 'by' | 'typeFigures'>>;

/** Matches by group, with how many of them succeeded and are of bots; at most `limit` groups, in no order. */
export async function countGroups(
  engine: EngineClient,
  offset: string,
  { filter, by, typeFigures = [], limit, first: firstGroups, signal }: EventGroups,
): Promise<EventCounts> {
  const parameters = newParameters();
  const selections = selectGroups({ filter, by, typeFigures }, offset, parameters);
  const [selection] = selections;
  if (selection === undefined) return noEventCounts({ by, typeFigures });
  const keys = by.map((_, index) => keyColumn(index));
  const figures = figuresOf(typeFigures);
  const sums = figures.map((name) => `sum(${name}) as ${name}`);
  const groups =
    selections.length === 1
      ? selection
      : `select ${[...keys, ...sums].join(', ')} from (${selections.join(' union all ')}) ${groupBy(keys)}`;
  const counted = `select * from (${groups}) where requests > 0 limit ${Math.trunc(limit)}`;
  if (firstGroups !== undefined) {
    const text = firstOf(counted, { keys, figures }, firstGroups);
    const [row = {}] = await engine.rows<SelectedGroups & SelectedSums>({ text, parameters }, signal);
    return withRest(row, { groups: row.all_groups ?? 0, sumOf: (name) => row[`all_${name}`] ?? 0 }, { by, typeFigures });
  }
  // One row of arrays: a row for each group takes longer to write and to read.
  const text = `select ${[...keys, ...figures].map((name) => `groupArray(${name}) as ${name}`).join(', ')} from (${counted})`;
  const [arrays = {}] = await engine.rows<SelectedGroups>({ text, parameters }, signal);
  return toEventCounts(arrays, { by, typeFigures });
}

/** The number of all groups, and their sums. */
type SelectedSums = { readonly [Name in `all_${ReturnType<typeof figuresOf>[number]}` | 'all_groups']?: number };

/** SQL of the first of the counted groups, those that tie with the last one, and the sums of all. Writing all as JSON takes longest. */
function firstOf(
  counted: string,
  { keys, figures }: { keys: readonly string[]; figures: readonly string[] },
  { by, direction, count }: FirstGroups,
): string {
  const columns = [...keys, ...figures];
  const rank = rankColumn(by);
  const place = Math.trunc(count);
  const [sort, comparison] = direction === 'asc' ? ['arrayPartialSort', '<='] : ['arrayPartialReverseSort', '>='];
  const isFirst = `all_groups < ${place} or ranked ${comparison} last`;
  const sums = ['all_groups', ...figures.map((name) => `all_${name}`)];
  return `select ${columns.map((name) => `arrayFilter((value, ranked) -> ${isFirst}, all.${name}, all.${rank}) as ${name}`).join(', ')}, ${sums.join(', ')}
    from (select *, ${sort}(${place}, all.${rank})[${place}] as last
      from (select ${columns.map((name) => `groupArray(${name}) as ${name}`).join(', ')},
        count() as all_groups, ${figures.map((name) => `sum(counted.${name}) as all_${name}`).join(', ')} from (${counted}) as counted) as all) as all`;
}

function groupBy(keys: readonly string[]): string {
  return keys.length === 0 ? '' : `group by ${keys.join(', ')}`;
}

/** Selections of groups with their figures: days or weeks that are counted as a whole, and the hours beside them. */
function selectGroups(asked: Asked, offset: string, parameters: Parameters): string[] {
  const counts = longCountsFor(asked, offset);
  const { whole, edges } = counts?.split(asked.filter) ?? { whole: null, edges: [asked.filter] };
  const selections = edges.flatMap((range) => countByFlags({ ...asked, filter: { ...asked.filter, ...range } }, offset, parameters));
  return [
    ...(counts === null || whole === null
      ? []
      : [selectLong(counts, { ...asked, filter: { ...asked.filter, from: whole.from, until: whole.until } }, parameters)]),
    ...(selections.length === 0 ? [] : [sumByFlags(selections, asked, offset)]),
  ];
}

/** A projection without flags knows each figure as a column. */
function selectLong(counts: LongCounts, { filter, by }: Asked, parameters: Parameters): string {
  const columns = [
    ...by.map((key, index) => `${keyOf(key, 'occurred_at')} as ${keyColumn(index)}`),
    ...groupFigures.map((name) => `${groupFigureSql[name]} as ${name}`),
    ...counts.typeFigures.map((figure, index) => `${figure} as ${typeColumn(index)}`),
  ];
  const conditions = [...counts.conditions(filter, parameters), ...countedConditions(filter, parameters)];
  return `select ${columns.join(', ')} from events ${where(conditions)}
    ${groupBy(by.map((key) => (key === 'day' ? 'toDate(occurred_at)' : keyOf(key, 'occurred_at'))))} ${using(counts.projection)}`;
}

function typeFigureByFlags({ type, succeeded }: TypeFigure): string {
  return `sumIf(found, type = '${type}'${succeeded ? ` and ${succeeds}` : ''})`;
}

/** Groups of counts by flags; `shift` is the server's offset in seconds. */
function sumByFlags(selections: readonly string[], { by, typeFigures }: Asked, offset: string): string {
  const shift = (offsetMinutes(offset) ?? 0) * 60;
  const figures: Readonly<Record<(typeof groupFigures)[number], string>> = {
    requests: 'sum(found)',
    successes: `sumIf(found, ${succeeds})`,
    bots: `sumIf(found, bitAnd(flags, ${flag.bot}) != 0)`,
  };
  const columns = [
    ...by.map((key, index) => `${keyOf(key, `(toDateTime(at, 'UTC') + ${shift})`)} as ${keyColumn(index)}`),
    ...groupFigures.map((name) => `${figures[name]} as ${name}`),
    ...typeFigures.map((figure, index) => `${typeFigureByFlags(figure)} as ${typeColumn(index)}`),
  ];
  return `select ${columns.join(', ')} from (${selections.join(' union all ')}) ${groupBy(by.map((_, index) => keyColumn(index)))}`;
}

/** Selections of the counts by dimension, hour (`at`) and flags. Projections count by hours of UTC, which odd offsets cut. */
function countByFlags({ filter, by, typeFigures }: Asked, offset: string, parameters: Parameters): string[] {
  const dimensions = [
    ...new Set([...by.flatMap((key) => dimensionOfGroup[key] ?? []), ...(typeFigures.length > 0 ? ['type' as const] : [])]),
  ];
  const isTimed = by.includes('day') || by.includes('hour');
  const isOfServers = by.includes('server');
  const isWhole = isCounted(filter) && !isOfServers && (!isTimed || (offsetMinutes(offset) ?? 0) % 60 === 0);
  const { whole, edges } = isWhole ? splitWhole(filter, hour, '+00:00') : { whole: null, edges: [filter] };
  const countSelection = (conditions: readonly string[], at: string, end: string): string => {
    const key = [...dimensions, 'flags', ...(isTimed ? [at] : []), ...(isOfServers ? ['server'] : [])];
    const columns = [
      ...dimensions,
      'flags',
      ...(isTimed ? [`toUnixTimestamp(${at}) as at`] : []),
      ...(isOfServers ? [`${serverOfRow} as server`] : []),
    ];
    return `select ${columns.join(', ')}, count() as found from events ${where(conditions)} group by ${key.join(', ')} ${end}`;
  };
  return [
    ...(whole === null
      ? []
      : [
          countSelection(
            [...hourConditions(whole, parameters), ...countedConditions(filter, parameters)],
            'toStartOfHour(occurred_at)',
            using(projectionFor(filter, dimensions)),
          ),
        ]),
    ...edges.map((range) =>
      countSelection(allConditions({ ...filter, ...range }, parameters), 'toStartOfFifteenMinutes(occurred_at)', using(null)),
    ),
  ];
}
