import { permissionCatalogue, type Permission } from '@switchyard/contract/permissions';
import type { AbleAccount, AbleToken } from '@switchyard/contract/who-can';
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { makeApiToken, signInAs, type Account, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import type { Databases } from '../../database/connect.ts';
import { inNaturalOrder } from '../../database/sql-conditions.ts';

let databases: Databases;
let api: TestApi;
let admin: SignedIn;
let appIds: readonly number[];

beforeAll(async () => {
  ({ databases } = await createTestDatabase());
  api = await buildTestApi({ databases, startsAt: new Date('2026-11-20T08:00:00Z') });
  admin = await person({ role: 'Super Admin' });
  appIds = [(await createApp(databases)).id, (await createApp(databases)).id];
  return () => api.app.close();
});

const person = async (account: Account = {}): Promise<SignedIn> => signInAs(databases, { since: api.now(), ...account });
const ask = async (query: string, { headers }: Pick<SignedIn, 'headers'> = admin) =>
  api.call('GET', `/api/roles/who-can?${query}`, { headers });
const answerOf = async (query: string, reader?: SignedIn): Promise<{ accounts: AbleAccount[]; tokens: AbleToken[] }> =>
  (await ask(query, reader)).body.data;
const find = async (query: string, { accountId }: SignedIn) => (await answerOf(query)).accounts.find(({ id }) => id === accountId);
const first = (): number => appIds[0] ?? 0;
const second = (): number => appIds[1] ?? 0;

/** Calls on an app that need one permission each. */
const callsOnApps = {
  manager_app_edit: (id) => `apps/${id}`,
  manager_app_requests: (id) => `apps/${id}/postbacks`,
  manager_app_pushes: (id) => `apps/${id}/pushes`,
  manager_app_conversions: (id) => `apps/${id}/conversions`,
} as const satisfies Partial<Record<Permission, (id: number) => string>>;
const appPermissions = ['manager_app_edit', 'manager_app_requests', 'manager_app_pushes', 'manager_app_conversions'] as const;

const people = fc.record({
  permissions: fc.subarray([...appPermissions]),
  further: fc.subarray([...appPermissions]),
  apps: fc.constantFrom('all' as const, [0], [1], [0, 1], []),
  hasAccess: fc.boolean(),
  needsFactor: fc.boolean(),
  token: fc.record({
    kind: fc.constantFrom('personal' as const, 'service' as const),
    permissions: fc.subarray([...appPermissions]),
    apps: fc.constantFrom('all' as const, [0], [1], []),
    isExpired: fc.boolean(),
  }),
});

describe('who can', () => {
  it('[PERMX-002] agrees with the calls of accounts and tokens on apps, whatever their roles, apps and state', async () => {
    const idsOf = (apps: 'all' | number[]) => (apps === 'all' ? 'all' : apps.map((at) => appIds[at] ?? 0));
    await fc.assert(
      fc.asyncProperty(fc.array(people, { minLength: 4, maxLength: 6 }), async (crowd) => {
        const owners = await Promise.all(
          crowd.map(async ({ further, token, ...account }) => {
            const owner = await person({ ...account, apps: idsOf(account.apps) });
            const other = await person({ permissions: further });
            const { db } = databases;
            await db.updateTable('account_roles').set({ account_id: owner.accountId }).where('account_id', '=', other.accountId).execute();
            const expiresAt = new Date(api.now().getTime() + (token.isExpired ? 0 : 1));
            return {
              owner,
              token: await makeApiToken(databases, { ...token, apps: idsOf(token.apps), ownerId: owner.accountId, expiresAt }),
            };
          }),
        );
        for (const permission of appPermissions)
          for (const app of appIds) {
            const { accounts, tokens } = await answerOf(`permission=${permission}&appId=${app}`);
            const can = (rows: (AbleAccount | AbleToken)[], wanted: number) =>
              rows.some(({ id, obstacle }) => id === wanted && obstacle === null);
            const status = async ({ headers }: { headers: Record<string, string> }) =>
              (await api.call('GET', `/api/${callsOnApps[permission](app)}`, { headers })).status;
            for (const { owner, token } of owners)
              expect([can(accounts, owner.accountId), can(tokens, token.tokenId)]).toEqual([
                (await status(owner)) === 200,
                (await status(token)) === 200,
              ]);
          }
      }),
      { numRuns: 5 },
    );
  });

  it('[PERMX-001] names the roles that give the permission, and without a permission who sees the app', async () => {
    const editor = await person({ permissions: ['manager_app_edit', 'manager_app_delete'], apps: [first()] });
    const other = await person({ permissions: ['manager_dev_logs'], apps: [first()] });
    const extra = await person({ permissions: ['manager_dev_docs'] });
    const { db } = databases;
    await db.updateTable('account_roles').set({ account_id: editor.accountId }).where('account_id', '=', extra.accountId).execute();
    const token = await makeApiToken(databases, { ownerId: editor.accountId, permissions: ['manager_app_delete', 'manager_dev_logs'] });
    const { data } = (await ask('permission=manager_app_delete')).body;
    const account = data.accounts.find(({ id }: AbleAccount) => id === editor.accountId);
    expect(account).toMatchObject({ panel: 'user', has_all_apps: false, obstacle: null });
    expect(account.role_ids).toHaveLength(1);
    const row = data.tokens.find(({ id }: AbleToken) => id === token.tokenId);
    expect(row).toMatchObject({ kind: 'personal', owner: { id: editor.accountId }, role_ids: account.role_ids, has_all_apps: false });
    expect(data.roles.map(({ id }: { id: number }) => id)).toEqual(expect.arrayContaining([1, ...account.role_ids]));
    expect(data.is_partial).toBe(false);
    expect(await find('permission=manager_app_delete', other)).toBeUndefined();
    expect((await answerOf('permission=manager_dev_logs')).tokens.some(({ id }) => id === token.tokenId)).toBe(false);
    expect((await find(`appId=${first()}`, editor))?.role_ids).toHaveLength(2);
    expect(await find(`appId=${first()}`, other)).toBeDefined();
    expect(await find(`appId=${second()}`, other)).toBeUndefined();
  });

  it('[PERMX-003] says what keeps accounts and tokens from using the permission, and leaves deleted accounts out', async () => {
    const permissions = ['manager_dev_docs'] as const;
    const [blocked, due, demo, deleted] = [
      await person({ permissions, hasAccess: false }),
      await person({ permissions, needsFactor: true }),
      await person({ permissions, isDemo: true }),
      await person({ permissions }),
    ];
    const holder = await person({ permissions });
    const [expired, personal, service, ofBlocked] = [
      await makeApiToken(databases, { ownerId: holder.accountId, expiresAt: api.now() }),
      await makeApiToken(databases, { ownerId: deleted.accountId }),
      await makeApiToken(databases, { ownerId: deleted.accountId, kind: 'service', expiresAt: null }),
      await makeApiToken(databases, { ownerId: blocked.accountId }),
    ];
    await databases.db.updateTable('accounts').set({ deleted_at: api.now() }).where('id', '=', deleted.accountId).execute();
    const { accounts, tokens } = await answerOf('permission=manager_dev_docs');
    const of = (rows: (AbleAccount | AbleToken)[], wanted: number) => rows.find(({ id }) => id === wanted)?.obstacle;
    expect([blocked, due, demo, holder, deleted].map(({ accountId }) => of(accounts, accountId))).toEqual([
      'no_access',
      'second_factor',
      'no_access',
      null,
      undefined,
    ]);
    expect([expired, service, ofBlocked, personal].map(({ tokenId }) => of(tokens, tokenId))).toEqual([
      'expired',
      'no_access',
      'no_access',
      undefined,
    ]);
  });

  it('[LARGE-004] pages, searches and filters the same rows', async () => {
    const holders = [
      await person({ permissions: ['manager_user_activity'] }),
      await person({ permissions: ['manager_user_activity'], hasAccess: false }),
    ];
    const [able, blocked] = holders.map(({ accountId }) => accountId);
    const token = await makeApiToken(databases, { ownerId: able ?? 0, permissions: ['manager_user_activity'] });
    const page = async (query: string) =>
      (await api.call('GET', `/api/roles/who-can/page?permission=manager_user_activity&${query}`, admin)).body;
    const keysOf = async (query: string): Promise<string[]> => (await page(query)).data.rows.map(({ key }: { key: string }) => key);
    const all = await page('');
    expect(all.pagination).toMatchObject({ total: all.data.rows.length, totalPages: 1 });
    expect((await page('limit=1&page=2')).data.rows).toEqual([all.data.rows[1]]);
    expect((await page('limit=1')).pagination).toMatchObject({ total: all.data.rows.length, count: 1 });
    expect(await keysOf(`accountId=${able},${blocked}&kind=account&now=cannot`)).toEqual([`account-${blocked}`]);
    expect(await keysOf(`accountId=${able}&kind=personal`)).toEqual([`token-${token.tokenId}`]);
    const [{ roles }] = (await page(`accountId=${able}&kind=account`)).data.rows;
    expect(await keysOf(`search=${encodeURIComponent(roles[0].label)}&kind=account`)).toEqual([`account-${able}`]);
    expect((await api.call('GET', '/api/roles/who-can/page?appId=999999', admin)).status).toBe(404);
  });

  it('[PERMX-034] lists accounts and tokens by name as the database sorts names, equal ones by id', async () => {
    const { db } = databases;
    for (const name of ['Zoo 1', 'edge 10', 'École', 'Edge 2', 'apple', 'EDGE 1', 'Ёлка', 'edge 1', 'Änderung']) {
      const { accountId } = await person({ permissions: ['manager_dev_docs'] });
      const { tokenId } = await makeApiToken(databases, { ownerId: accountId, permissions: ['manager_dev_docs'] });
      await db.updateTable('accounts').set({ name }).where('id', '=', accountId).execute();
      await db.updateTable('api_tokens').set({ name }).where('id', '=', tokenId).execute();
    }
    const { accounts, tokens } = await answerOf('');
    const sorted = async (table: 'accounts' | 'api_tokens') => {
      const { rows } = await sql<{ id: number }>`select id from ${sql.table(table)} order by ${inNaturalOrder('name')}, id`.execute(db);
      return rows.map(({ id }) => id);
    };
    const listed = (rows: (AbleAccount | AbleToken)[]) => rows.map(({ id }) => id);
    const accountIds = await sorted('accounts');
    const deleted = await db.selectFrom('accounts').select('id').where('deleted_at', 'is not', null).execute();
    const deletedIds = new Set(deleted.map(({ id }) => id));
    expect(listed(accounts)).toEqual(accountIds.filter((id) => !deletedIds.has(id)));
    const shown = new Set(listed(tokens));
    expect(listed(tokens)).toEqual((await sorted('api_tokens')).filter((id) => shown.has(id)));
  });

  it('[PERMX-001] finds the buyers of an app, also of an archived one', async () => {
    const archived = await createApp(databases, { deleted_at: api.now() });
    const buyer = await person({ panel: 'buyer', role: 'Buyer', apps: [archived.id] });
    expect(await find(`permission=buyer_stream_view&appId=${archived.id}`, buyer)).toMatchObject({ panel: 'buyer', role_ids: [5] });
    expect(await find(`permission=buyer_stream_view&appId=${first()}`, buyer)).toBeUndefined();
  });

  it('[PERMX-004] shows restricted accounts only who shares an app with them, and nothing of other apps', async () => {
    const reader = await person({ permissions: ['manager_settings_roles'], apps: [first()] });
    const permissions = ['manager_app_edit'] as const;
    const [inside, both, outside, none] = [
      await person({ permissions, apps: [first()] }),
      await person({ permissions, apps: appIds }),
      await person({ permissions, apps: [second()] }),
      await person({ permissions, apps: [] }),
    ];
    const tokenOf = async ({ accountId: ownerId }: SignedIn, kind: 'personal' | 'service', apps: 'all' | readonly number[] = 'all') =>
      (await makeApiToken(databases, { ownerId, kind, apps })).tokenId;
    const shown = [await tokenOf(inside, 'personal'), await tokenOf(both, 'service', [first()])];
    const hidden = [await tokenOf(both, 'personal'), await tokenOf(inside, 'service'), await tokenOf(both, 'service', [second()])];
    const { data } = (await ask('permission=manager_app_edit', reader)).body;
    const ids = data.accounts.map(({ id }: AbleAccount) => id);
    expect(ids).toEqual(expect.arrayContaining([inside.accountId, both.accountId, admin.accountId]));
    expect([outside, none].filter(({ accountId }) => ids.includes(accountId))).toEqual([]);
    const tokenIds = new Set(data.tokens.map(({ id }: AbleToken) => id));
    expect([...shown, ...hidden].filter((id) => tokenIds.has(id))).toEqual(shown);
    expect(data.is_partial).toBe(true);
    expect(Object.keys(data.accounts[0])).toEqual(['id', 'name', 'panel', 'has_all_apps', 'role_ids', 'obstacle']);

    const [foreign, unknown] = [await ask(`appId=${second()}`, reader), await ask('appId=999999999999999', reader)];
    expect([foreign.status, unknown.status]).toEqual([404, 404]);
    expect(foreign.body).toEqual(unknown.body);
    // The reader is in no role that gives the permission, so only the app that it sees is answered.
    expect((await answerOf(`appId=${first()}`, reader)).accounts.map(({ id }) => id)).toContain(reader.accountId);
  });

  it('[PERMX-004] is for signed-in people who manage roles', async () => {
    const every = permissionCatalogue.flatMap(({ label, panel }) => (panel === 'user' ? [label] : []));
    const weaker = await person({ permissions: every.filter((label) => label !== 'manager_settings_roles') });
    const query = 'permission=manager_dev_docs';
    expect((await ask(query, weaker)).status).toBe(403);
    expect((await ask(query, await makeApiToken(databases, { ownerId: admin.accountId }))).status).toBe(403);
    expect((await ask(query, await person({ role: 'Super Admin', needsFactor: true, hasAccess: false }))).status).toBe(401);
  });

  it('[PERMX-007] lists everybody whom the reader sees with all roles, if nothing is asked', async () => {
    const [inside, outside] = [
      await person({ permissions: ['manager_app_edit'], apps: [first()] }),
      await person({ permissions: ['manager_app_edit'], apps: [second()] }),
    ];
    const nobody = await person({ permissions: [], apps: [first()], hasAccess: false });
    const reader = await person({ permissions: ['manager_settings_roles'], apps: [first()] });
    const stored = await databases.db.selectFrom('account_roles').selectAll().execute();
    const rolesOf = ({ accountId }: SignedIn) => stored.flatMap((row) => (row.account_id === accountId ? [row.role_id] : []));
    const all = await answerOf('');
    for (const account of [inside, outside, nobody, reader, admin])
      expect(all.accounts.find(({ id }) => id === account.accountId)?.role_ids).toEqual(rolesOf(account));
    const seen = (await answerOf('', reader)).accounts.map(({ id }) => id);
    expect(seen).toEqual(expect.arrayContaining([inside.accountId, nobody.accountId, reader.accountId]));
    expect(seen).not.toContain(outside.accountId);
  });

  it.each([
    ['permission=manager_everything', 'permission', 'The selected permission is invalid.'],
    ['appId=x', 'appId', 'The appId field must be of type integer.'],
  ])('[PERMX-001] rejects the query "%s"', async (query, field, message) => {
    const { status, body } = await ask(query);
    expect([status, body.errors[field]]).toEqual([422, [message]]);
  });
});
