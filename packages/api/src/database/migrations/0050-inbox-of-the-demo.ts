import { type Kysely, sql } from 'kysely';

/** The kind of the channel whose messages the demo shows in the console. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `alter table channels drop constraint channels_kind_check,
add constraint channels_kind_check check (kind in ('mail', 'webhook', 'telegram', 'slack', 'mattermost', 'console'))`,
    )
    .execute(db);
}
