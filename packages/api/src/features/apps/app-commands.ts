import type * as form from '@switchyard/contract/app-form';
import type * as contract from '@switchyard/contract/apps';
import { appMessages } from '@switchyard/contract/app-rules';
import { wireDate } from '@switchyard/contract/dates';
import { holdsAny } from '@switchyard/contract/permissions';
import type { ReadSecret } from '../../adapters/read-secret.ts';
import type { Databases } from '../../database/connect.ts';
import { changesBetween, existing, recordAudit, transaction, unchanged, type OpenTransaction } from '../../database/transaction.ts';
import { conflict, notFound, stale } from '../../errors.ts';
import type { AccountCall, AccountCaller, Call } from '../../http/bind.ts';
import type { SealSecret } from '../../secret-keys/seal-secret.ts';
import type { TrafficStore } from '@switchyard/traffic-store/traffic-store';
import { toFullApp, toSettings } from './app-mapper.ts';
import { auditFields, newSettings, withSent } from './app-settings.ts';
import {
  insertForCreator,
  findApp,
  insertApp,
  lockApp,
  lockAppWithSettings,
  updateBuyers,
  updateDeletedAt,
  updateApp,
  type StoredApp,
} from './apps-store.ts';
import { type AppCounters, noTraffic } from './counters.ts';
import type { StatisticsCache } from './statistics-cache.ts';
import { findValueErrors, rejectTakenValue } from './validate-app.ts';

export type AppDependencies = {
  db: Databases['db'];
  sealSecret: SealSecret;
  readSecret: ReadSecret;
  trafficStore: Pick<TrafficStore, 'findAppsWithClients'>;
  statistics: StatisticsCache;
  /** Makes the servers of an app follow a change of its domain. */
  changeLinkedDomain: (
    tx: OpenTransaction,
    call: AccountCall & { app: { id: number; domain: string }; formerDomain: string },
  ) => Promise<void>;
  now: () => Date;
};

/** An app in the caller's scope, archived or not. Rejects others with 404. */
export async function getApp(deps: AppDependencies, { params: { id }, caller }: Call<typeof form.getApp>): Promise<form.FullApp> {
  const app = await findApp(deps.db, id, caller.scope);
  if (!app) throw notFound();
  return present(deps, app, await figuresOf(deps, id), caller);
}

/** Creates an app; a creator with a restricted scope sees it from then on. Rejects invalid fields with 422. */
export async function createApp(deps: AppDependencies, { body, caller, request }: Call<typeof form.createApp>): Promise<form.FullApp> {
  const app = await transaction(deps.db, async (tx) => {
    const { fields } = body;
    const after = withSent(newSettings, fields);
    body.validate(await findValueErrors(tx, { fields, after, before: null, mayChangeFixed: true }));

    const now = deps.now();
    const id = await insertApp(tx, { settings: after, sealSecret: deps.sealSecret, now });
    await updateBuyers(tx, { appId: id, before: [], after: after.userIds, now });
    if (caller.scope !== 'all') await insertForCreator(tx, { appId: id, caller, now });
    const changes = changesBetween({}, auditFields(after)).filter(({ to }) => to !== '' && !(Array.isArray(to) && to.length === 0));
    const event = { actor: caller.account, entity: 'app', action: 'create', id, label: after.name, appId: id, request, changes } as const;
    return recordAudit(tx, event, existing(await findApp(tx, id, 'all')));
  }).catch((error: unknown) => rejectTakenValue(error, body.fields));
  return present(deps, app, { hasClients: false, counters: noTraffic() }, caller);
}

/**
 * Changes the fields of an app that the form sent. Rejects, in this order: an app outside the scope with 404, an archived
 * one with 409, a version that `matchesIfMatch` does not allow with 412, invalid values with 422. A call that changes nothing
 * keeps the version.
 */
export async function saveApp(deps: AppDependencies, call: Call<typeof form.saveApp>): Promise<form.FullApp> {
  // Read before the write: if it failed after the commit, the caller would get an error and send the form again.
  const figures = await figuresOf(deps, call.params.id);
  const { isStale, result } = await changeApp(deps, call, async (tx) => existing(await findApp(tx, call.params.id, 'all')));
  const app = present(deps, result, figures, call.caller);
  if (isStale) throw stale(app);
  return app;
}

