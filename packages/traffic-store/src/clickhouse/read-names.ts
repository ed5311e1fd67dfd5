import type pg from 'pg';
import { positions, type ListedEvent, type UnnamedEvent, withNames } from '../event-fields.ts';
import type { EventFilter } from '../event-store.ts';

/**
 * Adds the present bundle of the app and the name of the stream, in one statement a page. An unknown stream, or one of another app, has
 * no name; a deleted one keeps its name.
 */
export async function addNames(pool: pg.Pool, events: readonly UnnamedEvent[]): Promise<ListedEvent[]> {
  if (events.length === 0) return [];
  const apps = [...new Set(events.map((event) => event[positions.app_id]))];
  const streams = [...new Set(events.map((event) => event[positions.stream_uid]))];
  const { bundles, names } = await readNames(pool, apps, streams);
  return events.map((event) => {
    const appId = event[positions.app_id];
    return withNames(event, {
      app_bundle: bundles.get(appId) ?? null,
      stream_name: names.get(streamKey(appId, event[positions.stream_uid])) ?? null,
    });
  });
}

/** Bundles by app id, and names by `streamKey`. */
export type Names = { bundles: Map<number, string>; names: Map<string, string> };

/** The app and the stream as they are written in `row`. */
function streamKey(appId: number, uid: string): string {
  return `${appId}${JSON.stringify(uid)}`;
}

/** The names of these apps, and of those of the streams that are theirs. */
async function readNames(pool: pg.Pool, apps: readonly number[], streams: readonly string[]): Promise<Names> {
  const { rows } = await pool.query<NameRow>({
    name: 'event-names',
    text: `select id as app_id, null as uid, bundle as name from apps where id = any($1::integer[])
      union all select app_id, uid, name from streams where uid = any($2::text[]) and app_id = any($1::integer[])`,
    values: [apps, streams],
  });
  return toNames(rows);
}

/** The names that matches of a filter can have. */
export async function readFilterNames(pool: pg.Pool, { scope, streamUids }: EventFilter): Promise<Names> {
  const { rows } = await pool.query<NameRow>({
    text: `select id as app_id, null as uid, bundle as name from apps where $1::integer[] is null or id = any($1)
      union all select app_id, uid, name from streams
        where ($1::integer[] is null or app_id = any($1)) and ($2::text[] is null or uid = any($2)) order by app_id, uid`,
    values: [scope === 'all' ? null : scope, streamUids ?? null],
  });
  return toNames(rows);
}

/** `uid` is null in the row of an app. */
type NameRow = { app_id: number; uid: string | null; name: string };

function toNames(rows: readonly NameRow[]): Names {
  const names: Names = { bundles: new Map(), names: new Map() };
  for (const { app_id: appId, uid, name } of rows) {
    if (uid === null) names.bundles.set(appId, name);
    else names.names.set(streamKey(appId, uid), name);
  }
  return names;
}
