import { beforeAll, expect, it } from 'vitest';
import { createTestDatabase } from '../../test/test-database.ts';
import { migrate } from './migrate.ts';
import { migrations } from './all-migrations.ts';

const { databases } = await createTestDatabase();
const { ops } = databases.pools;
const read = async (statement: string) => (await ops.query({ text: statement, rowMode: 'array' })).rows;

/** Rules, silences and schedules as the version before stored them. Number 9 leads nowhere, and account 2 was deleted. */
const stored = `
  insert into apps (name, bundle, domain, vertical, response_message)
    select n, n, n || '.example', 'bet', '{}' from generate_series(1, 2) n;
  insert into channels (name, kind, is_on, minimum_severity, digest_minutes, per_hour, created_at, updated_at)
    select n, 'webhook', true, 'info', 0, 1, now(), now() from generate_series(1, 2) n;
  insert into accounts (panel, name, email, deleted_at) values ('user', 'A', 'a@a.example', null), ('user', 'B', 'b@a.example', now());
  insert into saved_views (owner_id, list, name, query, columns) values (1, 'apps', 'View', '', '{}');
  delete from alert_rules;
  insert into alert_rules (name, kind, scope_apps, app_ids, channel_ids) values
    ('all', 'domain_expiry', 'all', '{}', null), ('some', 'domain_expiry', 'chosen', '{2,1,9}', '{1,9}'),
    ('gone', 'domain_expiry', 'chosen', '{9}', '{9}'), ('none', 'domain_expiry', 'all', '{}', '{}');
  insert into silences (note, scope_apps, app_ids, starts_at, ends_at)
    values ('all', 'all', '{}', now(), now()), ('some', 'chosen', '{9,2}', now(), now()), ('gone', 'chosen', '{9}', now(), now());
  insert into schedules (owner_id, view_id, name, interval, weekday, month_day, hour, recipient_ids, is_on, next_run_at, created_at, updated_at)
    values (1, 1, 'Morning', 'day', 1, 1, 1, '{9,2,1}', true, now(), now(), now());
`;

beforeAll(async () => {
  await ops.query('drop schema public cascade; create schema public');
  await migrate(databases.opsDb, Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0044')));
  await ops.query(stored);
  await migrate(databases.opsDb);
});

it('[ALERT-129] an upgrade keeps the channels and apps of rules and silences that exist; what named only others is about none, not about all', async () => {
  const rules = `select name, scope_apps, all_channels, array(select app_id from alert_rule_apps where rule_id = rule.id order by 1),
    array(select channel_id from alert_rule_channels where rule_id = rule.id order by 1) from alert_rules rule order by id`;
  expect(await read(rules)).toEqual([
    ['all', 'all', true, [], []],
    ['some', 'chosen', false, [1, 2], [1]],
    ['gone', 'chosen', false, [], []],
    ['none', 'all', false, [], []],
  ]);
  const silences = `select note, scope_apps, array(select app_id from silence_apps where silence_id = silence.id) from silences silence order by id`;
  expect(await read(silences)).toEqual([
    ['all', 'all', []],
    ['some', 'chosen', [2]],
    ['gone', 'chosen', []],
  ]);
});

it('[SCHED-115] an upgrade keeps the recipients of schedules that were not deleted', async () => {
  expect(await read('select account_id from schedule_recipients')).toEqual([[1]]);
});

it.each([
  ['alert_rule_channels', 'insert into alert_rule_channels select rule_id, 9 from alert_rule_channels'],
  ['alert_rule_apps', 'insert into alert_rule_apps select rule_id, 9 from alert_rule_apps limit 1'],
  ['silence_apps', 'insert into silence_apps select silence_id, 9 from silence_apps'],
  ['schedule_recipients', 'insert into schedule_recipients select schedule_id, 9 from schedule_recipients'],
  ['alert_rule_channels', 'delete from channels where id = 1'],
])('[ENT-047] the database rejects a reference to what does not exist: %s', async (table, statement) => {
  await expect(ops.query(statement)).rejects.toMatchObject({ code: '23503', table });
});
