import type { CreateAppBody, FullApp, SaveAppBody } from '@switchyard/contract/app-form';
import { appMessages } from '@switchyard/contract/app-rules';
import { holdsAny } from '@switchyard/contract/permissions';
import type { ReadSecret } from '../../adapters/read-secret.ts';
import type { SecretBox } from '../../adapters/secret-box.ts';
import type { Databases } from '../../database/connect.ts';
import type { OpenTransaction } from '../../database/transaction.ts';
import { conflict, notFound, stale } from '../../errors.ts';
import type { AccountCaller, Draft, RequestContext } from '../../http/bind.ts';
import type { AppScope, TrafficCounters, TrafficStore } from '../../traffic-store/traffic-store.ts';
import { changesBetween, recordAudit } from '../audit/record-audit-lookup.ts';
import { findApp, type StoredApp } from './app-read-model.ts';
import { auditFields, newSettings, withSent } from './app-settings.ts';
import { attachToCreator, insertApp, inTransaction, lockApp, setBuyers, updateApp } from './apps-store.ts';
import { noTraffic } from './counters.ts';
import { toFullApp, toSettings } from './full-app-mapper.ts';
import { asLostRace, findValueErrors } from './judge-app.ts';
import type { StatisticsCache } from './statistics-cache.ts';

type Deps = {
  db: Databases['db'];
  secretBox: Pick<SecretBox, 'seal'>;
  readSecret: ReadSecret;
  trafficStore: Pick<TrafficStore, 'appsWithClients'>;
  statistics: StatisticsCache;
  now: () => Date;
};
type Call = { caller: AccountCaller; request: RequestContext };

/** An app in the caller's scope, archived or not (api [13]). Refuses others with 404. */
export async function getApp(deps: Deps, { id, caller }: { id: number; caller: AccountCaller }): Promise<FullApp> {
  const stored = await findApp(deps.db, id, caller.scope);
  if (!stored) throw notFound();
  return present(deps, stored, await figuresOf(deps, id), caller);
}

/** Creates an app, for a restricted creator among his own (api [12], 0.11). Refuses bad fields with 422. */
export async function createApp(deps: Deps, { body, caller, request }: Call & { body: Draft<CreateAppBody> }): Promise<FullApp> {
  const write = async (tx: OpenTransaction): Promise<StoredApp> => {
    const { fields } = body;
    const drafted = withSent(newSettings, fields);
    body.judge(await findValueErrors(tx, { sent: fields, after: drafted, before: null, mayChangeFixed: true }));
    const now = deps.now();
    const id = await insertApp(tx, { settings: drafted, secretBox: deps.secretBox, now });
    await setBuyers(tx, { appId: id, before: [], after: drafted.userIds, now });
    if (caller.scope !== 'all') await attachToCreator(tx, { appId: id, accountId: caller.account.id, now });
    const changes = changesBetween({}, auditFields(drafted)).filter(({ to }) => to !== '' && !(Array.isArray(to) && to.length === 0));
    const names = { entityId: id, entityLabel: drafted.name, appId: id };
    await recordAudit(tx, { actor: caller.account, entity: 'app', action: 'create', ...names, request, changes });
    return reread(tx, id);
  };
  const stored = await racing(body.fields, () => inTransaction(deps.db, write));
  return present(deps, stored, { hasClients: false, counters: noTraffic() }, caller);
}

/**
 * Changes what the form sent of an app (api [14]). Refuses, in this order: 404 outside the scope, 409 archived, 412 when
 * `mayOverwrite` does not hold of the stored version, 422 for bad values. What changes nothing keeps the version.
 */
export async function saveApp(
  deps: Deps,
  { id, body, caller, mayOverwrite, request }: Call & { id: number; body: Draft<SaveAppBody>; mayOverwrite: (version: number) => boolean },
): Promise<FullApp> {
  const write = async (tx: OpenTransaction): Promise<{ isStale: boolean; stored: StoredApp }> => {
    const stored = await findLockedApp(tx, id, caller.scope);
    if (stored.row.deleted_at !== null) throw conflict(appMessages.archived);
    if (!mayOverwrite(stored.row.version)) return { isStale: true, stored };
    const before = toSettings(stored, deps.readSecret);
    const after = withSent(before, body.fields);
    const mayChangeFixed = holdsAny(caller.account.permissions, ['manager_app_edit_domain_bundle']);
    body.judge(await findValueErrors(tx, { sent: body.fields, after, before: { ...before, id }, mayChangeFixed }));
    const changes = changesBetween(auditFields(before), auditFields(after));
    if (changes.length === 0) return { isStale: false, stored };
    const now = deps.now();
    await updateApp(tx, { id, before, settings: after, secretBox: deps.secretBox, now });
    await setBuyers(tx, { appId: id, before: before.userIds, after: after.userIds, now });
    const names = { entityId: id, entityLabel: after.name, appId: id };
    await recordAudit(tx, { actor: caller.account, entity: 'app', action: 'update', ...names, request, changes });
    return { isStale: false, stored: await reread(tx, id) };
  };
  // Asked before: once a write is kept, nothing more may fail, or a caller told of a busy server would send it again.
  const figures = await figuresOf(deps, id);
  const { isStale, stored } = await racing(body.fields, () => inTransaction(deps.db, write));
  const app = present(deps, stored, figures, caller);
  if (isStale) throw stale(app);
  return app;
}

async function findLockedApp(tx: OpenTransaction, id: number, scope: AppScope): Promise<StoredApp> {
  const locked = await lockApp(tx, id, scope);
  if (!locked) throw notFound();
  return reread(tx, id);
}

async function reread(tx: OpenTransaction, id: number): Promise<StoredApp> {
  const stored = await findApp(tx, id, 'all');
  if (!stored) throw new Error(`App ${id} vanished inside its own transaction`);
  return stored;
}

async function racing<T>(sent: Parameters<typeof asLostRace>[1], run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw asLostRace(error, sent);
  }
}

/** What traffic says of an app. */
type Figures = { hasClients: boolean; counters: TrafficCounters };

async function figuresOf({ trafficStore, statistics }: Deps, id: number): Promise<Figures> {
  const [withClients, counters] = await Promise.all([trafficStore.appsWithClients([id]), statistics.countersByApp([id], { fresh: false })]);
  return { hasClients: withClients.has(id), counters: counters.get(id) ?? noTraffic() };
}

function present({ readSecret }: Deps, stored: StoredApp, figures: Figures, { account }: AccountCaller): FullApp {
  return toFullApp(stored, { ...figures, seesStatistics: holdsAny(account.permissions, ['manager_app_statistics']), readSecret });
}
