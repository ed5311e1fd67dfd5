import { minimumTokenLength } from '@switchyard/contract/server-rules';
import { coalesce } from '../../coalesce.ts';
import type { Databases } from '../../database/connect.ts';
import type { ServerCaller } from '../../http/bind.ts';
import { tokenHash } from '../../secret-token.ts';

/** The columns of a token: its SHA-256, and whether it is long enough to authenticate. */
export function tokenColumns(token: string): { token_hash: Buffer; ingest_enabled: boolean } {
  return { token_hash: tokenHash(token), ingest_enabled: token.length >= minimumTokenLength };
}

const serverQuery = `select token_hash, id, name from traffic_servers
  where token_hash = any($1::bytea[]) and ingest_enabled and deleted_at is null`;

/** The traffic server with this token; null for an unknown token and for a server that is deleted or may not deliver. */
export type FindServerByToken = (token: string) => Promise<ServerCaller | null>;

/**
 * Looks up traffic servers on the connections for callers. Concurrent lookups share a query, which begins after they were
 * asked for, so a changed token counts from the next call on.
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
    const hash = tokenHash(token).toString('hex');
    const row = (await lookUp(hash)).get(hash);
    return row ? { kind: 'traffic-server', serverId: row.id, serverName: row.name } : null;
  };
}
