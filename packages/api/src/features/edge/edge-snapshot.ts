import { wireDate } from '@switchyard/contract/dates';
import { fullApp } from '@switchyard/contract/app-form';
import type { EdgeApp } from '@switchyard/contract/edge';
import { createHash } from 'node:crypto';
import type { EdgeState, LinkedAppRow } from './edge-read-model.ts';
import { setTimeout as delay } from 'node:timers/promises';

/** A server in a snapshot. */
export type EdgeServer = { id: number; name: string };

/** Parts of a configuration that a server asks for. */
export type EdgeParts = { hasNetworks: boolean };

/** The configurations of all servers at one revision. */
export type EdgeSnapshot = {
  revision: number;
  /** From when on an entry of the black list has expired. */
  validUntil: Date | null;
  /** The server whose token has this SHA-256, in hex. */
  serverOf: (tokenHash: string) => EdgeServer | undefined;
  /** A strong etag that changes exactly when the body does (api [94], RFC 9110 8.8.3). */
  etagOf: (server: EdgeServer, parts: EdgeParts) => string;
  bodyOf: (server: EdgeServer, parts: EdgeParts) => string;
};

/** Creates a snapshot. The shared part is serialised and hashed once, the etag of each server on its first call. */
export function createEdgeSnapshot({ revision, servers, links, blackList, blackNetworks, bans, ...state }: EdgeState): EdgeSnapshot {
  const byToken = new Map(servers.map(({ id, name, token_hash: hash }) => [hash.toString('hex'), { id, name }]));
  const linksByServer = Map.groupBy(links, (link) => link.server_id);
  const codes = {
    create: bans.filter((ban) => ban.is_ban_create).map(({ code }) => code),
    receive: bans.filter((ban) => ban.is_ban_receive).map(({ code }) => code),
  };
  const plain = shared(`"black_list":${JSON.stringify(blackList)},"asns":${JSON.stringify(codes)}`);
  const withNetworks = shared(`${plain.text},"black_networks":${JSON.stringify(blackNetworks)}`);
  const sharedOf = ({ hasNetworks }: EdgeParts) => (hasNetworks ? withNetworks : plain);

  const ownPart = ({ id, name }: EdgeServer): string =>
    `"server":${JSON.stringify({ id, name })},"apps":${JSON.stringify((linksByServer.get(id) ?? []).map(toEdgeApp))}`;

  return {
    revision,
    validUntil: validUntil(state),
    serverOf: (tokenHash) => byToken.get(tokenHash),
    etagOf(server, parts) {
      const { hash, etags } = sharedOf(parts);
      const etag = etags.get(server.id) ?? `"${sha256(`${hash} ${ownPart(server)}`)}"`;
      etags.set(server.id, etag);
      return etag;
    },
    bodyOf: (server, parts) => `{"success":true,"data":{${ownPart(server)},${sharedOf(parts).text}}}`,
  };
}

/** A part that is the same for all servers, with the etags of bodies that have it. */
function shared(text: string) {
  return { text, hash: sha256(text), etags: new Map<number, string>() };
}

/** Entries that expire one after the other are left out together, so that the configurations are read twice a second at most. */
const expiryMilliseconds = 500;

function validUntil({ readAt, nextExpiry }: Pick<EdgeState, 'readAt' | 'nextExpiry'>): Date | null {
  return nextExpiry && new Date(Math.max(nextExpiry.getTime(), readAt.getTime() + expiryMilliseconds));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** Lists the fields one by one, so that no secret column is sent. */
function toEdgeApp(row: LinkedAppRow): EdgeApp {
  return {
    id: row.id,
    name: row.name,
    bundle: row.bundle,
    domain: row.domain,
    vertical: row.vertical,
    link: { id: row.link_id, status: row.status, is_only_cf: row.is_only_cf },
    app_mode: row.app_mode,
    response_mode: row.response_mode,
    response_message: fullApp.shape.response_message.parse(row.response_message),
    proxy_api_url: row.proxy_api_url,
    static_response_path: row.static_response_path,
    proxy_cache_seconds: row.proxy_cache_seconds,
    cloak_mode: row.cloak_mode,
    adspect_cloak: row.adspect_cloak,
    white_user_agent: row.white_user_agent,
    conversion_api_type: row.conversion_api_type,
    keys: { createApfDevKey: row.create_apf_dev_key, firebaseAppId: row.firebase_app_id },
    updated_at: wireDate(row.updated_at),
  };
}

/** Minimum time between the starts of two queries. */
const pauseMilliseconds = 20;

/**
 * Returns a snapshot that is never older than the call: it includes everything committed before, by any process. Concurrent
 * calls are coalesced into at most 50 queries of the revision a second, and the configurations are read again only if the
 * revision has changed or an entry of the black list has expired.
 */
export function createFreshSnapshot(deps: {
  getRevision: () => Promise<number>;
  build: () => Promise<EdgeSnapshot>;
  now: () => Date;
}): () => Promise<EdgeSnapshot> {
  let snapshot: EdgeSnapshot | null = null;
  let running: Promise<EdgeSnapshot> | null = null;
  let next: Promise<EdgeSnapshot> | null = null;
  let lookedAt = -Infinity;

  async function look(): Promise<EdgeSnapshot> {
    const wait = lookedAt + pauseMilliseconds - performance.now();
    if (wait > 0) await delay(wait);
    // Later callers may know of a later change, so they wait for the next query.
    running = next;
    next = null;
    lookedAt = performance.now();
    const revision = await deps.getRevision();
    const isCurrent = snapshot?.revision === revision && (snapshot.validUntil === null || deps.now() < snapshot.validUntil);
    if (snapshot === null || !isCurrent) snapshot = await deps.build();
    return snapshot;
  }

  async function afterRunning(): Promise<EdgeSnapshot> {
    await running?.catch(() => undefined);
    return look();
  }

  return async () => {
    next ??= afterRunning();
    return next;
  };
}
