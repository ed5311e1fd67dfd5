import * as contract from '@switchyard/contract/asns';
import { pageForm } from '@switchyard/contract/envelope';
import type { BodyOf } from '@switchyard/contract/endpoint';
import type { Databases } from '../../database/connect.ts';
import { notFound } from '../../errors.ts';
import type { AccountCaller, Feature, RequestContext } from '../../http/bind.ts';
import { changesBetween, recordAudit } from '../audit/record-audit-lookup.ts';
import { listAsnsPage, listLastChanges } from './asns-read-model.ts';
import { inTransaction, lockAsn, setBans } from './asns-store.ts';

type Toggle = { code: number; body: BodyOf<typeof contract.banAsn>; caller: AccountCaller; request: RequestContext };

/** Autonomous systems and their bans (api [84], [85]). */
export function createAsns({ db }: { db: Databases['db'] }): Feature {
  /** Of two people who toggle at once the last one wins, flag by flag; what changes nothing leaves no entry in the trail. */
  async function ban({ code, body, caller, request }: Toggle): Promise<contract.AsnRow> {
    return inTransaction(db, async (tx) => {
      const before = await lockAsn(tx, code);
      if (!before) throw notFound();
      const after = {
        ...before,
        is_ban_create: body.isBanCreate ?? before.is_ban_create,
        is_ban_receive: body.isBanReceive ?? before.is_ban_receive,
      };
      const changes = changesBetween(flags(before), flags(after));
      if (changes.length === 0) return before;
      await setBans(tx, after);
      const names = { entityId: code, entityLabel: `AS${code} ${before.name}` };
      await recordAudit(tx, { actor: caller.account, entity: 'asn', action: 'update', ...names, request, changes });
      return after;
    });
  }

  return {
    bindRoutes(bind) {
      bind(contract.listAsns, async ({ query }) => {
        const { rows, total } = await listAsnsPage(db, query);
        return { rows, pagination: pageForm({ total, count: rows.length, limit: query.limit, page: query.page }) };
      });
      bind(contract.banAsn, async ({ params, ...call }) => ban({ code: params.asn, ...call }));
      bind(contract.listAsnChanges, async ({ query }) => listLastChanges(db, query.codes ?? []));
    },
  };
}

/** What the audit trail tells, by the names on the wire. */
function flags({ is_ban_create, is_ban_receive }: contract.AsnRow): Record<string, unknown> {
  return { isBanCreate: is_ban_create, isBanReceive: is_ban_receive };
}
