import { addAppDomain } from '@switchyard/contract/app-domains';
import { saveApp as saveCall } from '@switchyard/contract/app-form';
import { appsTotalQuery, verticalIds } from '@switchyard/contract/apps';
import type { BulkChange } from '@switchyard/contract/bulk';
import type { BodyOf } from '@switchyard/contract/endpoint';
import { numberKeys, numbersOf, parseFilter, type BulkEntity, type LockedRow } from '../../bulk-rows.ts';
import type { Databases } from '../../database/connect.ts';
import { lockAccounts } from '../../database/lock-account.ts';
import { transaction, unaudited, type OpenTransaction } from '../../database/transaction.ts';
import type { AccountCall, Draft } from '../../http/bind.ts';
import { composeDraft } from '../../http/parse-input.ts';
import { common, without } from '../accounts/access-rules-lookup.ts';
import { archiveApp, changeApp, restoreApp, type AppDependencies } from './app-commands.ts';
import { responseMessageOf } from './app-mapper.ts';
import { findAppsFilter, type AppsFilterDependencies } from './find-apps-filter.ts';
import { listMatchingAppIds } from './apps-read-model.ts';
import { lockApps, type BulkApp } from './bulk-apps-store.ts';

/** Commands of other features that change an app. */
export type AppCommands = {
  link: (db: Databases['db'], call: AccountCall & { body: Draft<BodyOf<typeof addAppDomain>> }) => Promise<unknown>;
  unlink: (db: Databases['db'], call: AccountCall & { params: { id: number } }) => Promise<void>;
  staff: {
    /** Locks what changes of the apps of accounts lock first, and gives those of these accounts that see all apps. */
    lock: (tx: OpenTransaction, accountIds: readonly number[]) => Promise<ReadonlySet<number>>;
    change: (db: Databases['db'], call: AccountCall & { id: number; kind: 'add' | 'remove'; appId: number }) => Promise<unknown>;
  };
};

type Deps = AppsFilterDependencies & Pick<AppDependencies, 'sealSecret' | 'readSecret' | 'changeLinkedDomain'> & { commands: AppCommands };

/** Bulk changes of apps: each row is changed by the command of a single app. */
export function createBulkApps(deps: Deps): BulkEntity {
  return {
    name: 'app',
    async listKeys(db, target, caller) {
      const query = parseFilter(appsTotalQuery, target);
      return (await listMatchingAppIds(db, await findAppsFilter(db, deps, { query, caller }))).map(String);
    },
    ...numberKeys,
    async lockRows(tx, { keys, changes, caller: { scope } }) {
      const staffIds = changes.flatMap((change) => (isOfStaff(change) ? change.params.ids : []));
      const withAllApps = staffIds.length === 0 ? new Set<number>() : await deps.commands.staff.lock(tx, staffIds);
      const apps = await lockApps(tx, numbersOf(keys), scope);
      const buyerIds = changes.flatMap((change) => (isOfBuyers(change) ? change.params.ids : []));
      if (buyerIds.length > 0) await lockAccounts(tx, buyerIds);
      return new Map(apps.map((app) => [String(app.id), toLockedRow(deps, app, withAllApps)]));
    },
  };
}

function isOfStaff(change: BulkChange) {
  return change.action === 'app.add_staff' || change.action === 'app.remove_staff';
}

function isOfBuyers(change: BulkChange) {
  return change.action === 'app.add_buyers' || change.action === 'app.remove_buyers';
}

function toLockedRow(deps: Deps, app: BulkApp, withAllApps: ReadonlySet<number>): LockedRow {
  const { id, name, version, links, staff_ids: staffIds } = app;
  return {
    label: name,
    state: [`v${version}`, `links ${links.map((link) => link.id).join()}`, `staff ${staffIds.join()}`].join('; '),
    apply: async (tx, change, call) => applyToApp({ ...deps, db: tx, withAllApps }, { id, app, change, call }),
    inverseOf: (change) => inverseOf(app, change, withAllApps),
  };
}

type Work = { id: number; app: BulkApp; change: BulkChange; call: AccountCall };

