import { markKinds, markLimits, markMessages, mark as markSchema, type Mark, type MarkEntry } from '@switchyard/contract/marks';
import { fromDate } from '@switchyard/contract/dates';
import type { Permission } from '@switchyard/contract/permissions';
import { Kysely, PostgresDialect, type CompiledQuery } from 'kysely';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { createApp } from '../../../test/factories/app.ts';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { makeApiToken, signInAs, signInAsServer, type Account, type SignedIn } from '../../../test/sign-in-as.ts';
import { soon } from '../../../test/soon.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import { markSpan } from '../../database/group-marks.ts';
import type { Tables } from '../../database/tables.ts';
import { listAuditMarks } from '../audit/audit-marks-lookup.ts';

const { databases } = await createTestDatabase();
const { ops } = databases.pools;
const now = new Date('2026-11-20T10:30:00Z');
let api: TestApi;
let admin: SignedIn;

beforeAll(async () => {
  api = await buildTestApi({ databases, startsAt: now, env: { SERVER_UTC_OFFSET: '+05:45' } });
  admin = await signIn({ role: 'Super Admin' });
  // The database writes entries at its own time, so the next one by time is to have an id above those of the scene.
  await addEntry({ entity: 'session', action: 'login', at: before(-3_000) });
  return async () => api.app.close();
});

const signIn = async (account: Account) => signInAs(databases, { since: api.now(), ...account });
const wire = (at: Date): string => at.toISOString().slice(0, 19).replace('T', ' ');
/** An instant of the scene: minutes before now. */
const before = (minutes: number): Date => new Date(now.getTime() - minutes * 60_000);

type Entry = {
  entity: string;
  action: string;
  at: Date;
  entity_id?: string;
  entity_label?: string;
  app_id?: number;
  actor_id?: number;
  request_id?: string;
  changes?: object[];
};

let entryCount = 0;

/** Ids rise with the times of entries, as those of the trail do. */
async function addEntry({ changes = [], ...entry }: Entry): Promise<number> {
  entryCount += 1;
  const row = { ...entry, id: entry.at.getTime() * 100 + (entryCount % 100), changes: JSON.stringify(changes) };
  const names = Object.keys(row);
  const { rows } = await ops.query<{ id: number }>(
    `insert into audit_entries (${names.join(', ')}) overriding system value values (${names.map((_, at) => `$${at + 1}`).join(', ')}) returning id`,
    Object.values(row),
  );
  return Number(rows[0]?.id);
}

async function addIncident(fields: Readonly<Record<string, unknown>>): Promise<number> {
  const row = {
    rule_name: 'Domains',
    kind: 'domain_expiry',
    severity: 'warning',
    subject_id: 0,
    affected: 1,
    names: [],
    reason: 'Expires in 7 days.',
    is_silenced: false,
    started_at: before(60),
    ...fields,
  };
  const names = Object.keys(row);
  const { rows } = await ops.query<{ id: number }>(
    `insert into incidents (${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')}) returning id`,
    Object.values(row),
  );
  return Number(rows[0]?.id);
}

async function marksOf(caller: { headers: Record<string, string> }, query = ''): Promise<Mark[]> {
  const { status, body } = await api.call('GET', `/api/marks?${query}`, caller);
  expect(status).toBe(200);
  return z.array(markSchema).parse(body.data);
}

/** What a caller sees: kind and name of each entry, in the order of marks. */
async function namesOf(caller: { headers: Record<string, string> }, query = ''): Promise<string[]> {
  return (await marksOf(caller, query)).flatMap(({ entries }) => entries.map(({ kind, what, name }) => `${kind} ${what} ${name ?? ''}`));
}

const write = async (body: object, caller: { headers: Record<string, string> } = admin) =>
  api.call('POST', '/api/marks/notes', { ...caller, body });
const remove = async (id: number, caller: { headers: Record<string, string> } = admin) =>
  (await api.call('DELETE', `/api/marks/notes/${id}`, caller)).status;
async function written(body: object, caller?: { headers: Record<string, string> }): Promise<number> {
  const answer = await write(body, caller);
  expect(answer.status).toBe(201);
  return answer.body.data.id;
}

