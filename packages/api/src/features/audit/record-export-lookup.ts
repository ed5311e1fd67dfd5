import type { Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import type { AccountCaller, RequestContext } from '../../http/bind.ts';
import { recordAudit, transaction } from '../../database/transaction.ts';

type Call = { caller: AccountCaller; request: RequestContext };
type Exported = { entity: 'activity' | 'app_list' | 'report' | 'request'; label?: string };

/** Records that a list is exported as a file. Call it before the first byte, so that a failure rejects the call. */
export async function recordExport(db: Kysely<Tables>, { entity, label, caller, request }: Call & Exported): Promise<void> {
  const names = { entityId: null, entityLabel: label ?? null };
  await transaction(db, async (tx) => recordAudit(tx, { actor: caller.account, entity, action: 'export', ...names, request }));
}

/** Records that the traffic of an app is exported, as `recordExport` does. */
export async function recordAppExport(db: Kysely<Tables>, { appId, caller, request }: Call & { appId: number }): Promise<void> {
  await transaction(db, async (tx) => {
    const app = await tx.selectFrom('apps').select('name').where('id', '=', appId).executeTakeFirst();
    const names = { entityId: appId, entityLabel: app?.name ?? null, appId };
    return recordAudit(tx, { actor: caller.account, entity: 'app', action: 'export', ...names, request });
  });
}
