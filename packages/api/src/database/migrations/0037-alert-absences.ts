import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Stretches of time in which no console evaluated rules. They take the place of `alert_evaluation.watched_since`. */
export const alertAbsences: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw('create table alert_absences (began_at timestamptz primary key, ended_at timestamptz not null)').execute(db);
  },
};
