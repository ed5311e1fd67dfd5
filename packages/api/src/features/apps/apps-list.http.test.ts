import { appRow, verticals } from '@switchyard/contract/apps';
import { pagination } from '@switchyard/contract/envelope';
import { permissionCatalogue, type Permission } from '@switchyard/contract/permissions';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { signInAs, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const { databases } = await createTestDatabase();
let api: TestApi;
let admin: SignedIn;

const page = z.object({ success: z.literal(true), data: z.array(appRow), pagination });

async function list(query = '', caller: SignedIn = admin) {
  const answer = await api.call('GET', `/api/apps${query}`, caller);
  expect(answer.status).toBe(200);
  return page.parse(answer.body);
}
const names = async (query: string, caller?: SignedIn) => (await list(query, caller)).data.map((app) => app.name);

/** Gives each app what it needs to tell it apart; the ids rise in this order. */
async function addApps() {
  await createApp(databases, { name: 'beta', bundle: 'com.zulu.app', domain: 'mike.example', vertical: 'casino' });
  await createApp(databases, { name: 'Alpha', bundle: 'com.Yankee.app', domain: 'november.example', vertical: 'bet' });
  await createApp(databases, { name: 'gamma 100%', bundle: 'com.x_ray.app', domain: 'oscar.example', vertical: 'finance' });
  await createApp(databases, { name: 'Delta', bundle: 'com.whisky.app', domain: 'papa.example', vertical: 'bet', deleted_at: new Date() });
  await createApp(databases, { name: 'ÉPSILON \\', bundle: 'com.victor.app', domain: 'quebec.example', vertical: 'fantasy' });
}

beforeAll(async () => {
  api = await buildTestApi({ databases });
  admin = await signInAs(databases, { role: 'Super Admin' });
  await addApps();
  return async () => api.app.close();
});

describe('GET apps: which apps', () => {
  it('[APPS-013][APPS-006][APPS-056] lists active apps by default, archived ones or both on demand', async () => {
    expect(await names('')).toEqual(['ÉPSILON \\', 'gamma 100%', 'Alpha', 'beta']);
    expect(await names('?status=active')).toEqual(await names(''));
    expect(await names('?status=')).toEqual(await names(''));
    expect(await names('?status=deleted')).toEqual(['Delta']);
    expect(await names('?status=all')).toEqual(['ÉPSILON \\', 'Delta', 'gamma 100%', 'Alpha', 'beta']);
  });

  it.each([
    ['ALP', ['Alpha']],
    [' alpha ', ['Alpha']],
    ['yankee', ['Alpha']],
    ['OSCAR.example', ['gamma 100%']],
    ['%', ['gamma 100%']],
    ['_', ['gamma 100%']],
    ['\\', ['ÉPSILON \\']],
    ['épsilon', ['ÉPSILON \\']],
    ['a%a', []],
    ['no such app', []],
    ["' or 1=1 --", []],
  ])('[APPS-004][APPS-034] searches name, bundle and domain for %j as it stands', async (search, expected) => {
    const found = await list(`?search=${encodeURIComponent(search)}`);
    expect(found.data.map((app) => app.name)).toEqual(expected);
    expect(found.pagination.total).toBe(expected.length);
  });

  it('[APPS-004] takes all digits for an id as well as for text', async () => {
    const numbered = await createApp(databases, { name: 'Number 55555', bundle: 'com.numbered.app', domain: 'numbered.example' });
    const plain = await createApp(databases, { name: 'Plain', bundle: 'com.plain.app', domain: 'plain.example' });
    const ids = async (search: string | number) => (await list(`?search=${search}`)).data.map((row) => row.id);
    expect(await ids(55555)).toEqual([numbered.id]);
    expect(await ids(plain.id)).toEqual([plain.id]);
    expect(await ids(`0${plain.id}`)).toEqual([]);
    expect(await ids('99999999999999999999')).toEqual([]);
    await databases.db.deleteFrom('apps').where('id', 'in', [numbered.id, plain.id]).execute();
  });

  it('[APPS-013][APPS-004][APPS-008] refuses values that mean nothing', async () => {
    const answer = await api.call('GET', `/api/apps?status=gone&isCache=maybe&search=${'a'.repeat(256)}`, admin);
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual({
      status: ['The selected status is invalid.'],
      isCache: ['The selected isCache is invalid.'],
      search: ['The search field must not be longer than 255 characters.'],
    });
  });
});

describe('GET apps: in which order', () => {
  it.each([
    ['keyId', ['ÉPSILON \\', 'Delta', 'gamma 100%', 'Alpha', 'beta']],
    ['keyName', ['ÉPSILON \\', 'gamma 100%', 'Delta', 'beta', 'Alpha']],
    ['keyBundle', ['beta', 'Alpha', 'gamma 100%', 'Delta', 'ÉPSILON \\']],
    ['keyDomain', ['ÉPSILON \\', 'Delta', 'gamma 100%', 'Alpha', 'beta']],
  ])('[APPS-014][APPS-015][APPS-017][APPS-019] sorts by %s, whatever the case', async (orderBy, descending) => {
    expect(await names(`?status=all&orderBy=${orderBy}&orderDirection=desc`)).toEqual(descending);
    expect(await names(`?status=all&orderBy=${orderBy}&orderDirection=asc`)).toEqual([...descending].reverse());
  });

  it('[APPS-021] sorts by vertical, ties newest first either way', async () => {
    expect(await names('?status=all&orderBy=keyV&orderDirection=asc')).toEqual(['Delta', 'Alpha', 'beta', 'ÉPSILON \\', 'gamma 100%']);
    expect(await names('?status=all&orderBy=keyV&orderDirection=desc')).toEqual(['gamma 100%', 'ÉPSILON \\', 'beta', 'Delta', 'Alpha']);
  });

  it('[APPS-012, AMB-079] sorts by keyId descending by default and for any key it does not know', async () => {
    const byDefault = await names('?status=all');
    expect(byDefault[0]).toBe('ÉPSILON \\');
    for (const query of [
      'orderBy=password_hash',
      'orderBy=password_hash&orderDirection=asc',
      'orderBy=keyName&orderDirection=sideways',
      'orderBy=keyId&orderDirection=sideways',
      'orderBy=&orderDirection=',
      'orderBy=id;drop table apps',
    ]) {
      expect(await names(`?status=all&${query}`)).toEqual(byDefault);
    }
  });
});

describe('GET apps: which page', () => {
  it('[APPS-011][ENT-019][ENT-020][ENT-021][ENT-022] walks all pages without losing or repeating an app', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 6 }), fc.constantFrom('keyId', 'keyName', 'keyV'), async (limit, orderBy) => {
        const seen: number[] = [];
        for (let number = 1; ; number++) {
          const { data, pagination: info } = await list(`?status=all&limit=${limit}&page=${number}&orderBy=${orderBy}`);
          seen.push(...data.map((app) => app.id));
          expect(info).toMatchObject({
            total: 5,
            count: data.length,
            limit,
            currentPage: number,
            current_page: number,
            prev_cursor: null,
            next_cursor: null,
          });
          expect(info.totalPages).toBe(Math.ceil(5 / limit));
          expect(info.last_page).toBe(info.totalPages);
          expect(info.links.map((link) => link.label).slice(0, 2)).toEqual(['Previous', '1']);
          if (number >= (info.totalPages ?? 0)) break;
        }
        expect(new Set(seen).size).toBe(5);
        expect(seen).toHaveLength(5);
      }),
      { numRuns: 12 },
    );
  });

  it('[APPS-011] answers beyond the end with no rows and true totals, and anything odd with the first page', async () => {
    expect(await list('?page=7&limit=2')).toMatchObject({ data: [], pagination: { total: 4, count: 0, currentPage: 7, totalPages: 2 } });
    for (const odd of ['page=0', 'page=-1', 'page=two', 'page=']) expect((await list(`?${odd}`)).pagination.currentPage).toBe(1);
    expect((await list('?limit=0')).pagination.limit).toBe(20);
    expect((await list('?limit=5000')).pagination.limit).toBe(200);
  });
});

