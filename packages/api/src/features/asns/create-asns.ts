import * as contract from '@switchyard/contract/asns';
import { pageForm } from '@switchyard/contract/envelope';
import { holdsAny } from '@switchyard/contract/permissions';
import type { Feature } from '../../http/bind.ts';
import { findLastChanges } from '../history/last-changes-lookup.ts';
import { banAsn, explainAsnBan } from './asn-commands.ts';
import { listAsnsPage } from './asns-store.ts';
import { listAsnTraffic } from './list-asn-traffic.ts';
import { type AsnTrafficDeps, readAsnTraffic } from './read-asn-traffic.ts';
import { type KnownSystemsDeps, readKnownSystems } from './read-known-systems.ts';
import { findBanReasons } from './registry-lookup.ts';

/** Calls on autonomous systems, their bans and their traffic. */
export function createAsns(deps: AsnTrafficDeps & KnownSystemsDeps): Feature {
  const { db } = deps;
  return {
    bindRoutes(bind) {
      bind(contract.listAsns, async ({ query }) => {
        const { rows, total } = await listAsnsPage(db, query);
        return { rows, pagination: pageForm({ total, count: rows.length, limit: query.limit, page: query.page }) };
      });
      bind(
        contract.listAsnTraffic,
        async ({ query, caller }) => {
          const isReader = holdsAny(caller.account.permissions, contract.asnTrafficPermissions);
          const { rows, total } = await listAsnTraffic(deps, { query, scope: isReader ? caller.scope : null });
          return { rows, pagination: pageForm({ total, count: rows.length, limit: query.limit, page: query.page }) };
        },
        { slots: 'scans' },
      );
      bind(contract.banAsn, async (call) => banAsn(db, call));
      bind(contract.explainAsnBan, async (call) => explainAsnBan(db, call));
      bind(contract.getAsnTraffic, async ({ params, caller }) => readAsnTraffic(deps, { code: params.asn, scope: caller.scope }), {
        slots: 'scans',
      });
      bind(contract.getKnownSystems, async () => readKnownSystems(deps));
      bind(contract.listAsnChanges, async ({ query: { codes = [] } }) => {
        const [changes, reasons] = await Promise.all([findLastChanges(db, 'asn', codes.map(String)), findBanReasons(db, codes)]);
        return Array.from(changes, ([text, change]) => ({
          code: Number(text),
          ...change,
          reason: reasons.get(Number(text)) ?? '',
        })).toSorted((a, b) => a.code - b.code);
      });
    },
  };
}
