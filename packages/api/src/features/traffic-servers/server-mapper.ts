import { wireDate } from '@switchyard/contract/dates';
import { shortestToken } from '@switchyard/contract/server-rules';
import type { TrafficServer } from '@switchyard/contract/traffic-servers';
import { createHash } from 'node:crypto';
import type { SecretPlace } from '../../adapters/secret-box.ts';
import type { StoredServer } from './servers-read-model.ts';

/** A server as it leaves the console: of its secrets only whether they are set (AMB-195). */
export function toTrafficServer(stored: StoredServer): TrafficServer {
  return {
    id: stored.id,
    name: stored.name,
    url: stored.url,
    region: stored.region,
    ip: stored.ip,
    token: null,
    mainHash: null,
    hash: null,
    has_token: stored.token_hash !== null,
    has_main_hash: stored.main_hash_sealed !== null,
    has_hash: stored.hash_sealed !== null,
    ingest_enabled: stored.ingest_enabled,
    created_at: wireDate(stored.created_at),
    updated_at: wireDate(stored.updated_at),
    version: stored.version,
  };
}

/** What is stored of a token: its SHA-256, and whether it is long enough to authenticate (api 8). */
export function tokenColumns(token: string): { token_hash: Buffer; ingest_enabled: boolean } {
  return { token_hash: hashOfToken(token), ingest_enabled: token.length >= shortestToken };
}

/** SHA-256 of a token (api 13). */
export function hashOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Where a server's sealed secrets stand (S17). */
export function secretPlaces(id: number): { mainHash: SecretPlace; hash: SecretPlace } {
  const table = 'traffic_servers';
  return { mainHash: { table, column: 'main_hash_sealed', id }, hash: { table, column: 'hash_sealed', id } };
}
