import { type Kysely, sql } from 'kysely';

/** Ends the schedules and silences of accounts that were deleted before their deletion did so. */
export async function up<T>(db: Kysely<T>): Promise<void> {
  await sql.raw(ends).execute(db);
}

const ends = `
delete from schedules where owner_id in (select id from accounts where deleted_at is not null);
update silences set starts_at = least(starts_at, now()), ends_at = now()
where ends_at > now() and created_by in (select id from accounts where deleted_at is not null);
`;
