import type pg from 'pg';
import { positions, type ListedEvent, type UnnamedEvent, withNames } from '../event-fields.ts';

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
      stream_name: names.get(`${appId}/${event[positions.stream_uid]}`) ?? null,
    });
  });
}

/** Bundles by app id, and names by `app id/stream uid`. */
export type Names = { bundles: Map<number, string>; names: Map<string, string> };

/** The names of these apps, and of those of the streams that are theirs. */
export async function readNames(pool: pg.Pool, apps: readonly number[], streams: readonly string[]): Promise<Names> {
  const { rows } = await pool.query<{ app_id: number; uid: string | null; name: string }>({
    name: 'event-names',
    text: `select id as app_id, null as uid, bundle as name from apps where id = any($1::integer[])
      union all select app_id, uid, name from streams where uid = any($2::text[]) and app_id = any($1::integer[])`,
    values: [apps, streams],
  });
  return {
    bundles: new Map(rows.flatMap(({ app_id: appId, uid, name }) => (uid === null ? [[appId, name] as const] : []))),
    names: new Map(rows.flatMap(({ app_id: appId, uid, name }) => (uid === null ? [] : [[`${appId}/${uid}`, name] as const]))),
  };
}
