import { type Kysely, sql } from 'kysely';

/** The time whose rows an incident counted. Open incidents get theirs with the next evaluation. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table incidents add column window_from timestamptz, add column window_until timestamptz').execute(db);
}
