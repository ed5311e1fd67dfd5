import * as contract from '@switchyard/contract/asns';
import { pageForm } from '@switchyard/contract/envelope';
import type { Databases } from '../../database/connect.ts';
import type { Feature } from '../../http/bind.ts';
import { findLastChanges } from '../audit/last-changes-lookup.ts';
import { banAsn } from './asn-commands.ts';
import { listAsnsPage } from './asns-store.ts';

/** Calls on autonomous systems and their bans. */
export function createAsns({ db }: { db: Databases['db'] }): Feature {
  return {
    bindRoutes(bind) {
      bind(contract.listAsns, async ({ query }) => {
        const { rows, total } = await listAsnsPage(db, query);
        return { rows, pagination: pageForm({ total, count: rows.length, limit: query.limit, page: query.page }) };
      });
      bind(contract.banAsn, async (call) => banAsn(db, call));
      bind(contract.listAsnChanges, async ({ query: { codes = [] } }) => {
        const changes = await findLastChanges(db, 'asn', codes.map(String));
        return Array.from(changes, ([code, change]) => ({ code: Number(code), ...change })).toSorted((a, b) => a.code - b.code);
      });
    },
  };
}
