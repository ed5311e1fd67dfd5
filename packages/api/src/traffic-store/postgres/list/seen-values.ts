import type { SeenValues } from '../../traffic-store.ts';
import type { Reader } from '../snapshot.ts';

/** Countries and streams of an app's requests, in no order, from the roll-ups. */
export async function findSeenValues(reader: Reader, appId: number): Promise<SeenValues> {
  const { rows } = await reader.query<{ country: string; stream_uid: string }>({
    name: 'traffic-seen-values',
    text: 'select country, stream_uid from traffic_seen where app_id = $1',
    values: [appId],
  });
  return { countries: known(rows.map((row) => row.country)), streamUids: known(rows.map((row) => row.stream_uid)) };
}

/** What a roll-up keeps as '' is a missing value. */
function known(values: readonly string[]): string[] {
  return [...new Set(values)].filter((value) => value !== '');
}
