import { getEdgeConfig } from '@switchyard/contract/edge';
import { createHash } from 'node:crypto';
import type { Databases } from '../../database/connect.ts';
import { unauthorized } from '../../errors.ts';
import type { Feature, ServerCaller } from '../../http/bind.ts';
import { getEdgeState, getRevision } from './edge-read-model.ts';
import { createEdgeSnapshot, type EdgeSnapshot, createFreshSnapshot } from './edge-snapshot.ts';

/** The configuration of traffic servers, and their authentication by token (api [94]). */
export type Edge = Feature & { authenticate: (token: string) => Promise<ServerCaller | null> };

/** Creates the call that traffic servers poll for their configuration (decision 15), and their authentication. */
export function createEdge({ db, now }: { db: Databases['db']; now: () => Date }): Edge {
  /** A caller gets the configuration of the snapshot that authenticated it, whatever changes meanwhile. */
  const snapshots = new WeakMap<ServerCaller, EdgeSnapshot>();
  const freshSnapshot = createFreshSnapshot({
    getRevision: async () => getRevision(db),
    build: async () => createEdgeSnapshot(await getEdgeState(db, now())),
    now,
  });

  return {
    async authenticate(token) {
      const snapshot = await freshSnapshot();
      const server = snapshot.serverOf(createHash('sha256').update(token).digest('hex'));
      if (!server) return null;
      const caller: ServerCaller = { kind: 'traffic-server', serverId: server.id, serverName: server.name };
      snapshots.set(caller, snapshot);
      return caller;
    },
    bindRoutes(bind) {
      bind(getEdgeConfig, async ({ caller, query, holds }) => {
        const snapshot = snapshots.get(caller);
        if (!snapshot) throw unauthorized();
        const server = { id: caller.serverId, name: caller.serverName };
        const parts = { hasNetworks: query.networks === true };
        const etag = snapshot.etagOf(server, parts);
        const headers = { etag, 'cache-control': 'private, no-cache' };
        return holds(etag) ? { status: 304, body: '', headers } : { body: snapshot.bodyOf(server, parts), headers };
      });
    },
  };
}
