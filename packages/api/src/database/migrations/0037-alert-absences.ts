import { type Kysely, sql } from 'kysely';

/** Stretches of time in which no console evaluated rules. They take the place of `alert_evaluation.watched_since`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('create table alert_absences (began_at timestamptz primary key, ended_at timestamptz not null)').execute(db);
}