/** The write of `saveApp`; gives whether the version of the app did not allow the write, and what `read` finds after it. */
export async function changeApp<T>(
  deps: Pick<AppDependencies, 'db' | 'sealSecret' | 'readSecret' | 'changeLinkedDomain' | 'now'>,
  {
    params: { id },
    body,
    caller,
    matchesIfMatch,
    request,
  }: Pick<Call<typeof form.saveApp>, 'params' | 'body' | 'matchesIfMatch'> & AccountCall,
  read: (tx: OpenTransaction) => Promise<T>,
): Promise<{ isStale: boolean; result: T }> {
  return transaction(deps.db, async (tx) => {
    const current = await lockAppWithSettings(tx, { id, scope: caller.scope, setsBuyers: body.fields.userIds !== undefined });
    if (!current) throw notFound();
    if (current.row.deleted_at !== null) throw conflict(appMessages.archived);
    if (!matchesIfMatch(current.row.version)) return unchanged({ isStale: true, result: await read(tx) });
    const before = toSettings(current, deps.readSecret);
    const after = withSent(before, body.fields);
    const mayChangeFixed = holdsAny(caller.account.permissions, ['manager_app_edit_domain_bundle']);
    body.validate(await findValueErrors(tx, { fields: body.fields, after, before: { ...before, id }, mayChangeFixed }));
    const changes = changesBetween(auditFields(before), auditFields(after));
    if (changes.length === 0) return unchanged({ isStale: false, result: await read(tx) });

    const now = deps.now();
    await updateApp(tx, { id, before, settings: after, sealSecret: deps.sealSecret, now });
    await updateBuyers(tx, { appId: id, before: before.userIds, after: after.userIds, now });
    const { domain } = after;
    if (domain !== before.domain) await deps.changeLinkedDomain(tx, { app: { id, domain }, formerDomain: before.domain, caller, request });
    const event = { actor: caller.account, entity: 'app', action: 'update', id, label: after.name, appId: id, request, changes } as const;
    return recordAudit(tx, event, { isStale: false, result: await read(tx) });
  }).catch((error: unknown) => rejectTakenValue(error, body.fields));
}

type ArchiveDependencies = Pick<AppDependencies, 'db' | 'now'>;
type ArchiveCall = AccountCall & Pick<Call<typeof contract.archiveApp | typeof contract.restoreApp>, 'params'>;

/** Archives an app; an archived one stays as it is. Rejects apps outside the scope with 404. */
export async function archiveApp(deps: ArchiveDependencies, call: ArchiveCall): Promise<void> {
  await setArchived(deps, call, true);
}

/** Restores an archived app and gives its version; an active one stays as it is. Rejects apps outside the scope with 404. */
export async function restoreApp(deps: ArchiveDependencies, call: ArchiveCall) {
  return { id: call.params.id, deleted_at: null, version: await setArchived(deps, call, false) };
}

async function setArchived(
  deps: ArchiveDependencies,
  { params: { id }, caller, request }: ArchiveCall,
  archived: boolean,
): Promise<number> {
  return transaction(deps.db, async (tx) => {
    const app = await lockApp(tx, id, caller.scope);
    if (!app) throw notFound();
    if ((app.deleted_at !== null) === archived) return unchanged(app.version);

    const now = deps.now();
    const deletedAt = archived ? now : null;
    const version = await updateDeletedAt(tx, id, deletedAt, now);
    const changes = [{ field: 'deleted_at', from: wireDate(app.deleted_at), to: wireDate(deletedAt) }];
    const names = { actor: caller.account, entity: 'app', id, label: app.name, appId: id, request } as const;
    return recordAudit(tx, { ...names, action: archived ? 'archive' : 'restore', changes }, version);
  });
}

/** The figures of an app from the traffic store. */
type Figures = { hasClients: boolean; counters: AppCounters };

async function figuresOf({ trafficStore, statistics }: AppDependencies, id: number): Promise<Figures> {
  const [withClients, counters] = await Promise.all([
    trafficStore.findAppsWithClients([id]),
    statistics.countByApp([id], { fresh: false }),
  ]);
  return { hasClients: withClients.has(id), counters: counters.get(id) ?? noTraffic() };
}

function present({ readSecret }: AppDependencies, app: StoredApp, figures: Figures, { account }: AccountCaller): form.FullApp {
  return toFullApp(app, { ...figures, seesStatistics: holdsAny(account.permissions, ['manager_app_statistics']), readSecret });
}
