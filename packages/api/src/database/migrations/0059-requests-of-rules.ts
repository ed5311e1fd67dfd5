import { type Kysely, sql } from 'kysely';

/** Which requests a rule counts, and which ones an incident counted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['alert_rules', 'incidents'])
    await sql`alter table ${sql.table(table)} add column request_filter text not null default ''`.execute(db);
}
