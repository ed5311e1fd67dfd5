import type { RequestRow } from '@switchyard/contract/requests';
import type { Databases } from '../../database/connect.ts';
import type { StoredRequest } from '../../traffic-store/traffic-store.ts';

const namesQuery = `
  select id as app_id, null as uid, bundle as name from apps where id = any($1::integer[])
  union all
  select app_id, uid, name from streams where uid = any($2::text[])`;

/**
 * Adds the bundle of each request's app and the name its stream has now; a stream uid of another app, or one nobody
 * has told us of, has no name (O32). Deleted streams keep theirs (api [93]). One look-up a page, whatever its size.
 */
export async function nameRequests(pool: Databases['pools']['ui'], requests: readonly StoredRequest[]): Promise<RequestRow[]> {
  if (requests.length === 0) return [];
  const appIds = [...new Set(requests.map((row) => row.app_id))];
  const uids = [...new Set(requests.flatMap((row) => row.stream_uid ?? []))];
  const query = { name: 'names-of-requests', text: namesQuery, values: [appIds, uids] };
  const { rows } = await pool.query<{ app_id: number; uid: string | null; name: string }>(query);
  const bundles = new Map(rows.flatMap((row) => (row.uid === null ? [[row.app_id, row.name] as const] : [])));
  const streams = new Map(rows.flatMap((row) => (row.uid === null ? [] : [[row.uid, row] as const])));

  return requests.map(({ stream_uid: uid, ...row }) => {
    const stream = uid === null ? undefined : streams.get(uid);
    return {
      ...row,
      app_bundle: bundles.get(row.app_id) ?? '',
      stream: uid === null ? null : { uid, name: stream?.app_id === row.app_id ? stream.name : null },
    };
  });
}
