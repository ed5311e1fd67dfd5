import { type Kysely, sql } from 'kysely';

/** The addresses of a mail that its next attempt goes to, because the mail server took it for the others alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table channel_messages add unreached text[]`.execute(db);
}
