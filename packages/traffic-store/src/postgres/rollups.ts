import { dayOf, dayRange, formatDateTime, type Microseconds } from '@switchyard/contract/dates';
import type { RequestType } from '@switchyard/contract/requests';
import type pg from 'pg';
import { counterFigures, type CounterFigures } from '../event-counters.ts';
import { countedSets, type Dimension, dimensionsOf, type PartFilter } from '../event-filter-rules.ts';
import { namesOf } from '../event-fields.ts';
import { flag } from '../event-flags.ts';
import type { TypeFigure } from '../event-store.ts';
import { countedUid } from '../list/match-all.ts';
import { inTransaction } from './statements.ts';

/** SQL of the day an event falls in; `offset` is a placeholder of the server's offset. */
function dayOfEvent(offset: string): string {
  return `(occurred_at at time zone 'UTC' + ${offset}::interval)::date`;
}

/** SQL of the start of the hour or quarter a time falls in, by the clock of the server's offset, which may be off by half hours. */
export function startOf(length: '1 hour' | '15 minutes', time: string, offset: string): string {
  return `date_bin('${length}', ${time}, timestamptz 'epoch' - ${offset}::interval)`;
}

/** The columns of an event that roll-ups count by; the placeholder holds the server's offset. */
export function countedColumns(offset: string): string {
  return `id, app_id, type, flags, country, stream_uid, asn, ip, left(lower(client_uid), ${countedUid}) collate "C" as uid,
    flags & ${flag.qa} <> 0 as is_qa, ${dayOfEvent(offset)} as day,
    ${startOf('1 hour', 'occurred_at', offset)} as hour, ${startOf('15 minutes', 'occurred_at', offset)} as quarter`;
}

type FigureSql = { count: string; join: (old: string, more: string) => string };

function sumOf(count: string): FigureSql {
  return { count, join: (old, more) => `${old} + ${more}` };
}

function howMany(figure: keyof typeof conditions): FigureSql {
  return sumOf(`count(*) filter (where ${conditions[figure]})`);
}

function leastOf(value: string): FigureSql {
  return { count: `min(${value})`, join: (old, more) => `least(${old}, ${more})` };
}

function greatestOf(value: string): FigureSql {
  return { count: `max(${value})`, join: (old, more) => `greatest(${old}, ${more})` };
}

/** Success is no error and no bot. */
const succeeds = `flags & ${flag.error | flag.bot} = 0`;

/** Outcomes of events. One may be both a bot's and an error. */
export type Outcome = 'successes' | 'bots' | 'errors';

/** Which events each figure counts. */
const conditions: Readonly<Record<keyof CounterFigures | Outcome, string>> = {
  creates: `type = 'create'`,
  creates_ok: `type = 'create' and ${succeeds}`,
  receives: `type = 'receive'`,
  receives_ok: `type = 'receive' and ${succeeds}`,
  bots: `flags & ${flag.bot} <> 0`,
  bots_ok: `flags & ${flag.error | flag.bot} = ${flag.bot}`,
  successes: succeeds,
  errors: `flags & ${flag.error} <> 0`,
};

/** The figures of roll-ups: how each is counted, and how a new value is merged with the stored one. */
const figures = {
  requests: sumOf('count(*)'),
  first_id: leastOf('id'),
  last_id: greatestOf('id'),
  creates: howMany('creates'),
  creates_ok: howMany('creates_ok'),
  receives: howMany('receives'),
  receives_ok: howMany('receives_ok'),
  successes: howMany('successes'),
  errors: howMany('errors'),
  bots: howMany('bots'),
  bots_ok: howMany('bots_ok'),
  first_ip: leastOf('ip'),
  last_ip: greatestOf('ip'),
  first_uid: leastOf('uid'),
  last_uid: greatestOf('uid'),
  day: greatestOf('day'),
} as const;
type Figure = keyof typeof figures;

