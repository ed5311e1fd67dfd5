import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { describe, expect, it } from 'vitest';
import { migrations } from './all-migrations.ts';

/** Migrations up to this one run while every console is stopped: 1.2.14 does not run beside a later version. */
const newestWithPause = '0021';

/** Tables that grow with traffic or with every write, and roll-ups that batches lock. */
const large = String.raw`(?:events(?:_\d{8})?|pushes|conversions|audit_entries|audit_seals|event_batches|request_batches|(?:push|conversion|event)_(?!home\b|weeks\b)\w+|traffic_(?!servers?_?|calendar\b)\w+)\b`;
const on = (before: string, after = ''): RegExp => new RegExp(`${before} (?:only |if exists )*${large}${after}`);
const alterTable = String.raw`[^;]*\b`;

const rules: readonly { breach: RegExp; unless?: RegExp; why: string }[] = [
  { breach: on('create (?:unique )?index [^;]*?on'), unless: /index concurrently| on only events\b/, why: 'build the index concurrently' },
  { breach: /\b(?:drop index|reindex)\b/, unless: /(?:drop index|reindex \w+) concurrently/, why: 'drop the index concurrently' },
  {
    breach: on(
      'alter table',
      String.raw`${alterTable}(?:type|default (?!null|true|false|'|\d)|stored|identity|(?:un)?logged|access method)\b`,
    ),
    why: 'rewrites every row',
  },
  {
    breach: on('alter table', `${alterTable}(?:check|foreign key|references)\\b`),
    unless: /\bnot valid\b/,
    why: 'add the constraint not valid',
  },
  { breach: on('alter table', `${alterTable}set not null`), why: 'reads every row under its lock' },
  {
    breach: on('alter table', `${alterTable}(?:primary key|unique|exclude)\\b`),
    unless: /using index/,
    why: 'build the index concurrently',
  },
  { breach: on('(?:update|delete from|truncate|cluster|vacuum full|lock(?: table)?)'), why: 'locks every row or the table' },
  {
    breach: new RegExp(`${on('alter table').source}(?! validate)|${on('(?:create|drop) (?:constraint )?trigger [^;]*?on').source}`),
    unless: /\block_timeout\b[^]*\block_not_available\b/,
    why: 'give up soon and try again',
  },
];

const takesAway = /\b(?:drop (?:table|column|function|view)|rename (?:to|column)|alter column|set not null)\b/;

/** The statements that a migration sends, in lower case and without comments. A text of several is cut at `;`. */
async function statementsOf(migration: Migration): Promise<string[]> {
  const statements: string[] = [];
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (own) => new PostgresIntrospector(own),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => {
      const text = query.sql.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').toLowerCase();
      const parts = text.match(/(?:\$\$.*?\$\$|'(?:[^']|'')*'|[^;])+/g) ?? [];
      statements.push(...parts.map((part) => part.trim()).filter((part) => part !== ''));
    },
  });
  await migration.up(db);
  return statements;
}

/** Reasons why a migration must not run beside a console that works. */
async function findBreaches(name: string, migration: Migration): Promise<string[]> {
  const statements = await statementsOf(migration);
  const breaches = statements.flatMap((statement) =>
    rules.filter(({ breach, unless }) => breach.test(statement) && unless?.test(statement) !== true).map(({ why }) => why),
  );
  const lockedAt = statements.findIndex((statement) => statement.includes('lock_timeout'));
  if (lockedAt !== -1 && lockedAt < statements.length - 1) breaches.push('nothing runs after a lock is taken');
  if (!/-needs-\d{4}$/.test(name) && statements.some((statement) => takesAway.test(statement))) breaches.push('name what it needs');
  const concurrent = statements.filter((statement) => / concurrently /.test(statement));
  if (concurrent.length > 0 !== name.endsWith('-concurrently')) breaches.push('name it -concurrently');
  if (concurrent.length > 0 && concurrent.length < statements.length) breaches.push('no other statement beside concurrent ones');
  for (const [at, statement] of statements.entries()) {
    const indexName = /^create (?:unique )?index concurrently (\w+)/.exec(statement)?.[1];
    if (indexName !== undefined && statements[at - 1] !== `drop index concurrently if exists ${indexName}`)
      breaches.push('drop what a failed start left');
  }
  return breaches;
}

const runs = (...texts: string[]): Migration => ({
  up: async (db) => {
    for (const text of texts) await sql.raw(text).execute(db);
  },
});

const withTimeout = (statement: string): string => `do $$ begin
  perform set_config('lock_timeout', '500ms', true);
  loop begin ${statement}; exit; exception when lock_not_available then perform pg_sleep(1); end; end loop;
end $$`;

