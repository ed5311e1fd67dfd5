import { beforeAll, describe, expect, it } from 'vitest';
import { newAppForm } from '../../../test/app-form.ts';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { signInAs, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import { normaliseDomains } from '../../database/migrations/0031-names-and-domains-needs-0020.ts';
import { describeInvalidDomains } from './invalid-domains-lookup.ts';

const { databases } = await createTestDatabase();
let api: TestApi;
let admin: SignedIn;

beforeAll(async () => {
  api = await buildTestApi({ databases });
  admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
  return async () => api.app.close();
});

const create = async (domain: string) => api.call('POST', '/api/apps', { ...admin, body: newAppForm({ domain }) });
const save = async (id: number, body: object) => api.call('PUT', `/api/apps/${id}`, { ...admin, body });
const read = async (path: string) => (await api.call('GET', `/api/${path}`, admin)).body.data;
const message = 'The domain must be a host name, for example app.example.com.';
const tooDistant = ['port.example:8443', 'p.example/x', 'user@at.example', '*.w.example', 'a..b.example', `${'x'.repeat(64)}.example`];
const noHosts = [...tooDistant, '\u202efield.example', '203.0.113.9', 'javascript:alert(1)', '-dash.example'];

describe('domains of apps', () => {
  it('[NAME-001] are stored in ASCII, unique in every form, and host names', async () => {
    const first = await create('bücher.example');
    expect([first.status, first.body.data.domain]).toEqual([201, 'xn--bcher-kva.example']);
    for (const domain of ['XN--BCHER-KVA.EXAMPLE', 'bu\u0308cher.example', 'bücher.example.']) {
      const { status, body } = await create(domain);
      expect([status, body.errors]).toEqual([422, { domain: [`The "domain" ${domain} was previously used.`] }]);
      expect(await read(`app/check-not/domain?search=${encodeURIComponent(domain)}`)).toBe(false);
    }
    for (const domain of noHosts) expect((await create(domain)).body.errors).toEqual({ domain: [message] });
    expect((await create('a b.example')).body.errors.domain).toEqual(['Check the domain "a b.example" for spaces.']);
    expect((await save(first.body.data.id, { domain: 'BÜCHER.example' })).body.data.version).toBe(1);
  });

  it('[NAME-001] are found by every form, by host, link, list and palette', async () => {
    const { id } = (await create('Köln.Example.')).body.data;
    for (const host of ['xn--kln-sna.example', 'XN--KLN-SNA.example.', 'xn--kln-sna.example.:8443'])
      expect((await api.call('OPTIONS', '/api/dev', { headers: { host } })).status).toBe(204);
    for (const text of ['köln', 'KO\u0308LN.ex', 'xn--kln', '\u200bKÖLN.example']) {
      expect((await read(`apps?search=${encodeURIComponent(text)}`)).map((app: { id: number }) => app.id)).toEqual([id]);
      expect((await read(`search?q=${encodeURIComponent(text)}`)).items).toMatchObject([{ kind: 'app', id }]);
    }
    const body = { domain: 'KÖLN.example', serverId: 999_999 };
    expect((await api.call('POST', '/api/app/add-domain', { ...admin, body })).body.errors).toEqual({ serverId: ['Unknown server.'] });
  });

  it('[NAME-003, PERMX-032] an upgrade normalises them, except those that collide or are no host names, which are listed and stay until they change', async () => {
    const stored = ['Zürich.example', 'Dot.example.', 'öl.example', 'xn--l-0ga.example', 'port-2.example:8443', 'under_score.example'];
    const apps = [];
    for (const domain of stored) apps.push(await createApp(databases, { domain }));
    await normaliseDomains(databases.db);
    const ids = apps.map(({ id }) => id);
    const rows = await databases.db.selectFrom('apps').select(['domain', 'domain_unicode']).where('id', 'in', ids).orderBy('id').execute();
    expect(rows.map(({ domain }) => domain)).toEqual(['xn--zrich-kva.example', 'dot.example', ...stored.slice(2)]);
    expect(rows[0]?.domain_unicode).toBe('zürich.example');
    const [, , colliding, other, port, underscore] = apps;
    const invalidDomains = await read('apps/domains/invalid');
    expect(invalidDomains).toEqual([
      { id: colliding?.id, name: colliding?.name, domain: 'öl.example', is_archived: false, same_as: { id: other?.id, name: other?.name } },
      { id: port?.id, name: port?.name, domain: 'port-2.example:8443', is_archived: false, same_as: null },
      { id: underscore?.id, name: underscore?.name, domain: 'under_score.example', is_archived: false, same_as: null },
    ]);
    expect(await describeInvalidDomains(databases.db, 'https://console.example')).toContain(
      `App domain: "under_score.example" is no host name (app ${underscore?.id} ${JSON.stringify(underscore?.name)}, https://console.example/apps/${underscore?.id}/edit)`,
    );
    const limited = await signInAs(databases, {
      permissions: ['manager_app_edit_domain_bundle'],
      apps: [colliding?.id ?? 0],
      since: api.now(),
    });
    expect((await api.call('GET', '/api/apps/domains/invalid', limited)).body.data).toEqual([
      { ...invalidDomains[0], same_as: { id: null, name: null } },
    ]);
    for (const { id, domain } of invalidDomains) expect((await save(id, { domain, vertical: 'finance' })).body.data.domain).toBe(domain);
    expect((await save(port?.id ?? 0, { domain: 'port-3.example:8443' })).body.errors).toEqual({ domain: [message] });
    expect((await api.call('OPTIONS', '/api/dev', { headers: { host: 'under_score.example' } })).status).toBe(204);
  });
});
