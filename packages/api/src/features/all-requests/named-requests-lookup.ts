import type { RequestRow } from '@switchyard/contract/requests';
import type { Databases } from '../../database/connect.ts';
import type { StoredRequest } from '../../traffic-store/traffic-store.ts';

/** Both as one JSON text, which is read in one go. */
const namesQuery = `
  select
    (select coalesce(json_object_agg(id, bundle), '{}') from apps where id = any($1::integer[])) as bundles,
    (select coalesce(json_object_agg(uid, json_build_array(app_id, name)), '{}') from streams where uid = any($2::text[])) as streams`;
type Names = { bundles: Record<string, string>; streams: Record<string, [appId: number, name: string]> };

/**
 * Adds the bundle of each request's app and the name its stream has now; a stream uid of another app, or one nobody
 * has told us of, has no name (O32). Deleted streams keep theirs (api [93]). One look-up a page, whatever its size.
 */
export async function nameRequests(pool: Databases['pools']['ui'], requests: readonly StoredRequest[]): Promise<RequestRow[]> {
  if (requests.length === 0) return [];
  const appIds = [...new Set(requests.map((row) => row.app_id))];
  const uids = [...new Set(requests.flatMap((row) => row.stream_uid ?? []))];
  const { rows } = await pool.query<Names>({ name: 'names-of-requests', text: namesQuery, values: [appIds, uids] });
  const bundles = new Map(Object.entries(rows[0]?.bundles ?? {}));
  const streams = new Map(Object.entries(rows[0]?.streams ?? {}));

  return requests.map(({ stream_uid: uid, ...row }) => {
    const [streamApp, name] = (uid === null ? undefined : streams.get(uid)) ?? [];
    return {
      ...row,
      app_bundle: bundles.get(String(row.app_id)) ?? '',
      stream: uid === null ? null : { uid, name: streamApp === row.app_id ? (name ?? null) : null },
    };
  });
}
