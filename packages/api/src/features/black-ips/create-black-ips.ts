import * as contract from '@switchyard/contract/black-ips';
import { wireDate } from '@switchyard/contract/dates';
import { pageForm } from '@switchyard/contract/envelope';
import type { Databases } from '../../database/connect.ts';
import type { Feature, RequestContext } from '../../http/bind.ts';
import { addBlackIps, removeBlackIp } from './black-ip-commands.ts';
import { listBlackIpsPage, listServersAt } from './black-ips-store.ts';
import { canonicalIp } from '@switchyard/contract/ip-address';
import { networkInterfaces } from 'node:os';

type Deps = {
  db: Databases['db'];
  now: () => Date;
  /** Addresses of this machine, and of the console if its URL has one. */
  ownAddresses: () => readonly string[];
};

/** Calls on the black list of addresses. */
export function createBlackIps({ db, now, ownAddresses }: Deps): Feature {
  async function warnings(ips: readonly string[], request: RequestContext): Promise<contract.BlackIpWarning[]> {
    const servers = await listServersAt(db, ips);
    const own = new Set(ownAddresses());
    return ips.flatMap((ip): contract.BlackIpWarning[] => [
      ...(own.has(ip) ? [{ ip, kind: 'console' as const, server: null }] : []),
      ...servers.filter((server) => server.ip === ip).map(({ name }) => ({ ip, kind: 'server' as const, server: name })),
      ...(ip === request.ip ? [{ ip, kind: 'reader' as const, server: null }] : []),
    ]);
  }

  return {
    bindRoutes(bind) {
      bind(contract.listBlackIps, async ({ query }) => {
        const { rows, total } = await listBlackIpsPage(db, query);
        return {
          rows: rows.map((row) => ({ ...row, updated_at: wireDate(row.updated_at) })),
          pagination: pageForm({ total, count: rows.length, limit: query.limit, page: query.page }),
        };
      });
      bind(contract.addBlackIps, async (call) => addBlackIps({ db, now }, call));
      bind(contract.removeBlackIp, async (call) => removeBlackIp(db, call));
      bind(contract.checkBlackIps, async ({ body, request }) => warnings(body.ips, request));
    },
  };
}

/** Addresses of this machine in canonical form, and the host of the console's URL if it is an address. */
export function listOwnAddresses(appUrl: string): string[] {
  const here = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const host = new URL(appUrl).hostname.replace(/^\[|\]$/g, '');
  return [...new Set([...here.map(({ address }) => address), host].flatMap((address) => canonicalIp(address) ?? []))];
}