describe('migrations beside consoles that work', () => {
  it.each([
    ['an index', ['create index a on pushes (uid)'], ['build the index concurrently']],
    [
      'an index in a text of several',
      ['create table b (id integer); create unique index a\n on audit_entries (at)'],
      ['build the index concurrently'],
    ],
    ['an index that is dropped', ['drop index pushes_time'], ['drop the index concurrently']],
    ['an index of all partitions', ['create index a on events (ip)'], ['build the index concurrently']],
    ['a type', [withTimeout('alter table events alter column bot type varchar')], ['rewrites every row', 'name what it needs']],
    ['a computed default', [withTimeout('alter table events add column a uuid default gen_random_uuid()')], ['rewrites every row']],
    [
      'a stored column',
      [withTimeout('alter table conversions add a text generated always as (lower(status)) stored')],
      ['rewrites every row'],
    ],
    ['a check', [withTimeout(`alter table pushes add check (status <> '')`)], ['add the constraint not valid']],
    ['a reference', [withTimeout('alter table events add column a integer references apps')], ['add the constraint not valid']],
    ['a key', [withTimeout('alter table traffic_seen add unique (day)')], ['build the index concurrently']],
    ['a column', ['alter table events add column a integer'], ['give up soon and try again']],
    ['a trigger', ['create trigger a before insert on events execute function b()'], ['give up soon and try again']],
    [
      'a limit without another try',
      [`set local lock_timeout = '1s'; alter table events add column a integer`],
      ['give up soon and try again', 'nothing runs after a lock is taken'],
    ],
    [
      'a lock before other work',
      [withTimeout('alter table events add column a integer'), 'select 1'],
      ['nothing runs after a lock is taken'],
    ],
    ['a change of every row', ['update traffic_app_days set bots = 0'], ['locks every row or the table']],
    ['a table', ['drop table google_states'], ['name what it needs']],
    [
      'an index under another name',
      ['drop index concurrently if exists a', 'create index concurrently a on pushes (uid)'],
      ['name it -concurrently'],
    ],
  ])('[R14, R28] are rejected: %s', async (_what, texts, expected) => {
    expect(await findBreaches('9001-bad', runs(...texts))).toEqual(expected);
  });

  it('[R14, R28] are rejected: an index that is built again over an invalid one, or beside another statement', async () => {
    const index = 'create index concurrently a on pushes (uid)';
    expect(await findBreaches('9001-bad-concurrently', runs(index))).toEqual(['drop what a failed start left']);
    const mixedMigration = runs('drop index concurrently if exists a', index, 'create table b (id integer)');
    expect(await findBreaches('9001-bad-concurrently', mixedMigration)).toEqual(['no other statement beside concurrent ones']);
  });

  it.each([
    ['9001-column', [withTimeout('alter table events add column a integer')]],
    ['9001-default', [withTimeout(`alter table events add column a text not null default ''`)]],
    ['9001-check', [withTimeout(`alter table pushes add constraint a check (status <> '') not valid`)]],
    ['9002-valid', ['alter table pushes validate constraint a']],
    ['9001-index-concurrently', ['drop index concurrently if exists a', 'create index concurrently a on pushes (uid)']],
    ['9001-of-partitions', ['create index a on only events (ip)']],
    ['9001-table', ['create table a (id integer primary key, at timestamptz default now()); create index a_at on a (at)']],
    ['9001-small', ['alter table traffic_servers add column a text', 'update traffic_calendar set utc_offset = utc_offset']],
    ['9002-gone-needs-9001', ['drop table google_states']],
  ])('[R14, R28] are accepted: %s', async (name, texts) => {
    expect(await findBreaches(name, runs(...texts))).toEqual([]);
  });

  it('[R14, R28] of this version keep the rules', async () => {
    const own = Object.entries(migrations).filter(([name]) => name.slice(0, 4) > newestWithPause);
    const breaches = await Promise.all(
      own.map(async ([name, migration]) => (await findBreaches(name, migration)).map((why) => `${name}: ${why}`)),
    );
    expect(breaches.flat()).toEqual([]);
  });

  it('[R28] are recognised by what they send, also those with code', async () => {
    const { '0018-traffic-counts': counts, '0020-search-and-checks': search } = migrations;
    if (counts === undefined || search === undefined) throw new Error('a migration was renamed');
    expect(await findBreaches('0018', counts)).toContain('build the index concurrently');
    expect(await statementsOf(search)).toContainEqual(expect.stringMatching(/^alter table "apps" add column words .* stored$/));
  });
});
