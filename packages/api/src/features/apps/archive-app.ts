import { wireDate } from '@switchyard/contract/dates';
import type { Databases } from '../../database/connect.ts';
import { notFound } from '../../errors.ts';
import type { AccountCaller, RequestContext } from '../../http/bind.ts';
import { recordAudit } from '../audit/record-audit-lookup.ts';
import { inTransaction, lockApp, setDeletedAt } from './apps-store.ts';

type Deps = { db: Databases['db']; now: () => Date };
type Call = { id: number; caller: AccountCaller; request: RequestContext };

/** Archives an app; an archived one stays as it is (api [15], AMB-087). Refuses apps outside the scope with 404. */
export async function archiveApp(deps: Deps, call: Call): Promise<void> {
  await setArchived(deps, call, true);
}

/** Brings an archived app back; an active one stays as it is (api [16], AMB-087). Gives the app's version. */
export async function restoreApp(deps: Deps, call: Call): Promise<{ id: number; deleted_at: null; version: number }> {
  return { id: call.id, deleted_at: null, version: await setArchived(deps, call, false) };
}

async function setArchived(deps: Deps, { id, caller, request }: Call, archived: boolean): Promise<number> {
  return inTransaction(deps.db, async (tx) => {
    const app = await lockApp(tx, id, caller.scope);
    if (!app) throw notFound();
    if ((app.deleted_at !== null) === archived) return app.version;
    const now = deps.now();
    const deletedAt = archived ? now : null;
    const version = await setDeletedAt(tx, id, deletedAt, now);
    await recordAudit(tx, {
      actor: caller.account,
      entity: 'app',
      action: archived ? 'archive' : 'restore',
      entityId: id,
      entityLabel: app.name,
      appId: id,
      request,
      changes: [{ field: 'deleted_at', from: wireDate(app.deleted_at), to: wireDate(deletedAt) }],
    });
    return version;
  });
}
