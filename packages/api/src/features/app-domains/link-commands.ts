import { isRestartable, linkMessages } from '@switchyard/contract/app-domains';
import type { CheckDomain } from '@switchyard/contract/apps';
import { conflict, notFound } from '../../errors.ts';
import type { AccountCaller, Draft, RequestContext } from '../../http/bind.ts';
import type { SendJob } from '../../jobs/job-queue.ts';
import type { Databases } from '../../database/connect.ts';
import { changesBetween, recordAudit, transaction } from '../../database/transaction.ts';
import { removalJob, stageJob } from './link-jobs.ts';
import { toCheckDomain } from './links-lookup.ts';
import {
  insertLink,
  deleteLink,
  findListedLink,
  lockAppOfDomain,
  lockAppOfLink,
  lockLink,
  lockServer,
  updateRestarted,
  type LinkedApp,
} from './links-store.ts';

type Deps = { db: Databases['db']; sendJob: SendJob; stageSeconds: number; now: () => Date };
type Caller = { caller: AccountCaller; request: RequestContext };
type LinkBody = { domain: string; serverId: number; isOnlyCF: boolean };

/**
 * Links the app of a saved domain to a server, or restarts the link. The job that does it is sent in the same transaction.
 * The app is locked meanwhile, so of two concurrent calls the second is rejected with 409.
 */
export async function linkApp(deps: Deps, { body, caller, request }: Caller & { body: Draft<LinkBody> }): Promise<CheckDomain> {
  return transaction(deps.db, async (tx) => {
    const { domain, serverId } = body.fields;
    const app = domain === undefined ? undefined : await lockAppOfDomain(tx, domain, caller.scope);
    if (app) rejectArchived(app, () => body.validate({}));
    const server = serverId === undefined ? undefined : await lockServer(tx, serverId);
    const { isOnlyCF } = body.validate({
      ...(app ? {} : { domain: linkMessages.unknownDomain }),
      ...(server ? {} : { serverId: linkMessages.unknownServer }),
    });
    if (!app || !server) throw new Error('A body without app or server passed validation');

    const ids = { app_id: app.id, server_id: server.id };
    const currentLink = await lockLink(tx, ids);
    if (currentLink && !isRestartable(currentLink)) throw conflict(linkMessages.running);
    const now = deps.now();
    const start = { is_only_cf: isOnlyCF, next_stage_at: new Date(now.getTime() + deps.stageSeconds * 1000), updated_at: now };
    const { id, ticket } = currentLink ? await updateRestarted(tx, currentLink.id, start) : await insertLink(tx, { ...ids, ...start });
    await deps.sendJob(tx, stageJob({ linkId: id, ticket, run: ticket }, deps.stageSeconds));
    const before = currentLink ? { status: currentLink.status, isOnlyCF: currentLink.is_only_cf } : {};
    const after = { status: 'add', isOnlyCF };
    const link = await findListedLink(tx, { id, app_id: app.id });
    if (!link) throw notFound();
    const event = {
      actor: caller.account,
      entity: 'app_server',
      action: currentLink ? 'restart' : 'link',
      entityId: id,
      entityLabel: labelOf(app, server.name),
      appId: app.id,
      request,
      changes: changesBetween(before, currentLink ? after : { domain: app.domain, serverId: server.id, ...after }),
    } as const;
    return recordAudit(tx, event, toCheckDomain(link));
  });
}

/** Deletes a link and sends the job that removes its domain from the server. */
export async function unlinkApp(deps: Pick<Deps, 'db' | 'sendJob'>, { id, caller, request }: Caller & { id: number }): Promise<void> {
  await transaction(deps.db, async (tx) => {
    const app = await lockAppOfLink(tx, id, caller.scope);
    if (!app) throw notFound();
    const deletedLink = await deleteLink(tx, id);
    if (!deletedLink) throw notFound();
    rejectArchived(app);
    await deps.sendJob(
      tx,
      removalJob({
        linkId: id,
        run: deletedLink.ticket,
        appId: app.id,
        serverId: deletedLink.server_id,
        domain: app.domain,
        onlyCloudflare: deletedLink.is_only_cf,
      }),
    );
    return recordAudit(tx, {
      actor: caller.account,
      entity: 'app_server',
      action: 'unlink',
      entityId: id,
      entityLabel: labelOf(app, deletedLink.server_name),
      appId: app.id,
      request,
      changes: [
        { field: 'domain', from: app.domain, to: null },
        { field: 'serverId', from: deletedLink.server_id, to: null },
      ],
    });
  });
}

/** Rejects an archived app with 409. Errors of the body's shape come before it, errors of its values after. */
function rejectArchived(app: LinkedApp, validateShape?: () => unknown): void {
  if (app.deleted_at === null) return;
  validateShape?.();
  throw conflict(linkMessages.archived);
}

function labelOf({ domain }: LinkedApp, serverName: string): string {
  return `${domain} on ${serverName}`;
}
