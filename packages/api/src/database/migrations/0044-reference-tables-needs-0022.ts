import { type Kysely, sql } from 'kysely';

/**
 * Ids of channels, apps and accounts become rows with keys, and "all channels" a column of its own. Rules, silences and schedules are newer
 * than 1.3.0, which ends with migration 0022, so no released version misses the columns that are dropped.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db);
  await sql.raw(rows).execute(db);
  await sql.raw(columns).execute(db);
}

const tables = `
alter table alert_rules add column all_channels boolean not null default true;

-- A channel is replaced in its rules before it is deleted.
create table alert_rule_channels (
  rule_id integer not null references alert_rules on delete cascade,
  channel_id integer not null references channels,
  primary key (rule_id, channel_id)
);
create index alert_rule_channels_channel on alert_rule_channels (channel_id);

create table alert_rule_apps (
  rule_id integer not null references alert_rules on delete cascade,
  app_id integer not null references apps on delete cascade,
  primary key (rule_id, app_id)
);
create index alert_rule_apps_app on alert_rule_apps (app_id);

create table silence_apps (
  silence_id integer not null references silences on delete cascade,
  app_id integer not null references apps on delete cascade,
  primary key (silence_id, app_id)
);
create index silence_apps_app on silence_apps (app_id);

create table schedule_recipients (
  schedule_id integer not null references schedules on delete cascade,
  account_id integer not null references accounts on delete cascade,
  primary key (schedule_id, account_id)
);
create index schedule_recipients_account on schedule_recipients (account_id);
`;

/** Ids that lead nowhere are dropped. What named only such ids names nothing: `all_channels` and `scope_apps` still say that it is not about all. */
const rows = `
update alert_rules set all_channels = false where channel_ids is not null;
insert into alert_rule_channels select rule.id, channel.id from alert_rules rule join channels channel on channel.id = any(rule.channel_ids);
insert into alert_rule_apps select rule.id, app.id from alert_rules rule join apps app on app.id = any(rule.app_ids);
insert into silence_apps select silence.id, app.id from silences silence join apps app on app.id = any(silence.app_ids);
insert into schedule_recipients
  select schedule.id, account.id from schedules schedule
  join accounts account on account.id = any(schedule.recipient_ids) and account.deleted_at is null;
`;

const columns = `
alter table alert_rules drop column channel_ids, drop column app_ids;
alter table silences drop column app_ids;
alter table schedules drop column recipient_ids;
`;
