import type pg from 'pg';
import type { AppScope } from '@switchyard/contract/app-scope';
import { type StoredEvent, toRequestRows } from '../../event-fields.ts';
import { newParameters, countedConditions } from '../event-conditions.ts';
import { asEventRows, readRows } from '../event-page.ts';

/** The event with an id. The roll-ups name the days whose ids lie around it, so that one week is opened instead of each. */
export async function findEvent(
  pool: pg.Pool,
  offset: string,
  { id: wantedId, scope }: { id: number; scope: AppScope },
): Promise<StoredEvent | null> {
  const parameters = newParameters();
  const id = `${parameters.add(wantedId)}::bigint`;
  const shift = `${parameters.add(offset)}::interval`;
  const conditions = [
    `id = ${id}`,
    `occurred_at >= (held.day::timestamp - ${shift}) at time zone 'UTC'`,
    `occurred_at < (held.day::timestamp + interval '1 day' - ${shift}) at time zone 'UTC'`,
    ...countedConditions({ scope }, parameters),
  ];
  const text = asEventRows(`
    select events.* from (select distinct day from traffic_all_days where ${id} between first_id and last_id) as held
    cross join lateral (select * from events where ${conditions.join(' and ')} offset 0) as events`);
  const rows = await readRows(pool, { text, values: parameters.values });
  return toRequestRows(rows, { origin: true })[0] ?? null;
}

/** The least id of all stored events. */
export async function findOldestId(pool: pg.Pool): Promise<number | null> {
  const { rows } = await pool.query<{ id: number | null }>('select min(first_id) as id from traffic_all_days');
  return rows[0]?.id ?? null;
}
