import { isRestartable, linkMessages, type addAppDomain, type removeAppDomain } from '@switchyard/contract/app-domains';
import type { CheckDomain } from '@switchyard/contract/apps';
import { conflict, notFound } from '../../errors.ts';
import type { AccountCall, Call } from '../../http/bind.ts';
import type { SendJob } from '../../jobs/job-queue.ts';
import type { Databases } from '../../database/connect.ts';
import { changesBetween, recordAudit, recordAudits, transaction, type OpenTransaction } from '../../database/transaction.ts';
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
  updateAllReset,
  updateRestarted,
  type LinkedApp,
} from './links-store.ts';

type Deps = { db: Databases['db']; sendJob: SendJob; stageSeconds: number; now: () => Date };

/**
 * Links the app of a saved domain to a server, or restarts the link. The job that does it is sent in the same transaction.
 * The app is locked meanwhile, so of two concurrent calls the second is rejected with 409.
 */
export async function linkApp(
  deps: Deps,
  { body, caller, request }: AccountCall & Pick<Call<typeof addAppDomain>, 'body'>,
): Promise<CheckDomain> {
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
    const changes = changesBetween(before, currentLink ? after : { domain: app.domain, serverId: server.id, ...after });
    const names = { actor: caller.account, entity: 'app_server', id, label: labelOf(app, server.name), appId: app.id, request } as const;
    return recordAudit(tx, { ...names, action: currentLink ? 'restart' : 'link', changes }, toCheckDomain(link));
  });
}

/** Deletes a link and sends the job that removes its domain from the server. */
export async function unlinkApp(
  deps: Deps,
  { params: { id }, caller, request }: AccountCall & Pick<Call<typeof removeAppDomain>, 'params'>,
): Promise<void> {
  await transaction(deps.db, async (tx) => {
    const app = await lockAppOfLink(tx, id, caller.scope);
    if (!app) throw notFound();
    const deletedLink = await deleteLink(tx, id);
    if (!deletedLink) throw notFound();
    rejectArchived(app);
    const { server_id: serverId, server_name: serverName, ticket: run, is_only_cf: onlyCloudflare } = deletedLink;
    await deps.sendJob(tx, removalJob({ linkId: id, run, appId: app.id, serverId, domain: app.domain, onlyCloudflare }));
    const changes = changesBetween({ domain: app.domain, serverId }, { domain: null, serverId: null });
    const names = { actor: caller.account, entity: 'app_server', id, label: labelOf(app, serverName), appId: app.id, request } as const;
    return recordAudit(tx, { ...names, action: 'unlink', changes });
  });
}

/**
 * Makes the servers of a locked app, whose domain was just changed, remove the former domain and start with the new one, whatever
 * they were doing. The jobs are sent in the same transaction, so a link is always about the domain that its app has.
 */
export async function changeLinkedDomain(
  deps: Pick<Deps, 'sendJob' | 'now'>,
  tx: OpenTransaction,
  {
    app: { id: appId, domain },
    formerDomain,
    caller,
    request,
  }: AccountCall & { app: { id: number; domain: string }; formerDomain: string },
): Promise<void> {
  await transaction(tx, async (savepoint) => {
    const links = await updateAllReset(savepoint, appId, deps.now());
    for (const { id, ticket, server_id: serverId, is_only_cf: onlyCloudflare } of links) {
      const removal = { linkId: id, run: ticket, appId, serverId, domain: formerDomain, onlyCloudflare, nextTicket: ticket + 1 };
      await deps.sendJob(savepoint, removalJob(removal));
    }
    const events = links.map(({ id, status, server_name: serverName }) => {
      const changes = changesBetween({ domain: formerDomain, status }, { domain, status: 'add' });
      const label = labelOf({ domain }, serverName);
      return { actor: caller.account, entity: 'app_server', action: 'restart', id, label, appId, request, changes } as const;
    });
    return recordAudits(savepoint, events, undefined);
  });
}

/** Rejects an archived app with 409. Errors of the body's shape come before it, errors of its values after. */
function rejectArchived(app: LinkedApp, validateShape?: () => unknown): void {
  if (app.deleted_at === null) return;
  validateShape?.();
  throw conflict(linkMessages.archived);
}

function labelOf({ domain }: Pick<LinkedApp, 'domain'>, serverName: string): string {
  return `${domain} on ${serverName}`;
}
