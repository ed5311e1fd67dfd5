import * as contract from '@switchyard/contract/black-ips';
import * as entries from '@switchyard/contract/black-list';
import * as imports from '@switchyard/contract/black-list-import';
import { wireDate } from '@switchyard/contract/dates';
import { pageForm } from '@switchyard/contract/envelope';
import type { Feature, RequestContext } from '../../http/bind.ts';
import { Download } from '../../http/streamed-result.ts';
import { addBlackIps, removeBlackIp } from './black-ip-commands.ts';
import { listBlackIpsPage, listServersAt } from './black-ips-store.ts';
import { addBlackListEntries, importBlackList, mergeEntries, removeEntry, type BlackListDeps } from './black-list-commands.ts';
import { toBlackListRow, writeBlackListFile } from './black-list-csv.ts';
import { checkImport } from './check-import.ts';
import { listCoveringRules } from './covering-rules.ts';
import { deleteExpired, listEntriesPage } from './black-list-store.ts';
import { createNetworkProtection } from './protected-lookup.ts';
import { canonicalIp } from '@switchyard/contract/ip-address';
import { networkInterfaces } from 'node:os';

/** Calls on the black list of addresses and networks. */
export function createBlackIps(deps: BlackListDeps): Feature {
  const { db, now, protection } = deps;
  const protectedReason = createNetworkProtection(protection);

  async function warnings(ips: readonly string[], request: RequestContext): Promise<contract.BlackIpWarning[]> {
    const servers = await listServersAt(db, ips);
    const own = new Set(protection.ownAddresses());
    return ips.flatMap((ip): contract.BlackIpWarning[] => [
      ...(own.has(ip) ? [{ ip, kind: 'console' as const, server: null }] : []),
      ...servers.filter((server) => server.ip === ip).map(({ name }) => ({ ip, kind: 'server' as const, server: name })),
      ...(ip === request.ip ? [{ ip, kind: 'reader' as const, server: null }] : []),
      ...(protectedReason(ip) === null ? [] : [{ ip, kind: 'protected' as const, server: null }]),
    ]);
  }

  return {
    bindRoutes(bind) {
      bind(contract.listBlackIps, async ({ query }) => {
        const { rows, total } = await listBlackIpsPage(db, query, now());
        return {
          rows: rows.map((row) => ({ ...row, updated_at: wireDate(row.updated_at) })),
          pagination: pageForm({ total, count: rows.length, limit: query.limit, page: query.page }),
        };
      });
      bind(contract.addBlackIps, async (call) => addBlackIps(deps, call));
      bind(contract.removeBlackIp, async (call) => removeBlackIp(deps, call));
      bind(contract.checkBlackIps, async ({ body, request }) => warnings(body.ips, request));
      bind(entries.listBlackListEntries, async ({ query: { page, limit, ...filters } }) => {
        const { rows, total } = await listEntriesPage(db, { filters, page, limit, now: now() });
        return { rows: rows.map(toBlackListRow), pagination: pageForm({ total, count: rows.length, limit, page }) };
      });
      bind(entries.addBlackListEntries, async (call) => addBlackListEntries(deps, call));
      bind(entries.removeBlackListEntry, async (call) => removeEntry(deps, call.params.ip, call));
      bind(imports.checkBlackListImport, async ({ body, request }) => {
        return { body: await checkImport(deps, body, request.ip) };
      });
      bind(imports.importBlackList, async (call) => importBlackList(deps, call));
      bind(entries.mergeBlackList, async (call) => mergeEntries(deps, call));
      bind(entries.listCoveringRules, async (call) => listCoveringRules(deps, call));
      bind(entries.downloadBlackList, async (call) => {
        return new Download('black-list.csv', async (signal) => writeBlackListFile(deps, call, signal));
      });
    },
    async maintain() {
      await deleteExpired(db, now());
    },
  };
}

/** Addresses of this machine in canonical form, and the host of the console's URL if it is an address. */
export function listOwnAddresses(appUrl: string): string[] {
  const here = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const host = new URL(appUrl).hostname.replace(/^\[|\]$/g, '');
  return [...new Set([...here.map(({ address }) => address), host].flatMap((address) => canonicalIp(address) ?? []))];
}
