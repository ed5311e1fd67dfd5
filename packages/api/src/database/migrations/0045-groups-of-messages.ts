import { type Kysely, sql } from 'kysely';

/** Messages of a channel are grouped by rule. A process of the previous version goes on sending each by itself. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `alter table channels add column group_wait_seconds integer not null default 30, add column group_minutes integer not null default 5;
alter table channel_messages add column group_key text;
create index channel_messages_group on channel_messages (channel_id, group_key, batched_at) where batched_at is not null;`,
    )
    .execute(db);
}
