import { wireDate } from '@switchyard/contract/dates';
import { pageForm } from '@switchyard/contract/envelope';
import { listPickServers } from '@switchyard/contract/pick-lists';
import * as contract from '@switchyard/contract/traffic-servers';
import { notFound } from '../../errors.ts';
import type { Feature } from '../../http/bind.ts';
import type { AppScope } from '@switchyard/contract/app-scope';
import { bindServerHistory } from './server-history.ts';
import { createServer, deleteServer, saveServer, type ServerDependencies } from './server-commands.ts';
import {
  findServer,
  listActivity,
  listLinksOfServer,
  listServersPage,
  listServersToPick,
  toTrafficServer,
  type StoredServer,
} from './servers-store.ts';

/** Calls on traffic servers. */
export function createTrafficServers(deps: ServerDependencies & { serverOffset: string }): Feature {
  const { db, now } = deps;

  async function existing(id: number): Promise<StoredServer> {
    const server = await findServer(db, id);
    if (!server) throw notFound();
    return server;
  }

  async function dependants(id: number, scope: AppScope): Promise<contract.ServerDependants> {
    await existing(id);
    const links = await listLinksOfServer(db, id, scope);
    const visible = links.filter((link) => link.is_visible);
    return {
      links: visible.map(({ id: linkId, status, app_id, name, domain, deleted_at }) => ({
        id: linkId,
        status,
        app: { id: app_id, name, domain, deleted_at: wireDate(deleted_at) },
      })),
      others: links.length - visible.length,
    };
  }

  return {
    bindRoutes(bind) {
      bind(contract.listServers, async ({ query }) => {
        const { servers, total } = await listServersPage(db, query, now());
        return {
          rows: servers.map(toTrafficServer),
          pagination: pageForm({ total, count: servers.length, limit: query.limit, page: query.page }),
        };
      });
      bind(contract.createServer, async (call) => createServer(deps, call));
      bind(contract.getServer, async ({ params }) => toTrafficServer(await existing(params.id)));
      bind(contract.saveServer, async (call) => saveServer(deps, call));
      bind(contract.deleteServer, async (call) => deleteServer(deps, call));
      bindServerHistory(bind, deps);
      bind(listPickServers, async () => listServersToPick(db));
      bind(contract.listServerActivity, async () => listActivity(db, now()));
      bind(contract.listServerDependants, async ({ params, caller }) => dependants(params.id, caller.scope));
      bind(contract.getServerSecretDates, async ({ params }) => {
        const { token_set_at, main_hash_set_at, hash_set_at } = await existing(params.id);
        return {
          token_set_at: wireDate(token_set_at),
          main_hash_set_at: wireDate(main_hash_set_at),
          hash_set_at: wireDate(hash_set_at),
        };
      });
    },
  };
}