describe('GET marks', () => {
  it('[MARK-001] lists changes of every kind with who, what and when, newest first, and neither exports nor values', async () => {
    const app = await createApp(databases);
    const server = await signInAsServer(databases);
    const appId = app.id;
    const secret = [
      { field: 'via', from: null, to: { kind: 'token', id: 1, name: 'hidden' } },
      { field: 'token', from: null, to: null },
      { field: 'proxy_cache_seconds', from: 4711, to: 4712 },
    ];
    const common = { app_id: appId, actor_id: admin.accountId };
    const change = await addEntry({
      entity: 'app',
      action: 'update',
      at: before(600),
      entity_id: String(appId),
      entity_label: 'Lucky',
      ...common,
      changes: secret,
    });
    await addEntry({ entity: 'app', action: 'export', at: before(590), ...common });
    await addEntry({ entity: 'server', action: 'update', at: before(540), entity_id: String(server.serverId), entity_label: 'edge-1' });
    await addEntry({ entity: 'alert_rule', action: 'create', at: before(480), entity_id: '1', entity_label: 'Silent apps' });
    await addEntry({ entity: 'black_ip', action: 'import', at: before(420), entity_label: '12 entries' });
    await addEntry({ entity: 'bulk_run', action: 'start', at: before(360), entity_id: '3', entity_label: 'app.set' });
    await addEntry({ entity: 'console', action: 'start', at: before(300), entity_label: '1.4.0' });
    const incident = await addIncident({ app_id: appId, started_at: before(240), resolved_at: before(180) });
    await written({ text: 'Campaign begins', at: before(120).toISOString(), app_id: appId });
    const day = `startDate=${wire(before(1440))}`;
    expect(await namesOf(admin, day)).toEqual([
      'note note Campaign begins',
      'incident end Domains',
      'incident begin Domains',
      'start start 1.4.0',
      'bulk start app.set',
      'ban import 12 entries',
      'rule create Silent apps',
      'server update edge-1',
      'app update Lucky',
    ]);
    const marks = await marksOf(admin, day);
    const entries = marks.flatMap((one) => one.entries);
    const { name } = await databases.db.selectFrom('accounts').select('name').where('id', '=', admin.accountId).executeTakeFirstOrThrow();
    expect(entries.at(-1)).toEqual({
      kind: 'app',
      id: change,
      at: wire(before(600)),
      what: 'update',
      name: 'Lucky',
      by: { id: admin.accountId, name },
      app: { id: appId, name: app.name },
      server: null,
      run: null,
      fields: ['Token', 'Proxy cache, seconds'],
      is_deletable: false,
    });
    expect(entries.filter(({ kind }) => kind === 'incident').map(({ id }) => id)).toEqual([incident, incident]);
    expect(JSON.stringify(marks)).not.toMatch(/471[12]|hidden|Expires in/);
    expect(new Set(entries.map(({ kind }) => kind)).size).toBe(markKinds.length);
  });

  it('[MARK-002] leaves out kinds without the permission of their history or list, and apps outside the scope', async () => {
    const [own, foreign] = [await createApp(databases), await createApp(databases)];
    const server = await signInAsServer(databases);
    await addEntry({ entity: 'app', action: 'update', at: before(10_000), app_id: own.id, entity_label: 'own' });
    await addEntry({ entity: 'app', action: 'update', at: before(10_100), app_id: foreign.id, entity_label: 'foreign' });
    await addEntry({ entity: 'firebase', action: 'upload', at: before(10_100), app_id: foreign.id, entity_label: 'foreign' });
    await addEntry({ entity: 'server', action: 'update', at: before(10_200), entity_id: String(server.serverId), entity_label: 'edge' });
    await addEntry({ entity: 'asn', action: 'update', at: before(10_300), entity_label: 'AS1' });
    const { rows: rules } = await ops.query<{ id: number }>(
      `with rule as (insert into alert_rules (name, kind, scope_apps) values ('rule', 'domain_expiry', 'chosen') returning id)
       insert into alert_rule_apps (rule_id, app_id) select id, unnest($1::int[]) from rule returning rule_id as id`,
      [[own.id, foreign.id]],
    );
    await addEntry({
      entity: 'alert_rule',
      action: 'update',
      at: before(10_400),
      entity_id: String(rules[0]?.id),
      entity_label: 'rule',
    });
    await addEntry({ entity: 'console', action: 'start', at: before(10_500), entity_label: '1.4' });
    for (const { id } of [own, foreign]) await addIncident({ rule_name: `of ${id}`, app_id: id, started_at: before(10_600) });
    await addIncident({ rule_name: 'servers', kind: 'server_silent', server_id: server.serverId, started_at: before(10_600) });
    for (const [text, subject] of [
      ['for own', { app_id: own.id }],
      ['for foreign', { app_id: foreign.id }],
      ['for server', { server_id: server.serverId }],
      ['for all', {}],
    ] as const)
      await written({ text, at: before(10_700).toISOString(), ...subject });
    const range = `startDate=${wire(before(10_710))}&endDate=${wire(before(9_990))}`;
    const seenWith = async (permissions: readonly Permission[], apps: Account['apps'] = 'all') =>
      (await namesOf(await signIn({ permissions, apps }), range)).toSorted();
    expect(await seenWith([])).toEqual([]);
    expect(await seenWith(['manager_app_edit'], [own.id])).toEqual([
      'app update own',
      `incident begin of ${own.id}`,
      'note note for all',
      'note note for own',
    ]);
    expect(await seenWith(['manager_settings_server'], [own.id])).toEqual(['incident begin servers', 'server update edge']);
    expect(await seenWith(['manager_settings_server', 'manager_app_requests'], [own.id])).toContain('note note for server');
    expect(await seenWith(['manager_settings_asns'], [own.id])).toEqual(['ban update AS1']);
    expect(await seenWith(['manager_user_activity'], [own.id])).toEqual([
      'app update own',
      'ban update AS1',
      'rule update rule',
      'server update edge',
      'start start 1.4',
    ]);
    expect(await seenWith(['manager_user_activity'])).toContain('app update foreign');
    await ops.query(`update audit_entries set changes = $1 where entity = 'alert_rule' and entity_label = 'rule'`, [
      JSON.stringify([
        { field: 'app_ids', from: [own.id], to: [own.id, foreign.id] },
        { field: 'name', from: 'a', to: 'b' },
      ]),
    ]);
    const fieldsSeenBy = async (apps: 'all' | readonly number[]): Promise<string[]> => {
      const reader = await signIn({ permissions: ['manager_user_activity'], apps });
      const { data } = (await api.call('GET', `/api/marks?${range}`, { headers: reader.headers })).body;
      return data.flatMap(({ entries }: Mark) => entries.filter(({ name }) => name === 'rule').flatMap(({ fields }) => fields));
    };
    expect(await fieldsSeenBy('all')).toHaveLength(2);
    expect(await fieldsSeenBy([own.id])).toEqual(['Name']);
    const buyer = await signIn({ panel: 'buyer', role: 'Super Buyer', apps: [own.id] });
    expect(await namesOf(buyer, range)).toEqual([]);
    const limited = await signIn({ role: 'Admin', apps: [own.id] });
    expect((await namesOf(limited, `${range}&appId=${foreign.id}`)).join()).not.toContain('foreign');
    const token = await makeApiToken(databases, { ownerId: admin.accountId, permissions: ['manager_app_edit'], apps: [own.id] });
    expect((await namesOf(token, range)).toSorted()).toEqual([
      'app update own',
      `incident begin of ${own.id}`,
      'note note for all',
      'note note for own',
    ]);
  });

  it('[MARK-003] gives the marks of an app or a server: its own, and those of all traffic', async () => {
    const [app, other] = [await createApp(databases), await createApp(databases)];
    const [linked, apart] = [await signInAsServer(databases), await signInAsServer(databases)];
    await databases.db.insertInto('check_domains').values({ app_id: app.id, server_id: linked.serverId, status: 'ok' }).execute();
    const rule = async (name: string, scope: string, apps: readonly number[] = []) => {
      const { rows } = await ops.query<{ id: number }>(
        `with rule as (insert into alert_rules (name, kind, scope_apps) values ($1, 'domain_expiry', $2) returning id),
           apps as (insert into alert_rule_apps select id, unnest($3::int[]) from rule)
         select id from rule`,
        [name, scope, apps],
      );
      await addEntry({ entity: 'alert_rule', action: 'update', at: before(20_000), entity_id: String(rows[0]?.id), entity_label: name });
    };
    await rule('covers all', 'all');
    await rule('covers app', 'chosen', [app.id]);
    await rule('covers other', 'chosen', [other.id]);
    for (const [label, id] of [
      ['app', app.id],
      ['other', other.id],
    ] as const)
      await addEntry({ entity: 'app', action: 'update', at: before(20_100), app_id: id, entity_label: label });
    for (const [label, id] of [
      ['linked', linked.serverId],
      ['apart', apart.serverId],
    ] as const)
      await addEntry({ entity: 'server', action: 'update', at: before(20_200), entity_id: String(id), entity_label: label });
    await addEntry({ entity: 'bulk_run', action: 'start', at: before(20_300), entity_label: 'app.set' });
    await addEntry({ entity: 'asn', action: 'update', at: before(20_300), entity_label: 'AS2' });
    const range = `startDate=${wire(before(20_400))}&endDate=${wire(before(19_900))}`;
    expect((await namesOf(admin, `${range}&appId=${app.id}`)).toSorted()).toEqual([
      'app update app',
      'ban update AS2',
      'rule update covers all',
      'rule update covers app',
      'server update linked',
    ]);
    expect((await namesOf(admin, `${range}&serverId=${apart.serverId}`)).toSorted()).toEqual([
      'ban update AS2',
      'rule update covers all',
      'server update apart',
    ]);
  });

  it('[MARK-004] makes one mark with a count of many changes that lie close together, of which it lists each kind', async () => {
    const app = await createApp(databases);
    const many = 3_000;
    await ops.query(
      `insert into audit_entries (id, entity, action, app_id, at, entity_label) overriding system value
       select extract(epoch from at) * 100000, 'app', 'update', $1, at, 'App ' || n
       from generate_series(1, $3) as n cross join lateral (select $2::timestamptz - n * interval '10 milliseconds' as at) as t`,
      [app.id, before(30_000), many],
    );
    await written({ text: 'Why', at: before(30_001).toISOString(), app_id: app.id });
    const range = `startDate=${wire(before(31_000))}&endDate=${wire(before(29_000))}`;
    const marks = await marksOf(admin, `${range}&appId=${app.id}`);
    expect(marks.map(({ count }) => count).reduce((sum, count) => sum + count, 0)).toBe(many + 1);
    expect(marks.length).toBeLessThanOrEqual(2);
    const [first] = marks;
    expect(first?.entries.length).toBe(markLimits.entries);
    expect(first?.entries.map(({ kind }) => kind)).toContain('note');
    expect(first?.entries.find(({ kind }) => kind === 'app')?.name).toBe('App 1');
  });

  it('[MARK-004] gives at most a hundred marks, of which none reaches over midnight of the server', async () => {
    const app = await createApp(databases);
    const start = new Date('2026-08-20T10:30:00Z');
    await ops.query(
      `insert into audit_entries (id, entity, action, app_id, at) overriding system value
       select extract(epoch from at) * 100000, 'app', 'update', $1, at
       from generate_series(0, 7500) as n cross join lateral (select $2::timestamptz + n * interval '17 minutes' as at) as t`,
      [app.id, start],
    );
    for (const days of [1, 14, 31, 88]) {
      const end = new Date(start.getTime() + days * 86_400_000);
      const marks = await marksOf(admin, `startDate=${wire(start)}&endDate=${wire(end)}&appId=${app.id}`);
      expect(marks.length).toBeGreaterThan(days === 1 ? 80 : days);
      expect(marks.length).toBeLessThanOrEqual(markLimits.marks);
      const dayOf = ({ at }: Pick<MarkEntry, 'at'>) => new Date(Date.parse(`${at}Z`) + 345 * 60_000).toISOString().slice(0, 10);
      expect(marks.every(({ entries }) => new Set(entries.map(dayOf)).size === 1)).toBe(true);
    }
    const far = await marksOf(admin, `startDate=1990-01-01&endDate=2026-11-20&appId=${app.id}`);
    expect(far.length).toBeLessThanOrEqual(markLimits.marks);
    expect((await api.call('GET', '/api/marks?startDate=2026-11-20&endDate=2026-11-19', admin)).status).toBe(422);
    expect((await api.call('GET', '/api/marks?startDate=x', admin)).status).toBe(422);
  });

  it('[MARK-005] names the bulk run of a change, and no run that a caller only claims', async () => {
    const app = await createApp(databases);
    const { rows } = await ops.query<{ id: number }>(
      `insert into bulk_runs (account_id, entity, state, ip, created_at, updated_at) values ($1, 'app', 'done', '10.0.0.1', now(), now()) returning id`,
      [admin.accountId],
    );
    const run = Number(rows[0]?.id);
    const other = await signIn({ role: 'Admin' });
    const entry = { entity: 'app', action: 'update', app_id: app.id, entity_id: String(app.id), request_id: `bulk-${run}` };
    await addEntry({ ...entry, at: before(35_000), actor_id: admin.accountId });
    await addEntry({ ...entry, at: before(35_001), actor_id: other.accountId });
    await addEntry({ ...entry, at: before(35_002), actor_id: admin.accountId, request_id: 'bulk-99999999999999999999' });
    const marks = await marksOf(admin, `startDate=${wire(before(35_010))}&endDate=${wire(before(34_000))}&appId=${app.id}`);
    expect(marks.flatMap(({ entries }) => entries.map((one) => one.run))).toEqual([run, null, null]);
  });

  it('[MARK-006] reads 200,000 entries of the trail from indexes', { timeout: 60_000 }, async () => {
    const fresh = await createTestDatabase();
    const app = await createApp(fresh.databases);
    // Marks do not read it, and it takes most of the time to fill.
    await fresh.databases.pools.ops.query('drop index audit_entries_label');
    await fresh.databases.pools.ops.query(
      `insert into audit_entries (entity, action, app_id, at, entity_label)
       select case n % 4 when 0 then 'app' when 1 then 'session' when 2 then 'request' else 'asn' end,
         case n % 4 when 0 then 'update' when 1 then 'login' when 2 then 'export' else 'update' end,
         case n % 4 when 0 then $1::int end, $2::timestamptz - (200000 - n) * interval '40 seconds', 'Entry ' || n
       from generate_series(1, 200000) as n`,
      [app.id, now],
    );
    await fresh.databases.pools.ops.query('analyze audit_entries');
    const statements: CompiledQuery[] = [];
    const reader = new Kysely<Tables>({
      dialect: new PostgresDialect({ pool: fresh.databases.pools.ops }),
      log: ({ query }) => {
        statements.push(query);
      },
    });
    const span = markSpan({ from: fromDate(before(20_160)), until: fromDate(now) }, '+00:00');
    const kinds = new Set(markKinds);
    const groups = await listAuditMarks(reader, span, { kinds, apps: 'all', servers: 'all', rules: 'all' });
    expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(2 * Math.floor((20_160 * 60) / 160));
    await listAuditMarks(reader, span, { kinds, apps: [app.id], servers: [1], rules: [1] });
    expect(statements.length).toBe(2);
    for (const { sql: text, parameters } of statements) {
      const { rows } = await fresh.databases.pools.ops.query<Record<string, string>>(`explain ${text}`, [...parameters]);
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toMatch(/Index(?: Only)? Scan|Bitmap Index Scan/);
      expect(plan).not.toContain('Seq Scan on audit_entries');
    }
  });
});