const light = ['app_id', 'type', 'flags'] as const;
const ids = ['requests', 'first_id', 'last_id'] as const;
const outcomes = ['requests', 'successes', 'bots'] as const;
/** A roll-up by type also counts errors, which top values list beside the types. */
const outcomesOfTypes = [...outcomes, 'errors'] as const;
const counters = ['requests', 'creates', 'creates_ok', 'receives', 'receives_ok', 'bots', 'bots_ok'] as const;
const rollups = {
  traffic_breakdown: { key: ['day', ...countedSets.breakdown], keeps: ids },
  traffic_hours: { key: ['hour', ...light], keeps: ['requests'] },
  traffic_all_hours: { key: ['hour', 'type'], keeps: outcomesOfTypes },
  traffic_all_quarters: { key: ['quarter', 'type'], keeps: ['requests'] },
  traffic_days: { key: ['day', ...light], keeps: ids },
  traffic_day_types: { key: ['day', 'app_id', 'type'], keeps: [...ids, 'successes', 'bots', 'errors'] },
  traffic_country_days: { key: ['day', 'country', 'type'], keeps: outcomesOfTypes },
  traffic_stream_days: { key: ['day', 'app_id', 'stream_uid'], keeps: outcomes },
  traffic_asn_days: { key: ['day', 'asn', 'app_id', 'type'], keeps: [...ids, 'successes', 'bots', 'errors'] },
  traffic_app_days: { key: ['day', 'app_id'], keeps: [...counters, 'successes', 'first_ip', 'last_ip', 'first_uid', 'last_uid'] },
  traffic_all_days: { key: ['day', 'type'], keeps: [...ids, 'successes', 'bots', 'errors'] },
  traffic_seen: { key: ['app_id', 'country', 'stream_uid'], keeps: ['day'] },
  traffic_totals: { key: ['app_id', 'is_qa'], keeps: counters },
} as const satisfies Record<string, { key: readonly string[]; keeps: readonly Figure[] }>;
export type Rollup = keyof typeof rollups;

/** Roll-ups of each length, coarsest first. */
const byLength = {
  day: ['traffic_all_days', 'traffic_day_types', 'traffic_days', 'traffic_asn_days'],
  hour: ['traffic_all_hours', 'traffic_hours'],
  quarter: ['traffic_all_quarters'],
} as const satisfies Record<string, readonly Rollup[]>;

/** Roll-ups of counts that need no ids. Those of a day end with the finest ones, by all dimensions that are counted together. */
const countsByLength = {
  day: [
    'traffic_all_days',
    'traffic_country_days',
    'traffic_app_days',
    'traffic_day_types',
    'traffic_stream_days',
    'traffic_days',
    'traffic_asn_days',
    'traffic_breakdown',
  ],
  hour: ['traffic_all_hours', 'traffic_hours'],
} as const satisfies Record<string, readonly Rollup[]>;

function countsBy(name: Rollup, columns: readonly string[]): boolean {
  const key: readonly string[] = rollups[name].key;
  return columns.every((column) => key.includes(column));
}

/** Whether no two rows of a source have the same values in these columns. */
export function isUniqueBy(source: Rollup | 'events', columns: readonly string[]): boolean {
  return source !== 'events' && rollups[source].key.every((column) => columns.includes(column));
}

/**
 * The smallest roll-up of a length that counts by all dimensions of a filter and the other needed ones, and the figures of types; undefined
 * if there is none.
 */
export function countsFor(
  length: keyof typeof countsByLength,
  filter: PartFilter,
  { neededDimensions, typeFigures }: { neededDimensions: readonly Dimension[]; typeFigures: readonly TypeFigure[] },
): Rollup | undefined {
  const allNeeded = [...dimensionsOf(filter), ...neededDimensions];
  return countsByLength[length].find(
    (name) =>
      countsBy(name, allNeeded) && typeFigures.every((figure) => countsBy(name, ['type']) || typeFigureOf(name, figure) !== undefined),
  );
}

/** Figures of types. `errors` is none: it counts events of any type with an error. */
const figuresOfTypes: Readonly<Partial<Record<RequestType, { all: Figure; succeeded: Figure }>>> = {
  create: { all: 'creates', succeeded: 'creates_ok' },
  receive: { all: 'receives', succeeded: 'receives_ok' },
};

