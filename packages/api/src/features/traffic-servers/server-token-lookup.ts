import { minimumTokenLength } from '@switchyard/contract/server-rules';
import type { Databases } from '../../database/connect.ts';
import type { ServerCaller } from '../../http/bind.ts';
import { tokenHash } from '../../secret-keys/secret-token.ts';
import { createCredentialLookup } from '../credentials/credential-lookup.ts';

/** The columns of a token: its SHA-256, and whether it is long enough to authenticate. */
export function tokenColumns(token: string): { token_hash: Buffer; ingest_enabled: boolean } {
  return { token_hash: tokenHash(token), ingest_enabled: token.length >= minimumTokenLength };
}

const serverQuery = `select token_hash, id, name from traffic_servers
  where token_hash = any($1::bytea[]) and ingest_enabled and deleted_at is null`;

/** Looks up traffic servers by token; null for an unknown token and for a server that is deleted or may not deliver. */
export function createServerLookup({ pools }: Pick<Databases, 'pools'>): (token: string) => Promise<ServerCaller | null> {
  const findRow = createCredentialLookup<{ token_hash: Buffer; id: number; name: string }>(pools.sessions, {
    name: 'servers-by-token',
    text: serverQuery,
  });
  return async (token) => {
    const row = await findRow(token);
    return row ? { kind: 'traffic-server', serverId: row.id, serverName: row.name } : null;
  };
}
