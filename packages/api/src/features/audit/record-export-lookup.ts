import type { Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import type { AccountCaller, RequestContext } from '../../http/bind.ts';
import { recordAudit } from './record-audit-lookup.ts';

/**
 * Writes into the audit trail that traffic leaves the product as a file: an app's, or that of all apps in the caller's
 * scope (api [89]). Belongs before the first byte, where a failure still refuses the file.
 */
export async function recordExport(
  db: Kysely<Tables>,
  { appId, caller, request }: { appId: number | null; caller: AccountCaller; request: RequestContext },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const common = { actor: caller.account, action: 'export', request } as const;
    if (appId === null) return recordAudit(tx, { ...common, entity: 'request', entityId: null, entityLabel: null });
    const app = await tx.selectFrom('apps').select('name').where('id', '=', appId).executeTakeFirst();
    return recordAudit(tx, { ...common, entity: 'app', entityId: appId, entityLabel: app?.name ?? null, appId });
  });
}