/** The figure of a roll-up that counts a type without a row for each. */
function typeFigureOf(name: Rollup, { type, succeeded }: TypeFigure): Figure | undefined {
  const keeps: readonly Figure[] = rollups[name].keeps;
  const figure = figuresOfTypes[type]?.[succeeded ? 'succeeded' : 'all'];
  return keeps.find((one) => one === figure);
}

/** SQL of how many events of a row have a type, or succeeded too. */
export function typeFigureIn(source: Rollup | 'events', figure: TypeFigure): string {
  const own = source === 'events' ? undefined : typeFigureOf(source, figure);
  if (own !== undefined) return own;
  const ofAll = figure.succeeded ? outcomeIn(source, 'successes') : source === 'events' ? '1' : 'requests';
  return `case when type = '${figure.type}' then ${ofAll} else 0 end`;
}

/** SQL of how many events of a row had each outcome. */
export function outcomesIn(source: Rollup | 'events', wantedOutcomes: readonly Outcome[]): string[] {
  return wantedOutcomes.map((name) => {
    const outcome = outcomeIn(source, name);
    return outcome === name ? name : `${outcome} as ${name}`;
  });
}

function outcomeIn(source: Rollup | 'events', name: Outcome): string {
  if (source !== 'events' && !countsBy(source, ['flags'])) return name;
  return `case when ${conditions[name]} then ${source === 'events' ? '1' : 'requests'} else 0 end`;
}

/** The coarsest roll-up of a length that counts by all dimensions of a filter and the other needed ones; undefined if there is none. */
export function rollupFor(
  length: keyof typeof byLength,
  filter: PartFilter,
  neededDimensions: readonly Dimension[] = [],
): Rollup | undefined {
  const allNeeded = [...dimensionsOf(filter), ...neededDimensions];
  return byLength[length].find((name) => countsBy(name, allNeeded));
}

/** Roll-ups by day, for dimensions that are counted together. */
export function dayRollupFor(filter: PartFilter, neededDimensions: readonly Dimension[] = []): Rollup {
  return rollupFor('day', filter, neededDimensions) ?? 'traffic_breakdown';
}

/** The roll-ups by day. */
const daily = [
  'traffic_breakdown',
  'traffic_days',
  'traffic_day_types',
  'traffic_country_days',
  'traffic_stream_days',
  'traffic_asn_days',
  'traffic_app_days',
  'traffic_all_days',
  'traffic_seen',
] as const satisfies Rollup[];
/** Those by a shorter time, with its column. */
const timedTables = [
  ['traffic_hours', 'hour'],
  ['traffic_all_hours', 'hour'],
  ['traffic_all_quarters', 'quarter'],
] as const satisfies [Rollup, string][];

/** Nearly all values were seen on this day or later already. Writing only new ones saves most of the writes. */
const isNew = `having not exists (select from traffic_seen as known where known.app_id = counted.app_id and known.country = counted.country
    and known.stream_uid = counted.stream_uid and known.day >= max(counted.day))`;

/**
 * The statement that adds the events of `source` (with `countedColumns`) to a roll-up, in key order so that concurrent batches never
 * deadlock.
 */
export function addToRollup(table: Rollup, source: string): string {
  const { key, keeps }: { key: readonly string[]; keeps: readonly Figure[] } = rollups[table];
  const keys = key.join(', ');
  const joins = keeps.map((name) => `${name} = ${figures[name].join(`${table}.${name}`, `excluded.${name}`)}`);
  return `insert into ${table} (${keys}, ${keeps.join(', ')})
    select ${keys}, ${keeps.map((name) => figures[name].count).join(', ')} from ${source} as counted
    group by ${keys} ${table === 'traffic_seen' ? isNew : ''} order by ${keys}
    on conflict (${keys}) do update set ${joins.join(', ')}`;
}

/**
 * The statement that counts the events of `source` (with `countedColumns`) by their systems instead of as events without one, whose ids
 * stay within the stored ones. In key order, as batches count.
 */
