import { coalesce } from '../../coalesce.ts';
import type { Databases } from '../../database/connect.ts';
import type { ServerCaller } from '../../http/bind.ts';
import { hashOfToken } from './server-mapper.ts';

const serverQuery = `select token_hash, id, name from traffic_servers
  where token_hash = any($1::bytea[]) and ingest_enabled and deleted_at is null`;

/** The traffic server with this token; null for an unknown one and for a server that was deleted or may not deliver. */
export type FindServerByToken = (token: string) => Promise<ServerCaller | null>;

/**
 * Looks up traffic servers on the connections kept for callers, one query for all that ask at once, which begins after
 * they asked, so a changed token counts from the next call on. Only the SHA-256 of a token is stored (api 13).
 */
export function createServerLookup({ pools }: Pick<Databases, 'pools'>): FindServerByToken {
  const lookUp = coalesce(async (hashes: readonly string[]) => {
    const values = [[...new Set(hashes)].map((hash) => Buffer.from(hash, 'hex'))];
    const { rows } = await pools.sessions.query<{ token_hash: Buffer; id: number; name: string }>({
      name: 'servers-by-token',
      text: serverQuery,
      values,
    });
    return new Map(rows.map((row) => [row.token_hash.toString('hex'), row]));
  });
  return async (token) => {
    const hash = hashOfToken(token).toString('hex');
    const row = (await lookUp(hash)).get(hash);
    return row ? { kind: 'traffic-server', serverId: row.id, serverName: row.name } : null;
  };
}