describe('GET apps: what of each app', () => {
  it('[ENT-001][ENT-011][ENT-012][APPS-016][AMB-059] gives every key of a row, dates in UTC', async () => {
    const dates = {
      expiration_at: new Date('2027-03-01T00:00:00Z'),
      created_at: new Date('2026-01-05T09:00:00Z'),
      updated_at: new Date('2026-11-01T12:00:00Z'),
    };
    const app = await createApp(databases, { name: 'Acme Bet', bundle: 'com.acme.bet', domain: 'acme-bet.example', ...dates });
    const [row] = (await list('?search=acme')).data;
    expect(row).toMatchObject({
      id: app.id,
      name: 'Acme Bet',
      bundle: 'com.acme.bet',
      domain: 'acme-bet.example',
      label: 'Acme Bet (com.acme.bet)',
      vertical: 'bet',
      expiration_at: '2027-03-01 00:00:00',
      deleted_at: null,
      app_mode: 'default',
      response_mode: 'white',
      cloak_mode: 'default',
      has_clients: false,
      check_domains: [],
      monitoring: null,
      users_count: 0,
      created_at: '2026-01-05 09:00:00',
      updated_at: '2026-11-01 12:00:00',
    });
    await databases.db.deleteFrom('apps').where('id', '=', app.id).execute();
  });

  it('[ENT-008][APPS-018] names the monitor and its status only where one watches', async () => {
    const app = await createApp(databases, { name: 'Watched', monitor_name: 'acme_bot', monitor_status: 'ok' });
    expect((await list('?search=watched')).data[0]?.monitoring).toEqual({ app_name: 'acme_bot', status: 'ok' });
    await databases.db.deleteFrom('apps').where('id', '=', app.id).execute();
  });

  it('[ENT-006][ENT-013][APPS-020] lists the links to servers by id, without those of deleted servers', async () => {
    const app = await createApp(databases, { name: 'Linked' });
    const servers = await databases.db
      .insertInto('traffic_servers')
      .values(
        ['edge-1', 'edge-2', 'edge-gone'].map((name) => ({
          name,
          url: `https://${name}.example`,
          deleted_at: name === 'edge-gone' ? new Date() : null,
        })),
      )
      .returning(['id', 'name'])
      .execute();
    const links = await databases.db
      .insertInto('check_domains')
      .values(
        servers.map(({ id }, nth) => ({ app_id: app.id, server_id: id, status: nth === 0 ? ('ok' as const) : ('err_bind' as const) })),
      )
      .returning('id')
      .execute();
    await databases.db
      .updateTable('check_domains')
      .set({ is_bind: true, ssl_at: new Date('2027-02-01T00:00:00Z'), registrar: 'Namecheap' })
      .where('id', '=', links[0]?.id ?? 0)
      .execute();
    const empty = { is_bind: false, ssl_at: null, registrar: null, is_only_cf: false, error: null, next_stage_at: null };
    expect((await list('?search=linked')).data[0]?.check_domains).toEqual([
      {
        ...empty,
        id: links[0]?.id,
        server_id: servers[0]?.id,
        server_name: 'edge-1',
        is_bind: true,
        ssl_at: '2027-02-01 00:00:00',
        registrar: 'Namecheap',
        status: 'ok',
      },
      { ...empty, id: links[1]?.id, server_id: servers[1]?.id, server_name: 'edge-2', status: 'err_bind' },
    ]);
    await databases.db.deleteFrom('apps').where('id', '=', app.id).execute();
  });

  it('[ENT-009][APPS-027] counts the buyers with access, deleted ones left out', async () => {
    const app = await createApp(databases, { name: 'Bought' });
    await signInAs(databases, { panel: 'buyer', role: 'Buyer', apps: [app.id] });
    const gone = await signInAs(databases, { panel: 'buyer', role: 'QA', apps: [app.id] });
    expect((await list('?search=bought')).data[0]?.users_count).toBe(2);
    await databases.db.updateTable('accounts').set({ deleted_at: new Date() }).where('id', '=', gone.accountId).execute();
    expect((await list('?search=bought')).data[0]?.users_count).toBe(1);
    await databases.db.deleteFrom('apps').where('id', '=', app.id).execute();
  });
});