export function moveToSystems(source: string): string {
  const { key, keeps } = rollups.traffic_asn_days;
  const keys = key.join(', ');
  const counts = keeps.map((name) => (name === 'first_id' || name === 'last_id' ? figures[name].count : `sign * ${figures[name].count}`));
  const joins = keeps.map((name) => `${name} = ${figures[name].join(`traffic_asn_days.${name}`, `excluded.${name}`)}`);
  return `insert into traffic_asn_days (${keys}, ${keeps.join(', ')})
    select ${keys}, ${counts.join(', ')} from (
      select day, case sign when 1 then asn else '' end as asn, app_id, type, flags, id, sign
      from ${source} as decided cross join (values (1), (-1)) as sides (sign)
    ) as counted
    group by ${keys}, sign order by ${keys}
    on conflict (${keys}) do update set ${joins.join(', ')}`;
}

/**
 * Deletes the roll-ups before an instant; the day that contains the instant is recounted from the remaining events. All-time totals
 * stay.
 */
export async function forgetCounts(client: pg.ClientBase, until: Microseconds, offset: string): Promise<void> {
  const day = dayOf(until, offset);
  const range = dayRange(day, offset);
  for (const [table, time] of timedTables) await client.query(`delete from ${table} where ${time} < $1`, [instant(range.from)]);
  for (const table of daily) await client.query(`delete from ${table} where day < $1`, [day]);
  if (range.from !== until) await recountDays(client, { offset, only: day });
}

const allTables: readonly Rollup[] = [...daily, ...timedTables.map(([table]) => table)];

/** Recounts days, hours and quarters from the events: all, or only one day; of all roll-ups, or only of some by day. */
export async function recountDays(
  client: pg.ClientBase,
  { offset, only, tables = allTables }: { offset: string; only?: string; tables?: readonly Rollup[] },
): Promise<void> {
  const range = only === undefined ? null : dayRange(only, offset);
  const [from, until] = range === null ? ['-infinity', 'infinity'] : [instant(range.from), instant(range.until)];
  // A batch that commits during the recount would be counted twice or never.
  await client.query(`lock table ${tables.join(', ')} in exclusive mode`);
  for (const [table, time] of timedTables) {
    if (tables.includes(table)) await client.query(`delete from ${table} where ${time} >= $1 and ${time} < $2`, [from, until]);
  }
  for (const table of daily) {
    if (!tables.includes(table)) continue;
    await client.query(`delete from ${table} where $1::date is null or day = $1`, [only ?? null]);
  }
  for (const table of tables) {
    const source = `(select ${countedColumns('$1')} from events where occurred_at >= $2 and occurred_at < $3)`;
    await client.query(addToRollup(table, source), [offset, from, until]);
  }
}

/**
 * Recounts the systems of the days on which they count other events than there are. A version without their roll-up stored some, while
 * the consoles were upgraded one after the other.
 */
export async function recountMissedSystems(pool: pg.Pool, offset: string): Promise<void> {
  const { rows } = await pool.query<{ day: string }>(`
    select day::text as day from (select day, sum(requests) as requests from traffic_all_days group by day) as stored
    full join (select day, sum(requests) as requests from traffic_asn_days group by day) as counted using (day)
    where stored.requests is distinct from counted.requests order by day`);
  for (const { day } of rows) {
    await inTransaction(pool, async (client) => recountDays(client, { offset, only: day, tables: ['traffic_asn_days'] }));
  }
}

/** SQL of the totals that the stored events add up to, by app and tester; the rest of `traffic_totals` are events that were dropped. */
export const storedTotals = `select app_id, flags & ${flag.qa} <> 0 as is_qa, sum(requests)::bigint as requests,
    ${counterFigures.map((name) => `coalesce(sum(requests) filter (where ${conditions[name]}), 0)::bigint as ${name}`).join(', ')}
  from traffic_days group by app_id, flags & ${flag.qa} <> 0`;

/** Deletes all events with everything that was counted from them. */
export async function deleteAll(client: pg.ClientBase): Promise<void> {
  await client.query(`truncate events, request_batches, ${namesOf(rollups).join(', ')}`);
}

function instant(at: Microseconds): string {
  return `${formatDateTime(at)}+00`;
}
