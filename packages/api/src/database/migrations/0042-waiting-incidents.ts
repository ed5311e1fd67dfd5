import { type Kysely, sql } from 'kysely';

/** Conditions that would have fired, if an evaluation opened any number of incidents. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table alert_pending add column is_waiting boolean not null default false').execute(db);
}