async function applyToApp(deps: Deps & { db: OpenTransaction; withAllApps: ReadonlySet<number> }, work: Work): Promise<void> {
  const { id, app, change, call } = work;
  const save = async (fields: BodyOf<typeof saveCall>) =>
    changeApp(
      deps,
      { ...call, params: { id }, body: composeDraft(saveCall.body, fields), matchesIfMatch: () => true },
      async () => undefined,
    );
  switch (change.action) {
    case 'app.archive':
      return archiveApp(deps, { ...call, params: { id } });
    case 'app.restore':
      await restoreApp(deps, { ...call, params: { id } });
      return;
    case 'app.set':
      await save(change.params);
      return;
    case 'app.add_buyers':
      await save({ userIds: [...app.buyer_ids, ...change.params.ids] });
      return;
    case 'app.remove_buyers':
      await save({ userIds: app.buyer_ids.filter((buyer) => !change.params.ids.includes(buyer)) });
      return;
    case 'app.link':
      if (linkTo(app, change.params.serverId)) return;
      await deps.commands.link(deps.db, { ...call, body: composeDraft(addAppDomain.body, { domain: app.domain, ...change.params }) });
      return;
    case 'app.unlink': {
      const link = linkTo(app, change.params.serverId);
      if (link) await deps.commands.unlink(deps.db, { ...call, params: { id: link.id } });
      return;
    }
    case 'app.add_staff':
    case 'app.remove_staff':
      return changeStaff(deps, { ...work, ids: change.params.ids, kind: change.action === 'app.add_staff' ? 'add' : 'remove' });
    default:
      throw new Error(`Bulk run: no change of apps (${change.action})`);
  }
}

/** All of the accounts or none. Adding an app to an account that sees all apps would take the others away. */
async function changeStaff(
  { commands: { staff }, db, withAllApps }: Deps & { db: OpenTransaction; withAllApps: ReadonlySet<number> },
  { app, call, ids, kind }: Work & { ids: readonly number[]; kind: 'add' | 'remove' },
): Promise<void> {
  const isDue = (id: number) =>
    kind === 'add' ? !app.staff_ids.includes(id) && !withAllApps.has(id) : app.staff_ids.includes(id) || withAllApps.has(id);
  await transaction(db, async (tx) => {
    for (const id of ids.filter(isDue)) await staff.change(tx, { ...call, id, kind, appId: app.id });
    return unaudited('each account has its entry', undefined);
  });
}

function linkTo({ links }: BulkApp, serverId: number) {
  return links.find((link) => link.server_id === serverId);
}

function inverseOf(app: BulkApp, change: BulkChange, withAllApps: ReadonlySet<number>): BulkChange | null {
  switch (change.action) {
    case 'app.archive':
      return { action: 'app.restore', params: {} };
    case 'app.restore':
      return { action: 'app.archive', params: {} };
    case 'app.set':
      return { action: 'app.set', params: formerFields(app, change.params) };
    case 'app.link':
      return { action: 'app.unlink', params: { serverId: change.params.serverId } };
    case 'app.unlink': {
      const link = linkTo(app, change.params.serverId);
      return link ? { action: 'app.link', params: { serverId: link.server_id, isOnlyCF: link.is_only_cf } } : null;
    }
    case 'app.add_buyers':
      return { action: 'app.remove_buyers', params: { ids: without(change.params.ids, app.buyer_ids) } };
    case 'app.remove_buyers':
      return { action: 'app.add_buyers', params: { ids: common(change.params.ids, app.buyer_ids) } };
    case 'app.add_staff':
      return { action: 'app.remove_staff', params: { ids: without(change.params.ids, [...app.staff_ids, ...withAllApps]) } };
    case 'app.remove_staff':
      return { action: 'app.add_staff', params: { ids: common(change.params.ids, app.staff_ids) } };
    default:
      return null;
  }
}

type SetParams = Extract<BulkChange, { action: 'app.set' }>['params'];

/** The values that fields had before they were set. */
function formerFields(app: BulkApp, { vertical, proxy_cache_seconds: cache, response_message: responses }: SetParams): SetParams {
  const stored = responseMessageOf(app);
  const codes = Object.fromEntries(
    (['static', 'create', 'receive'] as const).flatMap((entry) =>
      responses?.[entry]?.code === undefined ? [] : [[entry, { code: stored[entry].code }]],
    ),
  );
  const formerVertical = verticalIds.find((known) => known === app.vertical);
  return {
    ...(vertical === undefined || formerVertical === undefined ? {} : { vertical: formerVertical }),
    ...(cache === undefined ? {} : { proxy_cache_seconds: app.proxy_cache_seconds }),
    ...(responses === undefined ? {} : { response_message: codes }),
  };
}
