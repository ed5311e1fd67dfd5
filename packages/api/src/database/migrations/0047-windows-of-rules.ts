import { type Kysely, sql } from 'kysely';

/**
 * Windows, minimum volumes, comparisons, ends that have to hold, and reminders. A rule that a process of the previous version adds meanwhile
 * has none of them, which means the usual ones.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `alter table alert_rules add column window_minutes integer, add column minimum integer, add column comparison text,
  add column hold_minutes integer not null default 0, add column reminder_minutes integer not null default 0,
  add column unknown_since timestamptz;
update alert_rules set window_minutes = 180, minimum = 30 where kind in ('error_share', 'bot_share', 'create_drop', 'conversion_drop');
update alert_rules set minimum = 10 where kind = 'app_silent';
update alert_rules set comparison = 'last_week' where kind in ('app_silent', 'create_drop', 'conversion_drop');
alter table incidents add column compared_from timestamptz, add column calm_since timestamptz, add column reminded_at timestamptz,
  add column reminders integer not null default 0;`,
    )
    .execute(db);
}
