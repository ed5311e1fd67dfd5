import type { RequestRow } from '@switchyard/contract/requests';
import type { Databases } from '../../database/connect.ts';
import type { StoredRequest } from '../../traffic-store/traffic-store.ts';
import { bundlesById } from '../apps/apps-lookup.ts';
import { streamNames } from '../streams/streams-lookup.ts';

/**
 * Adds the bundle of each request's app and the name its stream has now; a stream uid of another app, or one nobody
 * has told us of, has no name (O32). Two look-ups a page, whatever its size.
 */
export async function nameRequests(db: Databases['db'], rows: readonly StoredRequest[]): Promise<RequestRow[]> {
  const uids = [...new Set(rows.flatMap((row) => (row.stream_uid === null ? [] : [row.stream_uid])))];
  const [bundles, streams] = await Promise.all([bundlesById(db, [...new Set(rows.map((row) => row.app_id))]), streamNames(db, uids)]);
  return rows.map(({ stream_uid: uid, ...row }) => {
    const stream = uid === null ? undefined : streams.get(uid);
    return {
      ...row,
      app_bundle: bundles.get(row.app_id) ?? '',
      stream: uid === null ? null : { uid, name: stream?.appId === row.app_id ? stream.name : null },
    };
  });
}
