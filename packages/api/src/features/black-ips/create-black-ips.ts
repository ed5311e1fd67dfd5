import * as contract from '@switchyard/contract/black-ips';
import { wireDate } from '@switchyard/contract/dates';
import { pageForm } from '@switchyard/contract/envelope';
import type { Databases } from '../../database/connect.ts';
import { notFound } from '../../errors.ts';
import type { AccountCaller, Feature, RequestContext } from '../../http/bind.ts';
import { recordAudit, recordAudits, transaction } from '../../database/transaction.ts';
import { deleteIp, findServersAt, listBlackIpsPage, putIps } from './black-ips-store.ts';
import { canonicalIp } from '@switchyard/contract/ip-address';
import { networkInterfaces } from 'node:os';

type Deps = {
  db: Databases['db'];
  now: () => Date;
  /** Addresses of this machine, and of the console if its URL has one. */
  ownAddresses: () => readonly string[];
};
type Call = { caller: AccountCaller; request: RequestContext };

/** Calls on the black list of addresses. */
export function createBlackIps({ db, now, ownAddresses }: Deps): Feature {
  /** Adds all addresses or none; concurrent calls with the same address wait for each other. */
  async function add({ ips, reason, caller, request }: Call & { ips: readonly string[]; reason: string }) {
    return transaction(db, async (tx) => {
      const written = await putIps(tx, { ips, reason, now: now() });
      const created = written.filter(({ before }) => before === null).length;
      return recordAudits(
        tx,
        written.map(({ ip, before }) => ({
          actor: caller.account,
          entity: 'black_ip',
          action: before === null ? 'create' : 'update',
          entityId: ip,
          entityLabel: ip,
          request,
          changes: [{ field: 'reason', from: before, to: reason }],
        })),
        { created, updated: written.length - created },
      );
    });
  }

  async function remove({ ip, caller, request }: Call & { ip: string }): Promise<void> {
    await transaction(db, async (tx) => {
      const reason = await deleteIp(tx, ip);
      if (reason === undefined) throw notFound();
      return recordAudit(tx, {
        actor: caller.account,
        entity: 'black_ip',
        action: 'delete',
        entityId: ip,
        entityLabel: ip,
        request,
        changes: [{ field: 'reason', from: reason, to: null }],
      });
    });
  }

  async function warnings(ips: readonly string[], request: RequestContext): Promise<contract.BlackIpWarning[]> {
    const servers = await findServersAt(db, ips);
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
      bind(contract.addBlackIps, async ({ body, ...call }) => add({ ...body, ...call }));
      bind(contract.removeBlackIp, async ({ params, ...call }) => remove({ ip: params.ip, ...call }));
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
