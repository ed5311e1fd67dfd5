import { type Kysely, sql } from 'kysely';

/**
 * Channels and the file format of schedules. What goes to the channels of a schedule is a row of its mails without an account, which a
 * process of the previous version leaves alone. Schedules are newer than 1.3.0, which ends with migration 0022.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `alter table schedules add column format text not null default 'csv';
create table schedule_channels (
  schedule_id integer not null references schedules on delete cascade,
  channel_id integer not null references channels on delete cascade,
  primary key (schedule_id, channel_id)
);
create index schedule_channels_channel on schedule_channels (channel_id);
alter table schedule_mails alter column account_id drop not null;
create unique index schedule_mails_to_channels on schedule_mails (schedule_id, due_at) where account_id is null;`,
    )
    .execute(db);
}
