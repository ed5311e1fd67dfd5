import { type Kysely, sql } from 'kysely';

/** Rules forget channels that were deleted, which they named until now: what names none reaches nobody, and says so. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `update alert_rules set channel_ids = array(select id from channels where id = any(alert_rules.channel_ids) order by id), version = version + 1
where exists (select from unnest(channel_ids) as named (id) where not exists (select from channels where channels.id = named.id))`,
    )
    .execute(db);
}
