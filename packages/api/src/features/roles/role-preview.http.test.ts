import { permissionCatalogue, type Permission } from '@switchyard/contract/permissions';
import type { RolePreview } from '@switchyard/contract/roles';
import type { AbleAccount, AbleToken } from '@switchyard/contract/who-can';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { makeApiToken, signInAs, type Account, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import type { Databases } from '../../database/connect.ts';

let databases: Databases;
let api: TestApi;
let admin: SignedIn;
let appIds: number[];

beforeAll(async () => {
  ({ databases } = await createTestDatabase());
  api = await buildTestApi({ databases, startsAt: new Date('2026-11-20T08:00:00Z') });
  admin = await person({ role: 'Super Admin' });
  appIds = [(await createApp(databases)).id, (await createApp(databases)).id];
  return () => api.app.close();
});

const person = async (account: Account = {}): Promise<SignedIn> => signInAs(databases, { since: api.now(), ...account });
const idsOf = (labels: readonly Permission[]) => permissionCatalogue.flatMap(({ id, label }) => (labels.includes(label) ? [id] : []));
const ask = async (role: number | string, labels: readonly Permission[], { headers }: Pick<SignedIn, 'headers'> = admin) =>
  api.call('GET', `/api/roles/${role}/preview?permission_ids=${idsOf(labels).join(',')}`, { headers });
const preview = async (role: number, labels: readonly Permission[], reader?: SignedIn): Promise<RolePreview> =>
  (await ask(role, labels, reader)).body.data;

/** The ids of the accounts and tokens that hold a permission, as Who can lists them to a reader. */
async function holdersOf(permission: Permission, { headers }: SignedIn) {
  const { data } = (await api.call('GET', `/api/roles/who-can?permission=${permission}`, { headers })).body;
  const ids = (rows: (AbleAccount | AbleToken)[]) => rows.map(({ id }) => id);
  return { accounts: new Set<number>(ids(data.accounts)), tokens: new Set<number>(ids(data.tokens)) };
}

const none: ReadonlySet<number> = new Set();
const without = (ids: ReadonlySet<number>, others: ReadonlySet<number>) => new Set([...ids].filter((id) => !others.has(id)));

let roleCount = 0;
async function makeRole(labels: readonly Permission[], panel: 'user' | 'buyer' = 'user'): Promise<number> {
  roleCount += 1;
  const body = { name: `Made ${roleCount}`, panel, permission_ids: idsOf(labels) };
  return (await api.call('POST', '/api/roles', { ...admin, body })).body.data.id;
}

/** An account that holds exactly these roles. */
async function holder(roleIds: readonly number[], account: Account = {}): Promise<SignedIn> {
  const signedIn = await person(account);
  const { db } = databases;
  await db.deleteFrom('account_roles').where('account_id', '=', signedIn.accountId).execute();
  const { panel = 'user' } = account;
  const rows = roleIds.map((role_id) => ({ account_id: signedIn.accountId, role_id, panel }));
  if (rows.length > 0) await db.insertInto('account_roles').values(rows).execute();
  return signedIn;
}

const some = ['manager_app_edit', 'manager_app_requests', 'manager_dev_docs', 'manager_user_edit'] as const;
const permissions = fc.subarray([...some]);
const chosen = fc.subarray([...some], { minLength: 1 });
const apps = fc.constantFrom('all' as const, [0], [1], [0, 1], []);
const people = fc.record({
  roles: fc.subarray([0, 1, 2]),
  apps,
  hasAccess: fc.boolean(),
  token: fc.record({
    kind: fc.constantFrom('personal' as const, 'service' as const),
    permissions,
    apps: fc.constantFrom('all' as const, [0], []),
  }),
});

describe('preview of a role', () => {
  it('[PERMX-009] is the difference of what Who can says before and after the save, to every reader', async () => {
    const appsOf = (places: 'all' | number[]) => (places === 'all' ? 'all' : places.map((at) => appIds[at] ?? 0));
    const restricted = await person({ permissions: ['manager_settings_roles'], apps: appIds.slice(0, 1) });
    const readers = [admin, restricted];
    const shown = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(chosen, chosen, chosen),
        chosen,
        fc.array(people, { minLength: 3, maxLength: 6 }),
        async (sets, wanted, crowd) => {
          const roles: number[] = [];
          for (const set of sets) roles.push(await makeRole(set));
          for (const { roles: places, token, ...account } of crowd) {
            const owner = await holder(
              places.map((at) => roles[at] ?? 0),
              { ...account, apps: appsOf(account.apps) },
            );
            await makeApiToken(databases, { ...token, ownerId: owner.accountId, apps: appsOf(token.apps) });
          }
          const changed = roles[0] ?? 0;
          const previews = await Promise.all(readers.map(async (reader) => preview(changed, wanted, reader)));
          const all = async () =>
            Promise.all(readers.map(async (reader) => Promise.all(some.map(async (label) => holdersOf(label, reader)))));
          const before = await all();
          const { status } = await api.call('PUT', `/api/roles/${changed}`, { ...admin, body: { permission_ids: idsOf(wanted) } });
          expect(status).toBe(200);
          const after = await all();
          for (const [place] of readers.entries())
            for (const [at, label] of some.entries())
              for (const kind of ['accounts', 'tokens'] as const) {
                const [was, is] = [before[place]?.[at]?.[kind] ?? none, after[place]?.[at]?.[kind] ?? none];
                const rows: { id: number; gains: Permission[]; loses: Permission[] }[] = previews[place]?.[kind] ?? [];
                const said = (list: 'gains' | 'loses') => new Set(rows.filter((row) => row[list].includes(label)).map(({ id }) => id));
                expect([said('gains'), said('loses')]).toEqual([without(is, was), without(was, is)]);
                for (const list of ['gains', 'loses'] as const) if (said(list).size > 0) shown.add(`${place} ${kind} ${list}`);
              }
        },
      ),
      // A seed that shows each of the changes below: a dozen random runs may miss one.
      { numRuns: 12, seed: 5 },
    );
    expect(
      ['0 accounts gains', '0 accounts loses', '0 tokens gains', '0 tokens loses', '1 accounts gains'].filter((what) => !shown.has(what)),
    ).toEqual([]);
  });

  it('[PERMX-009] leaves out who keeps a permission by another role, and tokens that were not given it', async () => {
    const [role, other] = [await makeRole(['manager_app_edit', 'manager_dev_docs']), await makeRole(['manager_app_edit'])];
    const [alone, both] = [await holder([role], { hasAccess: false }), await holder([role, other])];
    const narrow = await makeApiToken(databases, { ownerId: alone.accountId, permissions: ['manager_app_requests'] });
    await makeApiToken(databases, { ownerId: alone.accountId, permissions: ['manager_dev_docs'] });
    const { accounts, tokens, is_partial: isPartial } = await preview(role, ['manager_app_requests', 'manager_dev_docs']);
    expect(accounts.map(({ id, gains, loses, obstacle }) => ({ id, gains, loses, obstacle }))).toEqual([
      { id: alone.accountId, gains: ['manager_app_requests'], loses: ['manager_app_edit'], obstacle: 'no_access' },
      { id: both.accountId, gains: ['manager_app_requests'], loses: [], obstacle: null },
    ]);
    expect(tokens).toEqual([
      {
        id: narrow.tokenId,
        name: narrow.name,
        kind: 'personal',
        owner: { id: alone.accountId, name: accounts[0]?.name, panel: 'user' },
        obstacle: 'no_access',
        gains: ['manager_app_requests'],
        loses: [],
      },
    ]);
    expect(isPartial).toBe(false);
    expect(await preview(role, ['manager_app_edit', 'manager_dev_docs'])).toEqual({ accounts: [], tokens: [], is_partial: false });
    expect((await preview(role, [])).accounts.map(({ loses }) => loses)).toEqual([
      ['manager_app_edit', 'manager_dev_docs'],
      ['manager_dev_docs'],
    ]);
  });

  it('[PERMX-034] lists accounts and tokens by name as other lists do', async () => {
    const role = await makeRole(['manager_dev_docs']);
    for (const name of ['Edge 10', 'edge 2', 'École', 'EDGE 2']) {
      const { accountId } = await holder([role]);
      const { tokenId } = await makeApiToken(databases, { ownerId: accountId });
      await databases.db.updateTable('accounts').set({ name }).where('id', '=', accountId).execute();
      await databases.db.updateTable('api_tokens').set({ name }).where('id', '=', tokenId).execute();
    }
    const { accounts, tokens } = await preview(role, []);
    const inOrder = ['École', 'edge 2', 'EDGE 2', 'Edge 10'];
    expect([accounts, tokens].map((rows) => rows.map(({ name }) => name))).toEqual([inOrder, inOrder]);
  });

  it('[PERMX-010] shows restricted readers whom Who can shows them, without a number of the others', async () => {
    const role = await makeRole(['manager_dev_docs']);
    const [inside, outside] = [await holder([role], { apps: appIds.slice(0, 1) }), await holder([role], { apps: appIds.slice(1) })];
    await makeApiToken(databases, { ownerId: outside.accountId });
    const reader = await person({ permissions: ['manager_settings_roles'], apps: appIds.slice(0, 1) });
    const { accounts, ...others } = await preview(role, ['manager_dev_logs'], reader);
    expect(accounts.map(({ id }) => id)).toEqual([inside.accountId]);
    expect(others).toEqual({ tokens: [], is_partial: true });
  });

  it('[PERMX-010] is for signed-in people who manage roles, of a role that exists, with permissions of its panel', async () => {
    const role = await makeRole(['buyer_push_view'], 'buyer');
    const weaker = await person({ permissions: ['manager_user_edit'] });
    const token = await makeApiToken(databases, { ownerId: admin.accountId });
    const statuses = [await ask(role, [], weaker), await ask(role, [], token), await ask(999_999, []), await ask('x', [])];
    expect(statuses.map(({ status }) => status)).toEqual([403, 403, 404, 404]);
    const { status, body } = await ask(role, ['manager_app_edit']);
    expect([status, body.errors]).toEqual([422, { permission_ids: ['The permission_ids field contains an unknown id: 3.'] }]);
  });
});
