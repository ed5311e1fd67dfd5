import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import type { AccountCall, Reader } from '../../http/bind.ts';
import { recordAudit, transaction } from '../../database/transaction.ts';

/** Who exports; `request` is null for a schedule. */
type Exporter = { caller: Pick<Reader, 'account'>; request: AccountCall['request'] | null };
type Exported = { entity: 'activity' | 'app_list' | 'black_ip' | 'incident' | 'report' | 'request'; label?: string | null };

/** Records that a list is exported as a file. Call it before the first byte, so that a failure rejects the call. */
export async function recordExport(db: Kysely<Tables>, { entity, label = null, caller, request }: Exporter & Exported): Promise<void> {
  await transaction(db, async (tx) => recordAudit(tx, { actor: caller.account, entity, action: 'export', id: null, label, request }));
}

/** Records that the traffic of an app is exported, as `recordExport` does. */
export async function recordAppExport(db: Kysely<Tables>, { appId, caller, request }: AccountCall & { appId: number }): Promise<void> {
  await transaction(db, async (tx) => {
    const { rows } = await sql<{ name: string }>`select name from apps where id = ${appId}`.execute(tx);
    const label = rows[0]?.name ?? null;
    return recordAudit(tx, { actor: caller.account, entity: 'app', action: 'export', id: appId, label, appId, request });
  });
}
