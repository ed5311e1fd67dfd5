import * as contract from '@switchyard/contract/asns';
import { pageForm } from '@switchyard/contract/envelope';
import type { BodyOf } from '@switchyard/contract/endpoint';
import type { Databases } from '../../database/connect.ts';
import { notFound } from '../../errors.ts';
import type { AccountCaller, Feature, RequestContext } from '../../http/bind.ts';
import { changesBetween, recordAudit, transaction, unchanged } from '../../database/transaction.ts';
import { findLastChanges } from '../audit/last-changes-lookup.ts';
import { listAsnsPage, lockAsn, setBans } from './asns-store.ts';

type Toggle = { code: number; body: BodyOf<typeof contract.banAsn>; caller: AccountCaller; request: RequestContext };

/** Calls on autonomous systems and their bans. */
export function createAsns({ db }: { db: Databases['db'] }): Feature {
  /** Sets the flags that were sent; of concurrent calls the last one wins, flag by flag. */
  async function ban({ code, body, caller, request }: Toggle): Promise<contract.AsnRow> {
    return transaction(db, async (tx) => {
      const before = await lockAsn(tx, code);
      if (!before) throw notFound();
      const after = {
        ...before,
        is_ban_create: body.isBanCreate ?? before.is_ban_create,
        is_ban_receive: body.isBanReceive ?? before.is_ban_receive,
      };
      const changes = changesBetween(flags(before), flags(after));
      if (changes.length === 0) return unchanged(before);

      await setBans(tx, after);
      const names = { entityId: code, entityLabel: `AS${code} ${before.name}` };
      return recordAudit(tx, { actor: caller.account, entity: 'asn', action: 'update', ...names, request, changes }, after);
    });
  }

  return {
    bindRoutes(bind) {
      bind(contract.listAsns, async ({ query }) => {
        const { rows, total } = await listAsnsPage(db, query);
        return { rows, pagination: pageForm({ total, count: rows.length, limit: query.limit, page: query.page }) };
      });
      bind(contract.banAsn, async ({ params, ...call }) => ban({ code: params.asn, ...call }));
      bind(contract.listAsnChanges, async ({ query: { codes = [] } }) => {
        const changes = await findLastChanges(db, 'asn', codes.map(String));
        return Array.from(changes, ([code, change]) => ({ code: Number(code), ...change })).toSorted((a, b) => a.code - b.code);
      });
    },
  };
}

/** The fields of an audit entry, by their names on the wire. */
function flags({ is_ban_create, is_ban_receive }: contract.AsnRow): Record<string, unknown> {
  return { isBanCreate: is_ban_create, isBanReceive: is_ban_receive };
}
