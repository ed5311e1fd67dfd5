import { beforeAll, describe, expect, it } from 'vitest';
import { newAccountForm } from '../../../test/account-form.ts';
import { newAppForm } from '../../../test/app-form.ts';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { signInAs, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import { findNamedApps } from '../apps/apps-lookup.ts';

const { databases } = await createTestDatabase();
let api: TestApi;
let admin: SignedIn;

beforeAll(async () => {
  api = await buildTestApi({ databases });
  admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
  return async () => api.app.close();
});

const spellings = ['Café Field', 'Cafe\u0301 Field', 'Caf\u200bé Field', '\u200bCafé Field', 'Ｃafé Field'];
const post = async (path: string, body: object) => api.call('POST', `/api/${path}`, { ...admin, body });
const read = async (path: string) => (await api.call('GET', `/api/${path}`, admin)).body.data;
const found = async (path: string, text: string) =>
  (await read(`${path}${encodeURIComponent(text)}`)).map((row: { name: string }) => row.name);

type Kind = { what: string; path: string; form: (name: string) => object; taken: string; keepsCase: boolean };
const role = { permission_ids: [1], panel: 'user' };
const view = { list: 'apps', query: 'search=a', columns: { hidden: [], widths: {} }, sharing: 'everyone', role_ids: [] };
const kinds: readonly Kind[] = [
  { what: 'apps', path: 'apps', form: (name) => newAppForm({ name }), taken: 'was previously used.', keepsCase: false },
  { what: 'users', path: 'users', form: (name) => newAccountForm({ name }), taken: 'already exists', keepsCase: true },
  { what: 'buyers', path: 'buyers', form: (name) => newAccountForm({ name, roles: ['Buyer'] }), taken: 'already exists', keepsCase: true },
  { what: 'roles', path: 'roles', form: (name) => ({ ...role, name }), taken: 'already used', keepsCase: false },
  { what: 'saved views', path: 'views', form: (name) => ({ ...view, name }), taken: 'already', keepsCase: false },
];

describe('names that look the same', () => {
  it.each(kinds)('[NAME-004] are the same for $what', async ({ path, form, taken, keepsCase }) => {
    const [first, ...others] = spellings;
    const answer = await post(path, form(first ?? ''));
    expect([answer.status, answer.body.data?.name]).toEqual([201, first]);
    for (const name of others) {
      const { status, body } = await post(path, form(name));
      expect([name, status, body.errors?.name?.[0]]).toEqual([name, 422, expect.stringContaining(taken)]);
    }
    expect((await post(path, form('CAFÉ FIELD'))).status).toBe(keepsCase ? 201 : 422);
  });

  it('[NAME-004] are written once when they come together', async () => {
    const forms = ['Ünique', 'U\u0308nique', 'Üni\u200bque'].map((name) => newAccountForm({ name }));
    const statuses = (await Promise.all(forms.map(async (form) => post('users', form)))).map(({ status }) => status);
    expect(statuses.toSorted((one, other) => one - other)).toEqual([201, 422, 422]);
  });

  it('[NAME-004] are found by every spelling, in lists and in the palette', async () => {
    const { name } = (await post('apps', newAppForm({ name: 'Crème Ｂrûlée' }))).body.data;
    for (const text of ['crème brûlée', 'CRE\u0300ME', '\u200bCrème\u200b Brûlée\u2060', 'Ｂrûlée']) {
      expect(await found('apps?search=', text)).toEqual([name]);
      expect((await read(`search?q=${encodeURIComponent(text)}`)).items).toMatchObject([{ kind: 'app', name }]);
    }
  });

  it('[NAME-004] bundles are one in every spelling, without invisible characters, also where ingestion names them', async () => {
    const created = await post('apps', newAppForm({ bundle: 'com.I\u0307stanbul\u200b' }));
    expect(created.body.data.bundle).toBe('com.İstanbul');
    expect((await post('apps', newAppForm({ bundle: 'com.İstanbul' }))).body.errors.bundle).toHaveLength(1);
    const { idByBundle } = await findNamedApps(databases.db, { ids: [], bundles: ['COM.I\u0307STANBUL', 'com.İst\u2060anbul'] });
    expect([...idByBundle.values()]).toEqual([created.body.data.id, created.body.data.id]);
  });

  it('[NAME-006] sign-in takes a pasted address, and a password in either normal form', async () => {
    const form = newAccountForm({ password: 'Cafe\u0301 Str0ng Pass' });
    expect((await post('users', form)).status).toBe(201);
    for (const password of ['Café Str0ng Pass', 'Cafe\u0301 Str0ng Pass']) {
      const { status } = await api.call('POST', '/api/sanctum/login', {
        body: { email: `\u200b ${'email' in form ? form.email : ''}\ufeff`, password },
      });
      expect(status).toBe(200);
    }
  });
});