describe('GET apps: for whom', () => {
  const opening: Permission[] = [
    'manager_app_create',
    'manager_app_edit',
    'manager_app_delete',
    'manager_app_requests',
    'manager_app_statistics',
  ];

  it.each(opening)('[APPS-001][PERM-004][PERM-010][PERM-018][PERM-020][PERM-022] opens with %s alone', async (permission) => {
    const caller = await signInAs(databases, { permissions: [permission] });
    expect((await list('', caller)).data.length).toBeGreaterThan(0);
    expect((await api.call('GET', '/api/verticals/list', caller)).status).toBe(200);
  });

  it('[APPS-001][PERM-002] is closed to an account that holds everything but these five, and to strangers', async () => {
    const permissions = permissionCatalogue.map(({ label }) => label).filter((label) => !opening.includes(label));
    const caller = await signInAs(databases, { permissions });
    for (const path of ['/api/apps', '/api/verticals/list']) {
      expect((await api.call('GET', path, caller)).status).toBe(403);
      expect((await api.call('GET', path)).status).toBe(401);
    }
  });

  it('[PERM-023][APPS-027][APPS-028][APPS-029][APPS-030][APPS-031] hides users and all-time figures without manager_app_statistics', async () => {
    const caller = await signInAs(databases, { permissions: ['manager_app_edit'] });
    for (const app of (await list('?status=all', caller)).data) {
      expect(app.users_count).toBeNull();
      expect(app.statistics.all.all_time).toBeNull();
      expect(app.statistics.all.today.create).toEqual({ all: 0, success: 0 });
      expect(app.statistics.qa.create).toEqual({ all: 0, success: 0 });
    }
    expect((await list()).data[0]?.statistics.all.all_time).not.toBeNull();
  });

  it('shows a restricted account its own apps only, in rows, totals and searches', async () => {
    const [own, archived] = await databases.db
      .selectFrom('apps')
      .select('id')
      .where('name', 'in', ['Alpha', 'Delta'])
      .orderBy('id')
      .execute();
    const caller = await signInAs(databases, { role: 'App Manager', apps: [own?.id ?? 0, archived?.id ?? 0] });
    expect(await names('', caller)).toEqual(['Alpha']);
    expect(await names('?status=all', caller)).toEqual(['Delta', 'Alpha']);
    expect((await list('?search=example&status=all', caller)).pagination.total).toBe(2);
    expect((await list('?search=beta', caller)).pagination.total).toBe(0);
    const nobody = await signInAs(databases, { role: 'App Manager', apps: [] });
    expect(await list('?status=all', nobody)).toMatchObject({ data: [], pagination: { total: 0, totalPages: 1 } });
  });
});

describe('GET verticals/list', () => {
  it('[APPS-021][API-026][CONF-029] names the five verticals', async () => {
    const answer = await api.call('GET', '/api/verticals/list', admin);
    expect(answer.body).toEqual({ success: true, data: verticals });
    expect(verticals.map((vertical) => vertical.id)).toEqual(['bet', 'casino', 'social_casino', 'fantasy', 'finance']);
  });
});
