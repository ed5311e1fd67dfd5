import type { Databases } from '../../database/connect.ts';
import type { ServerCaller } from '../../http/bind.ts';
import { hashOfToken } from './server-mapper.ts';

const serverQuery = 'select id, name from traffic_servers where token_hash = $1 and ingest_enabled and deleted_at is null';

/**
 * The traffic server that shows this token, asked on the connections kept for that, so that many batches at once shut
 * nobody out; null for an unknown one and for a server that was deleted or
 * may not deliver. Only the SHA-256 of a token is stored (api 13).
 */
export async function findServerByToken({ pools }: Pick<Databases, 'pools'>, token: string): Promise<ServerCaller | null> {
  const values = [hashOfToken(token)];
  const { rows } = await pools.sessions.query<{ id: number; name: string }>({ name: 'server-by-token', text: serverQuery, values });
  const [row] = rows;
  return row ? { kind: 'traffic-server', serverId: row.id, serverName: row.name } : null;
}
