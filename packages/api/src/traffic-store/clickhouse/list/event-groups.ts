import { offsetMinutes } from '@switchyard/contract/dates';
import { dimensionOfGroup, groupFigures, noEventCounts, type SelectedGroups, toEventCounts, typeColumn } from '../../event-groups.ts';
import { isCounted } from '../../event-filter-rules.ts';
import type { EventCounts, EventGroups, GroupKey } from '../../event-store.ts';
import { keyColumn } from '../../group-columns.ts';
import { flag } from '../../event-flags.ts';
import { hour, splitWhole } from '../../time-buckets.ts';
import type { EngineClient } from '../engine-client.ts';
import { allConditions, countedConditions, serverOfRow, where } from '../event-conditions.ts';
import { newParameters, type Parameters, using } from '../statement.ts';
import { hourConditions, projectionFor } from './hours.ts';

/** SQL of the key of a group; `shift` is the server's offset in seconds. */
function keyOf(key: GroupKey, shift: number): string {
  const time = `(toDateTime(at, 'UTC') + ${shift})`;
  if (key === 'day') return `toUInt32(toDate(${time}))`;
  if (key === 'hour') return `toHour(${time})`;
  return key === 'server' ? `if(server = 0, '', toString(server))` : `${dimensionOfGroup[key]}`;
}

/** Matches by group, with how many of them succeeded and are of bots; at most `limit` groups, in no order. */
export async function countGroups(
  engine: EngineClient,
  offset: string,
  { filter, by, typeFigures = [], limit, signal }: EventGroups,
): Promise<EventCounts> {
  const parameters = newParameters();
  const selections = countedByFlags({ filter, by, typeFigures }, offset, parameters);
  if (selections.length === 0) return noEventCounts({ by, typeFigures });
  const shift = (offsetMinutes(offset) ?? 0) * 60;
  const keys = by.map((_, index) => keyColumn(index));
  const succeeds = `bitAnd(flags, ${flag.error | flag.bot}) = 0`;
  const figures: Readonly<Record<(typeof groupFigures)[number], string>> = {
    requests: 'sum(found)',
    successes: `sumIf(found, ${succeeds})`,
    bots: `sumIf(found, bitAnd(flags, ${flag.bot}) != 0)`,
  };
  const columns = [
    ...by.map((key, index) => `${keyOf(key, shift)} as ${keyColumn(index)}`),
    ...groupFigures.map((name) => `${figures[name]} as ${name}`),
    ...typeFigures.map(
      ({ type, succeeded }, index) => `sumIf(found, type = '${type}'${succeeded ? ` and ${succeeds}` : ''}) as ${typeColumn(index)}`,
    ),
  ];
  const names = [...keys, ...groupFigures, ...typeFigures.map((_, index) => typeColumn(index))];
  // One row of arrays: a row for each group takes longer to write and to read.
  const text = `select ${names.map((name) => `groupArray(${name}) as ${name}`).join(', ')} from (
      select ${columns.join(', ')} from (${selections.join(' union all ')})
      ${by.length === 0 ? '' : `group by ${keys.join(', ')}`} having requests > 0 limit ${Math.trunc(limit)})`;
  const [arrays = {}] = await engine.rows<SelectedGroups>({ text, parameters }, signal);
  return toEventCounts(arrays, { by, typeFigures });
}

/** Selections of the counts by dimension, hour (`at`) and flags. Projections count by hours of UTC, which odd offsets cut. */
function countedByFlags(
  { filter, by, typeFigures = [] }: Pick<EventGroups, 'filter' | 'by' | 'typeFigures'>,
  offset: string,
  parameters: Parameters,
): string[] {
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
