import { type Kysely, sql } from 'kysely';

/** Further thresholds of rules, and how many of them each incident was announced for. A process of the previous version knows the first one only. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `alter table alert_rules add column further_thresholds integer[] not null default '{}';
alter table incidents add column announced_level integer not null default 0`,
    )
    .execute(db);
}
