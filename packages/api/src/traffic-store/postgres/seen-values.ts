import type { SeenValues } from '../traffic-store.ts';
import type { Reader } from './snapshot.ts';

/** Days are named so that the index of the key goes to the app's rows of each and passes all others. */
const text = `
select distinct country, stream_uid from traffic_breakdown where app_id = $1 and day = any(
  array(select generate_series((select min(day) from traffic_day_types), (select max(day) from traffic_day_types), interval '1 day')::date))`;

/** Countries and streams of an app's requests, in no order, from the roll-ups. */
export async function findSeenValues(reader: Reader, appId: number): Promise<SeenValues> {
  const { rows } = await reader.query<{ country: string; stream_uid: string }>({ name: 'traffic-seen-values', text, values: [appId] });
  return { countries: known(rows.map((row) => row.country)), streamUids: known(rows.map((row) => row.stream_uid)) };
}

/** What a roll-up keeps as '' is a missing value. */
function known(values: readonly string[]): string[] {
  return [...new Set(values)].filter((value) => value !== '');
}
