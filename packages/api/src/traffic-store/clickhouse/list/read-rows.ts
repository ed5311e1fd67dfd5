import { formatDateTime, formatMicroseconds, type Microseconds } from '@switchyard/contract/dates';
import { TupleParam } from '@clickhouse/client';
import type { ListOrder } from '../../list/slices.ts';
import type { EngineClient } from '../engine-client.ts';
import { positions, parseListed, type UnnamedEvent } from '../../event-fields.ts';
import { newParameters, type Parameters, using } from '../statement.ts';
import type { Projection } from '../schema.ts';
import { startOf } from './hours.ts';

/** Rows to be read: from the events, or their places from a projection in another order and the events by these. */
export type Selection = {
  source: 'events' | Projection;
  conditions: readonly string[];
  /** SQL of the order. */
  order: string;
  limit: number;
  offset?: number;
  /** SQL of a number that is counted at the same moment, and the projection that counts it. */
  count?: { sql: string; projection: Projection };
  parameters: Parameters;
};

/** Rows in their order, and the number that was counted with them; null where there are no rows. */
export type ReadRows = { rows: UnnamedEvent[]; count: number | null };

/** Position of an event by the key of the table. */
export type Place = { at: Microseconds; app_id: number; id: number };
export const placeColumns = 'toUnixTimestamp64Micro(occurred_at) as at, app_id, id';

/** Reads a selection. The second of two statements finds every row of the first, unless its week was dropped between them. */
export async function readRows(engine: EngineClient, selection: Selection): Promise<ReadRows> {
  const { source, conditions, order, limit, offset = 0, count, parameters } = selection;
  const rest = `from events where ${['true', ...conditions].join(' and ')} order by ${order} limit ${Math.trunc(limit)} offset ${Math.trunc(offset)}`;
  if (source === 'events') {
    // A statement without projections would count without them.
    const lines = await engine.lines({
      text: `select (${count?.sql ?? '0'}) as count, row ${rest} ${using(count?.projection ?? null)}`,
      parameters,
    });
    const [first] = lines;
    const at = first === undefined ? 0 : first.indexOf('\t');
    return {
      rows: parseListed(lines.map((line) => line.slice(line.indexOf('\t') + 1))),
      count: first === undefined ? null : Number(first.slice(0, at)),
    };
  }
  const text = `select ${placeColumns}, (${count?.sql ?? '0'}) as count ${rest} ${using(source)}`;
  const places = await engine.rows<Place & { count: number }>({ text, parameters });
  return { rows: await readPlaces(engine, places), count: places[0]?.count ?? null };
}

/** The events at these places, in their order. */
export async function readPlaces(engine: EngineClient, places: readonly Place[]): Promise<UnnamedEvent[]> {
  if (places.length === 0) return [];
  const parameters = newParameters();
  const keys = places.map(({ at, app_id: appId }) => new TupleParam([formatDateTime(startOf(at)), appId, formatMicroseconds(at)]));
  const key = `(toStartOfHour(occurred_at), app_id, occurred_at) in ${parameters.add(keys, `Array(Tuple(DateTime('UTC'), Int32, DateTime64(6, 'UTC')))`)}`;
  const ids = parameters.add(
    places.map(({ id }) => id),
    'Array(UInt64)',
  );
  const lines = await engine.lines({ text: `select row from events where ${key} and id in ${ids} ${using(null)}`, parameters });
  const rowsById = new Map(parseListed(lines).map((row) => [row[positions.id], row]));
  return places.map(({ id }) => rowsById.get(id)).filter((row) => row !== undefined);
}

/**
 * SQL of the order of a list; `ties` in time go the list's way, or newest first. The hour begins the key of the table, so the engine stops
 * reading after the first rows instead of sorting all.
 */
export function orderSql({ order, direction }: ListOrder, ties: 'asc' | 'desc' = direction): string {
  return order === 'arrival' ? `id ${direction}` : `toStartOfHour(occurred_at) ${direction}, occurred_at ${direction}, id ${ties}`;
}
