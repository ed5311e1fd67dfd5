import { type Kysely, sql } from 'kysely';

/** Times of the week at which a silence mutes. A process of the previous version takes such a silence for one that mutes throughout. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table silences add column weekly jsonb').execute(db);
}
