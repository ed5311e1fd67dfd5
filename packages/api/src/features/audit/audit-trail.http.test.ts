import { auditActions } from '@switchyard/contract/audit';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { signInAs, signInAsServer, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const { databases } = await createTestDatabase();
let api: TestApi;
let admin: SignedIn;
let restrictedReader: SignedIn;
let apps: number[];
let entries: Entry[];
/** Name and e-mail address of each account that did something. */
let names: Map<number | null, string[]>;

type Entry = {
  id: number;
  at: Date;
  actor_id: number | null;
  action: string;
  entity: string;
  entity_id: string | null;
  entity_label: string | null;
  app_id: number | null;
};

const kinds = Object.entries(auditActions).flatMap(([entity, actions]) => actions.map((action) => ({ entity, action })));
const appEntities = new Set(['app', 'app_server', 'firebase', 'stream', 'app_note']);
/** Rules of all apps, which every installation begins with. */
let ruleIds: ReadonlySet<number>;
/** Whether a reader of an app, or of none, sees an entry. There are no silences and incidents; exports have no id. */
function isSeen({ entity, entity_id: id, app_id: app }: Entry, own?: number): boolean {
  if (appEntities.has(entity)) return app === own;
  if (entity === 'alert_rule') return ruleIds.has(Number(id ?? -1));
  return entity !== 'silence' && (entity !== 'incident' || id === null);
}
const start = Date.parse('2026-03-01T00:00:00Z');
const hour = 3_600_000;

beforeAll(async () => {
  api = await buildTestApi({ databases });
  apps = [];
  for (let index = 0; index < 3; index += 1) apps.push((await createApp(databases)).id);
  admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
  restrictedReader = await signInAs(databases, { role: 'Admin', since: api.now(), apps: apps.slice(0, 1) });
  const actors = [null, admin.accountId, restrictedReader.accountId];
  const rows = Array.from({ length: 200 }, (_, index) => {
    // Every kind in turn, each time with another app.
    const { entity, action } = kinds[(index + Math.floor(index / kinds.length)) % kinds.length] ?? { entity: 'app', action: 'update' };
    const app = appEntities.has(entity) ? (apps[index % 3] ?? null) : null;
    return {
      at: new Date(start + index * hour),
      actor_id: actors[index % actors.length] ?? null,
      entity,
      action,
      entity_id: index % 11 === 0 ? null : String(app ?? index % 5),
      entity_label: index % 13 === 0 ? String.raw`100%_\${index}` : `Label ${index}`,
      app_id: app,
      ip: index % 2 === 0 ? '2001:db8::7' : null,
      request_id: index % 2 === 0 ? `request-${index}` : null,
      changes: JSON.stringify([{ field: 'name', from: null, to: `Name ${index}` }]),
    };
  });
  entries = await databases.db
    .insertInto('audit_entries')
    .values(rows)
    .returning(['id', 'at', 'actor_id', 'action', 'entity', 'entity_id', 'entity_label', 'app_id'])
    .execute();
  entries.reverse();
  ruleIds = new Set((await databases.pools.ops.query<{ id: number }>('select id from alert_rules')).rows.map(({ id }) => id));
  const accounts = await databases.db.selectFrom('accounts').select(['id', 'name', 'email']).execute();
  names = new Map(accounts.map(({ id, name, email }) => [id, [name, email]]));
  return async () => api.app.close();
});

const read = async (query = '', who = admin) => api.call('GET', `/api/audit?${query}`, who);
const namesOf = ({ entity_label: label, actor_id: actor }: Entry): string[] => [
  label ?? '',
  ...(actor === null ? [] : (names.get(actor) ?? [])),
];
const idsOf = (answer: { body: { data: { id: number }[] } }) => answer.body.data.map(({ id }) => id);

describe('the audit trail (api [89])', () => {
  it('[PERM-041] lists who did what to what, newest first, with every key', async () => {
    const { status, body } = await read('limit=2&startDate=2026-03-01&endDate=2026-03-09');
    expect(status).toBe(200);
    const newest = entries[0];
    expect(body.data[0]).toEqual({
      id: newest?.id,
      at: '2026-03-09 07:00:00',
      actor: { id: admin.accountId, name: expect.stringMatching(/^Person /), email: admin.email },
      action: newest?.action,
      entity: newest?.entity,
      entity_id: newest?.entity_id,
      entity_label: 'Label 199',
      ip: null,
      request_id: null,
      via: null,
      changes: [{ field: 'name', from: null, to: 'Name 199' }],
    });
    expect(body.data[1]).toMatchObject({ actor: null, ip: '2001:db8::7', request_id: 'request-198' });
    expect(body.pagination).toEqual({
      total: null,
      count: 2,
      limit: 2,
      currentPage: null,
      totalPages: null,
      current_page: null,
      last_page: null,
      links: [],
      prev_cursor: null,
      next_cursor: expect.stringMatching(/^[\w-]+$/),
    });
    expect((await read()).body.pagination.limit).toBe(50);
  });

  it('shows a restricted reader entries about no app or about apps in scope', async () => {
    const { body } = await read('limit=200', restrictedReader);
    expect(idsOf({ body })).toEqual(entries.filter((entry) => isSeen(entry, apps[0])).map(({ id }) => id));
    const nothing = await signInAs(databases, { role: 'Admin', since: api.now(), apps: [] });
    expect(idsOf(await read('limit=200', nothing))).toEqual(entries.filter((entry) => isSeen(entry)).map(({ id }) => id));
    expect(idsOf(await read('entity=app&limit=200', nothing))).toEqual([]);
  });

  it('gives by every combination of filters what a plain search gives, and pages forth and back over the same rows', async () => {
    const some = <T>(values: T[]) =>
      fc.option(fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 4 }), { nil: undefined });
    const filters = fc.record({
      entities: some<string>(Object.keys(auditActions)),
      actions: some<string>([...new Set(kinds.map(({ action }) => action))]),
      actor: fc.option(fc.constantFrom(admin.accountId, restrictedReader.accountId, 999_999), { nil: undefined }),
      entityId: fc.option(fc.constantFrom('0', '3', ...apps.map(String)), { nil: undefined }),
      search: fc.option(fc.constantFrom('lABEL 1', '9', '%', 'L_b', '%_', '\\1', 'nothing has this', admin.email.toUpperCase(), 'person'), {
        nil: undefined,
      }),
      from: fc.option(fc.nat(210), { nil: undefined }),
      length: fc.option(fc.nat(210), { nil: undefined }),
      isRestricted: fc.boolean(),
      limit: fc.integer({ min: 1, max: 200 }),
    });
    await fc.assert(
      fc.asyncProperty(filters, async ({ entities, actions, actor, entityId, search, from, length, isRestricted, limit }) => {
        const until = length === undefined ? undefined : (from ?? 0) + length;
        const expectedEntries = entries.filter((entry) => {
          const hours = (entry.at.getTime() - start) / hour;
          return (
            (entities?.includes(entry.entity) ?? true) &&
            (actions?.includes(entry.action) ?? true) &&
            (actor === undefined || entry.actor_id === actor) &&
            (entityId === undefined || entry.entity_id === entityId) &&
            (search === undefined || namesOf(entry).some((name) => name.toLowerCase().includes(search.toLowerCase()))) &&
            (from === undefined || hours >= from) &&
            (until === undefined || hours <= until) &&
            (!isRestricted || isSeen(entry, apps[0]))
          );
        });
        const query = new URLSearchParams({ limit: String(limit) });
        for (const entity of entities ?? []) query.append('entity[]', entity);
        if (actions) query.set('action', actions.join(','));
        if (actor !== undefined) query.set('actor', String(actor));
        if (entityId !== undefined) query.set('entityId', entityId);
        if (search !== undefined) query.set('search', search);
        if (from !== undefined) query.set('startDate', new Date(start + from * hour).toISOString());
        if (until !== undefined) query.set('endDate', new Date(start + until * hour).toISOString());
        const who = isRestricted ? restrictedReader : admin;

        const pages: number[][] = [];
        let answer = await read(String(query), who);
        pages.push(idsOf(answer));
        while (answer.body.pagination.next_cursor !== null) {
          query.set('cursor', answer.body.pagination.next_cursor);
          answer = await read(String(query), who);
          pages.push(idsOf(answer));
        }
        expect(pages.flat()).toEqual(expectedEntries.map(({ id }) => id));
        for (const page of pages.slice(0, -1).toReversed()) {
          query.set('cursor', answer.body.pagination.prev_cursor);
          answer = await read(String(query), who);
          expect(idsOf(answer)).toEqual(page);
        }
        expect(answer.body.pagination.prev_cursor).toBeNull();
      }),
      { numRuns: 40 },
    );
  });

  it('[AMB-189] finds a part of the name of what was changed, and of the name or address of who did it', async () => {
    const days = 'startDate=2026-03-01&endDate=2026-03-09&limit=200';
    const search = async (text: string, who = admin) => idsOf(await read(`${days}&search=${encodeURIComponent(text)}`, who));
    const those = (fits: (entry: Entry) => boolean) => entries.filter(fits).map(({ id }) => id);
    expect(await search('  lAbEl 199 ')).toEqual(those(({ entity_label: label }) => label === 'Label 199'));
    expect(await search(admin.email.toUpperCase())).toEqual(those(({ actor_id: actor }) => actor === admin.accountId));
    expect(await search(names.get(restrictedReader.accountId)?.[0] ?? '')).toEqual(
      those(({ actor_id: actor }) => actor === restrictedReader.accountId),
    );
    // Wildcards are literal, with and without an index that knows the text.
    const odd = those(({ entity_label: label }) => label?.startsWith('100%') === true);
    expect([await search('%'), await search('00%_\\'), await search('L_b'), await search('a%l')]).toEqual([odd, odd, [], []]);
    expect(await search('   ')).toHaveLength(200);
  });

  it('[S43] searches only in visible rows for a restricted reader', async () => {
    const foreign = entries.filter(({ entity, app_id: app }) => appEntities.has(entity) && app !== apps[0]);
    const hiddenEntry = foreign.find(({ entity_label: label }) => label?.startsWith('Label 1') === true);
    const search = async (text: string, who: SignedIn) => idsOf(await read(`limit=200&search=${encodeURIComponent(text)}`, who));
    expect(await search(hiddenEntry?.entity_label ?? '', admin)).toContain(hiddenEntry?.id);
    expect(await search(hiddenEntry?.entity_label ?? '', restrictedReader)).not.toContain(hiddenEntry?.id);
    const byAdmin = await search(admin.email, restrictedReader);
    expect(byAdmin.length).toBeGreaterThan(0);
    expect(foreign.filter(({ id }) => byAdmin.includes(id))).toEqual([]);
  });

  it.each([
    ['actor=abc', { actor: ['The actor field must be of type integer.'] }],
    ['action=update,fly&entity=ghost', { action: ['The selected action is invalid.'], entity: ['The selected entity is invalid.'] }],
    ['startDate=soon', { startDate: ['Invalid date string format'] }],
    ['startDate=2026-03-02&endDate=2026-03-01', { startDate: ['The startDate must not be after endDate.'] }],
    [
      'startDate=2026-03-02%2012:00:00&endDate=2026-03-01&actor=abc',
      { startDate: ['The startDate must not be after endDate.'], actor: ['The actor field must be of type integer.'] },
    ],
    [`search=${'x'.repeat(256)}`, { search: ['The search field must not be longer than 255 characters.'] }],
    [`entityId=${'9'.repeat(256)}`, { entityId: ['The entityId field must not be longer than 255 characters.'] }],
  ])('rejects %s', async (query, errors) => {
    const { status, body } = await read(query);
    expect([status, body.errors]).toEqual([422, errors]);
  });

  it.each([
    'x',
    'W10',
    Buffer.from('["audit","next",1e3]').toString('base64url'),
    `${Buffer.from('["audit","next",7]').toString('base64url')}=`,
  ])('takes the cursor %s for the first page', async (cursor) => {
    expect(idsOf(await read(`limit=3&cursor=${encodeURIComponent(cursor)}`))).toEqual(entries.slice(0, 3).map(({ id }) => id));
  });

  it('is for reading only', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'] as const)
      expect((await api.call(method, '/api/audit', admin)).status).toBe(404);
    expect((await api.call('DELETE', `/api/audit/${entries[0]?.id}`, admin)).status).toBe(404);
  });

  it('[S43] shows a restricted reader only the apps in scope of an account, and no number of others', async () => {
    const [own = 0, second = 0, third = 0] = apps;
    const buyer = await signInAs(databases, { role: 'Buyer', panel: 'buyer', apps: [second], since: api.now() });
    const staff = await signInAs(databases, { role: 'App Manager', apps: [own], since: api.now() });
    const { serverId: server } = await signInAsServer(databases);
    await databases.db.insertInto('check_domains').values({ app_id: second, server_id: server, status: 'ok' }).execute();
    const call = async (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
      expect((await api.call(method, `/api/${path}`, { ...admin, ...(body ? { body } : {}) })).status, path).toBeLessThan(300);
    await call('PUT', `buyers/${buyer.accountId}`, { appIds: [own, second, third] });
    await call('PUT', `buyers/${buyer.accountId}`, { appIds: [own, third] });
    await call('PUT', `users/${staff.accountId}`, { appIds: [second, third] });
    await call('DELETE', `servers/${server}`);

    const changesOf = async (query: string, caller: SignedIn) => {
      const { body } = await read(`limit=200&startDate=2026-04-01&${query}`, caller);
      return body.data.map(({ changes }: { changes: { field: string }[] }) =>
        changes.filter(({ field }) => ['appIds', 'links'].includes(field)),
      );
    };
    const accounts = [`entity=buyer&entityId=${buyer.accountId}`, `entity=user&entityId=${staff.accountId}`];
    expect(await Promise.all(accounts.map(async (query) => changesOf(query, admin)))).toEqual([
      [
        [{ field: 'appIds', from: [own, second, third], to: [own, third] }],
        [{ field: 'appIds', from: [second], to: [own, second, third] }],
      ],
      [[{ field: 'appIds', from: [own], to: [second, third] }]],
    ]);
    expect(await Promise.all(accounts.map(async (query) => changesOf(query, restrictedReader)))).toEqual([
      [[], [{ field: 'appIds', from: [], to: [own] }]],
      [[{ field: 'appIds', from: [own], to: [] }]],
    ]);
    const ofServer = `entity=server&action=delete&entityId=${server}`;
    expect(await changesOf(ofServer, admin)).toEqual([[{ field: 'links', from: [expect.any(Number)], to: [] }]]);
    expect(await changesOf(ofServer, restrictedReader)).toEqual([[]]);
    const { body } = await read(`limit=200&startDate=2026-04-01&${ofServer}`, restrictedReader);
    expect(body.data[0].changes).toContainEqual({ field: 'name', from: expect.any(String), to: null });
    // A reader without apps sees none.
    const none = await signInAs(databases, { role: 'Admin', apps: [], since: api.now() });
    expect(await changesOf(accounts[0] ?? '', none)).toEqual([[], []]);
  });

  it('[PERMX-035] shows a restricted reader no filter of requests that names apps or streams', async () => {
    const [own = 0, other = 0] = apps;
    const filter = 'geo=DE&streamUid%5B%5D=of-the-other-app';
    const scope = { apps: 'chosen', verticals: [], app_ids: [own, other] };
    const body = { name: 'Errors of a stream', kind: 'error_share', request_filter: filter, scope };
    const made = await api.call('POST', '/api/alerts/rules', { ...admin, body });
    await api.call('PUT', `/api/alerts/rules/${made.body.data.id}`, { ...admin, body: { request_filter: 'geo=DE' } });
    const view = { list: 'requests', name: 'Other app', query: `appId=${other}&geo=FR`, sharing: 'everyone' };
    expect((await api.call('POST', '/api/views', { ...admin, body: view })).status).toBe(201);
    const filtersOf = async (entity: string, caller: SignedIn) => {
      const answer = await read(`entity=${entity}&startDate=2026-04-01`, caller);
      const changes: { field: string; from: unknown; to: unknown }[] = answer.body.data.flatMap(
        (entry: Entry & { changes: [] }) => entry.changes,
      );
      return changes.filter(({ field }) => ['request_filter', 'query'].includes(field)).map(({ from, to }) => [from, to]);
    };
    expect(await filtersOf('alert_rule', admin)).toEqual([
      [expect.stringContaining('of-the-other-app'), 'geo=DE'],
      [null, expect.stringContaining('of-the-other-app')],
    ]);
    expect(await filtersOf('alert_rule', restrictedReader)).toEqual([[null, 'geo=DE']]);
    expect([await filtersOf('saved_view', admin), await filtersOf('saved_view', restrictedReader)]).toEqual([
      [[null, `appId=${other}&geo=FR`]],
      [[null, 'geo=FR']],
    ]);
  });

  it('[ALERT-003, PERMX-036] shows a restricted reader rules, silences and incidents of apps in scope only, also as marks', async () => {
    const [own = 0, other = 0] = apps;
    const scopeOf = (appId: number) => ({ apps: 'chosen', verticals: [], app_ids: [appId] });
    const post = async (path: string, body: object) => (await api.call('POST', `/api/${path}`, { ...admin, body })).body.data;
    const about = async (appId: number, name: string) => {
      const rule = await post('alerts/rules', { name, kind: 'error_share', scope: scopeOf(appId) });
      const ends_at = new Date(api.now().getTime() + 3_600_000).toISOString();
      const times = { starts_at: null, ends_at, weekly: null };
      await post('alerts/silences', { note: name, kind: null, rule_id: rule.id, server_id: null, scope: scopeOf(appId), ...times });
      const { rows } = await databases.pools.ops.query<{ id: number }>(
        `insert into incidents (rule_id, rule_name, kind, severity, app_id, subject_id, affected, names, reason, is_silenced, started_at)
         values ($1, $2, 'error_share', 'warning', $3, $3, 1, '{}', 'x', false, now()) returning id`,
        [rule.id, name, appId],
      );
      await post(`incidents/${rows[0]?.id}/acknowledge`, { note: name });
    };
    await about(own, 'Rule of the own app');
    await about(other, 'Rule of the other app');
    const labels = async (caller: SignedIn) => {
      const { body } = await read('entity=alert_rule,silence,incident&startDate=2026-04-01&search=Rule+of+the', caller);
      return body.data.map((entry: Entry) => [entry.entity, entry.entity_label]);
    };
    const ofApp = (name: string) => ['incident', 'silence', 'alert_rule'].map((entity) => [entity, `Rule of the ${name} app`]);
    expect(await labels(admin)).toEqual([...ofApp('other'), ...ofApp('own')]);
    expect(await labels(restrictedReader)).toEqual(ofApp('own'));
    const marks = async (caller: SignedIn) => {
      const { body } = await api.call('GET', '/api/marks?startDate=2026-04-01&endDate=2027-12-31', caller);
      const marked: { kind: string; name: string }[] = body.data.flatMap((mark: { entries: [] }) => mark.entries);
      return marked.filter(({ kind }) => kind === 'rule').map(({ name }) => name);
    };
    expect(await marks(admin)).toContain('Rule of the other app');
    expect(await marks(restrictedReader)).toContain('Rule of the own app');
    expect(await marks(restrictedReader)).not.toContain('Rule of the other app');
  });
});
