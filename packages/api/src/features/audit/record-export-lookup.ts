import type { Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import type { AccountCaller, RequestContext } from '../../http/bind.ts';
import { recordAudit, transaction } from '../../database/transaction.ts';

/**
 * Records that the traffic of an app, or of all apps in the caller's scope, is exported as a file. Call it before the first
 * byte, so that a failure rejects the call.
 */
export async function recordExport(
  db: Kysely<Tables>,
  { appId, caller, request }: { appId: number | null; caller: AccountCaller; request: RequestContext },
): Promise<void> {
  await transaction(db, async (tx) => {
    const common = { actor: caller.account, action: 'export', request } as const;
    if (appId === null) return recordAudit(tx, { ...common, entity: 'request', entityId: null, entityLabel: null });
    const app = await tx.selectFrom('apps').select('name').where('id', '=', appId).executeTakeFirst();
    return recordAudit(tx, { ...common, entity: 'app', entityId: appId, entityLabel: app?.name ?? null, appId });
  });
}
