import { dayOf, dayRange, formatDateTime, type Microseconds } from '@switchyard/contract/dates';
import type pg from 'pg';

/** SQL of the day an event falls in; `offset` is a placeholder of the server's offset. */
function dayOfEvent(offset: string): string {
  return `(occurred_at at time zone 'UTC' + ${offset}::interval)::date`;
}

/** SQL of the start of the hour an event falls in, by the clock of the server's offset, which may be off by half hours. */
function hourOfEvent(offset: string): string {
  return `date_bin('1 hour', occurred_at, timestamptz 'epoch' - ${offset}::interval)`;
}

/** What is counted of an event; the placeholder holds the server's offset. */
export function countedColumns(offset: string): string {
  return `id, app_id, type, flags, country, stream_uid, ${dayOfEvent(offset)} as day, ${hourOfEvent(offset)} as hour`;
}

/** What a roll-up keeps beside its key: how it is counted, and how a new figure joins the one that stands there. */
const figures = {
  requests: { count: 'count(*)', join: (old: string, more: string) => `${old} + ${more}` },
  first_id: { count: 'min(id)', join: (old: string, more: string) => `least(${old}, ${more})` },
  last_id: { count: 'max(id)', join: (old: string, more: string) => `greatest(${old}, ${more})` },
} as const;
type Figure = keyof typeof figures;

const light = ['app_id', 'type', 'flags'] as const;
const rollups = {
  traffic_breakdown: { key: ['day', 'app_id', 'type', 'country', 'stream_uid', 'flags'], keeps: ['requests', 'first_id', 'last_id'] },
  traffic_hours: { key: ['hour', ...light], keeps: ['requests'] },
  traffic_all_hours: { key: ['hour', 'type'], keeps: ['requests'] },
  traffic_days: { key: ['day', ...light], keeps: ['requests', 'first_id', 'last_id'] },
  traffic_day_types: { key: ['day', 'app_id', 'type'], keeps: ['requests', 'first_id', 'last_id'] },
  traffic_all_days: { key: ['day', 'type'], keeps: ['requests', 'first_id', 'last_id'] },
  traffic_totals: { key: light, keeps: ['requests'] },
} as const satisfies Record<string, { key: readonly string[]; keeps: readonly Figure[] }>;
export type Rollup = keyof typeof rollups;

/** The roll-ups by day. */
const daily = ['traffic_breakdown', 'traffic_days', 'traffic_day_types', 'traffic_all_days'] as const satisfies Rollup[];
const hourly = ['traffic_hours', 'traffic_all_hours'] as const satisfies Rollup[];

/**
 * Statement that adds the events of `source` (with `countedColumns`) to a roll-up, in key order so that batches which
 * meet never wait for each other in a circle.
 */
export function addToRollup(table: Rollup, source: string): string {
  const { key, keeps }: { key: readonly string[]; keeps: readonly Figure[] } = rollups[table];
  const keys = key.join(', ');
  const joins = keeps.map((name) => `${name} = ${figures[name].join(`${table}.${name}`, `excluded.${name}`)}`);
  return `insert into ${table} (${keys}, ${keeps.join(', ')})
    select ${keys}, ${keeps.map((name) => figures[name].count).join(', ')} from ${source} group by ${keys} order by ${keys}
    on conflict (${keys}) do update set ${joins.join(', ')}`;
}

/**
 * Removes the roll-ups of what lay before an instant; the day that the instant cuts in two is counted anew from what
 * is left. All-time totals stay.
 */
export async function forgetCounts(client: pg.ClientBase, until: Microseconds, offset: string): Promise<void> {
  const day = dayOf(until, offset);
  const range = dayRange(day, offset);
  for (const table of hourly) await client.query(`delete from ${table} where hour < $1`, [instant(range.from)]);
  for (const table of daily) await client.query(`delete from ${table} where day < $1`, [day]);
  if (range.from !== until) await recountDays(client, { offset, only: day });
}

/** Counts days and their hours anew from the events: all, or only one. */
export async function recountDays(client: pg.ClientBase, { offset, only }: { offset: string; only?: string }): Promise<void> {
  const range = only === undefined ? null : dayRange(only, offset);
  const [from, until] = range === null ? ['-infinity', 'infinity'] : [instant(range.from), instant(range.until)];
  // A batch that commits while we count would be counted twice or never.
  await client.query(`lock table ${[...daily, ...hourly].join(', ')} in exclusive mode`);
  for (const table of hourly) await client.query(`delete from ${table} where hour >= $1 and hour < $2`, [from, until]);
  for (const table of daily) {
    await client.query(`delete from ${table} where $1::date is null or day = $1`, [only ?? null]);
  }
  for (const table of [...daily, ...hourly]) {
    const source = `(select ${countedColumns('$1')} from events where occurred_at >= $2 and occurred_at < $3) as counted`;
    await client.query(addToRollup(table, source), [offset, from, until]);
  }
}

function instant(at: Microseconds): string {
  return `${formatDateTime(at)}+00`;
}