describe('notes', () => {
  it('[MARK-007] stores a note for an app, a server or all, with its audit entry, and reports what does not fit', async () => {
    const app = await createApp(databases);
    const server = await signInAsServer(databases);
    const { status, body } = await write({ text: '  Café opened \u00a0', at: '2026-11-19T10:00:00+01:00', app_id: app.id });
    expect(status).toBe(201);
    const { rows: stored } = await ops.query('select text, at, app_id, server_id, author_id from notes where id = $1', [body.data.id]);
    expect(stored).toEqual([
      { text: 'Café opened', at: new Date('2026-11-19T09:00:00Z'), app_id: app.id, server_id: null, author_id: admin.accountId },
    ]);
    const { rows } = await ops.query(
      `select entity, action, app_id, actor_id, entity_label, changes from audit_entries where entity like '%note' order by id desc limit 1`,
    );
    expect(rows[0]).toEqual({
      entity: 'app_note',
      action: 'create',
      app_id: app.id,
      actor_id: admin.accountId,
      entity_label: 'Café opened',
      changes: [
        { field: 'text', from: null, to: 'Café opened' },
        { field: 'at', from: null, to: '2026-11-19 09:00:00' },
      ],
    });
    const { rows: times } = await ops.query('select at from notes where id = $1', [await written({ text: 'Now' })]);
    expect(times).toEqual([{ at: api.now() }]);
    const problems: readonly (readonly [object, string])[] = [
      [{ text: ' ' }, 'text'],
      [{ text: 'x'.repeat(201) }, 'text'],
      [{ text: 'two\nlines' }, 'text'],
      [{ text: 'x\u0000' }, 'text'],
      [{ text: 'x', at: 'yesterday' }, 'at'],
      [{ text: 'x', at: '2026-12-31T00:00:00Z' }, 'at'],
      [{ text: 'x', at: '2020-01-01T00:00:00Z' }, 'at'],
      [{ text: 'x', app_id: 999_999 }, 'app_id'],
      [{ text: 'x', app_id: 2 ** 40 }, 'app_id'],
      [{ text: 'x', server_id: 999_999 }, 'server_id'],
      [{ text: 'x', app_id: app.id, server_id: server.serverId }, 'server_id'],
      [{ text: 'x', colour: 'red' }, 'colour'],
    ];
    for (const [sent, field] of problems) {
      const answer = await write(sent);
      expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, [field]]);
    }
  });

  it('[MARK-008] lets accounts write only about what they see, and as often as there is room', async () => {
    const [own, foreign] = [await createApp(databases), await createApp(databases)];
    const server = await signInAsServer(databases);
    const limited = await signIn({ permissions: ['manager_app_edit'], apps: [own.id] });
    const statuses = async (caller: SignedIn | { headers: Record<string, string> }) => [
      (await write({ text: 'own', app_id: own.id }, caller)).status,
      (await write({ text: 'foreign', app_id: foreign.id }, caller)).status,
      (await write({ text: 'server', server_id: server.serverId }, caller)).status,
      (await write({ text: 'all' }, caller)).status,
    ];
    expect(await statuses(limited)).toEqual([201, 422, 403, 403]);
    expect(await statuses(await signIn({ permissions: ['manager_app_edit', 'manager_settings_server'] }))).toEqual([201, 201, 201, 201]);
    const reading = ['manager_app_requests', 'manager_app_all_requests', 'manager_app_statistics', 'manager_settings_server'] as const;
    expect(await statuses(await signIn({ permissions: reading }))).toEqual([403, 403, 403, 403]);
    expect(await statuses(await signIn({ panel: 'buyer', role: 'Super Buyer', apps: [own.id] }))).toEqual([403, 403, 403, 403]);
    const token = await makeApiToken(databases, { ownerId: admin.accountId, permissions: ['manager_app_edit'], apps: [own.id] });
    expect(await statuses(token)).toEqual([201, 422, 403, 403]);
    const { rows } = await ops.query(
      `select changes -> 0 ->> 'field' as field from audit_entries where entity = 'app_note' order by id desc limit 1`,
    );
    expect(rows[0]).toEqual({ field: 'via' });
    await ops.query(`insert into notes (text, at, author_id, created_at) select 'n', now(), $1, now() from generate_series(1, $2)`, [
      limited.accountId,
      markLimits.notes - 2,
    ]);
    // Another call counts the notes of the account, and adds the last one.
    const other = await databases.pools.exports.connect();
    onTestFinished(() => other.release());
    await other.query('begin');
    await other.query('select from accounts where id = $1 for no key update', [limited.accountId]);
    const answer = write({ text: 'one too many', app_id: own.id }, limited);
    const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    await expect.poll(async () => (await ops.query(waiting)).rows, soon).toHaveLength(1);
    await other.query(`insert into notes (text, at, author_id, created_at) values ('last', now(), $1, now())`, [limited.accountId]);
    await other.query('commit');
    expect([(await answer).status, (await answer).body.errors]).toEqual([422, { text: [markMessages.tooMany] }]);
  });

  it('[MARK-009] lets the author delete a note, and who may edit its app or server, and hides it from others', async () => {
    const [own, foreign] = [await createApp(databases), await createApp(databases)];
    const server = await signInAsServer(databases);
    const author = await signIn({ permissions: ['manager_app_edit'], apps: [own.id, foreign.id] });
    const reader = await signIn({ permissions: ['manager_app_requests'], apps: [own.id] });
    const editor = await signIn({ permissions: ['manager_app_edit'], apps: [own.id] });
    const ofOwn = await written({ text: 'own', app_id: own.id }, author);
    const ofForeign = await written({ text: 'foreign', app_id: foreign.id }, author);
    const [forAll, ofServer] = [await written({ text: 'all' }), await written({ text: 'server', server_id: server.serverId })];
    const deletable = async (caller: SignedIn) =>
      (await marksOf(caller, `startDate=${wire(before(1))}&endDate=${wire(before(-1))}`))
        .flatMap(({ entries: some }) => some)
        .filter(({ is_deletable: is }) => is)
        .map(({ name }) => name);
    expect(await deletable(reader)).toEqual([]);
    expect(await deletable(editor)).toContain('own');
    for (const id of [ofOwn, forAll, ofForeign]) expect(await remove(id, reader)).toBe(403);
    for (const id of [ofForeign, ofServer, 999_999]) expect(await remove(id, editor)).toBe(404);
    expect([await remove(forAll, editor), await remove(ofForeign, editor), await remove(ofOwn, editor)]).toEqual([403, 404, 204]);
    expect([await remove(ofOwn, editor), await remove(ofForeign, author)]).toEqual([404, 204]);
    const lost = await written({ text: 'lost', app_id: own.id }, author);
    await databases.db.deleteFrom('app_accounts').where('account_id', '=', author.accountId).where('app_id', '=', own.id).execute();
    expect(await remove(lost, author)).toBe(404);
    const overseer = await signIn({ permissions: ['manager_app_edit', 'manager_settings_server'] });
    expect([await remove(ofServer, overseer), await remove(forAll, overseer), await remove(lost, overseer)]).toEqual([204, 204, 204]);
  });

  it('[MARK-010] keeps the notes of a deleted account with its name, for who manages the app to delete', async () => {
    const app = await createApp(databases);
    const author = await signIn({ permissions: ['manager_app_edit'] });
    const id = await written({ text: 'Stays', app_id: app.id }, author);
    expect((await api.call('DELETE', `/api/users/${author.accountId}`, admin)).status).toBe(204);
    const range = `startDate=${wire(before(1))}&endDate=${wire(before(-1))}&appId=${app.id}`;
    const note = (await marksOf(admin, range)).flatMap(({ entries: some }) => some).find(({ name }) => name === 'Stays');
    expect(note).toMatchObject({ id, by: { id: author.accountId }, is_deletable: true });
    expect(await remove(id)).toBe(204);
  });

  it('[MARK-011] cuts entries of notes about apps out of the trail of who does not see the app', async () => {
    const [own, foreign] = [await createApp(databases), await createApp(databases)];
    for (const { id } of [own, foreign]) await written({ text: `secret of ${id}`, app_id: id });
    const limited = await signIn({ permissions: ['manager_user_activity'], apps: [own.id] });
    for (const query of ['limit=200', 'entity=app_note', `search=secret`]) {
      const { body } = await api.call('GET', `/api/audit?${query}`, limited);
      expect(JSON.stringify(body)).toContain(`secret of ${own.id}`);
      expect(JSON.stringify(body)).not.toContain(`secret of ${foreign.id}`);
    }
  });

  it('[MARK-012] rejects notes while somebody views as another account', async () => {
    const app = await createApp(databases);
    const account = await signIn({ role: 'Admin' });
    const view = await api.call('POST', `/api/users/${account.accountId}/view-as`, admin);
    expect(view.status).toBe(201);
    const headers = { authorization: `Bearer ${view.body.data.token.accessToken}` };
    expect((await write({ text: 'x', app_id: app.id }, { headers })).status).toBe(403);
    const id = await written({ text: 'Seen', app_id: app.id });
    const range = `startDate=${wire(before(1))}&endDate=${wire(before(-1))}&appId=${app.id}`;
    expect(await namesOf({ headers }, range)).toContain('note note Seen');
    expect(await remove(id, { headers })).toBe(403);
  });
});
