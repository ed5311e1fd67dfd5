import { type Kysely, sql } from 'kysely';

/** Messages about the beginning of an incident that was over before they were delivered. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `alter table channel_messages drop constraint channel_messages_state_check,
add constraint channel_messages_state_check check (state in ('pending', 'sent', 'failed', 'dropped'))`,
    )
    .execute(db);
}
