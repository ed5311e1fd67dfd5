import { type Kysely, sql } from 'kysely';

/** The number of rows that each bulk run stores, which the quota of an account adds up. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(counts).execute(db);
}

const counts = `
alter table bulk_runs add column row_count integer not null default 0;
update bulk_runs set row_count = (select count(*) from bulk_rows where run_id = bulk_runs.id);
`;
