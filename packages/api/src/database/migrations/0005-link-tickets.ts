import { sql, type Kysely } from 'kysely';

/** Each job of a link carries the ticket it was sent with; a job whose ticket is not the newest does nothing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table check_domains add column ticket integer not null default 1`.execute(db);
  await sql`create index check_domains_waiting on check_domains (next_stage_at) where status in ('add', 'bind', 'ssl')`.execute(db);
}
