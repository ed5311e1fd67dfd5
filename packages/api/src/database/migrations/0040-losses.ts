import { type Kysely, sql } from 'kysely';

/** What accounts lost with the account of its owner, until they dismiss it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create table losses (
  id integer generated always as identity primary key,
  account_id integer not null references accounts,
  kind text not null check (kind in ('view', 'tile', 'schedule')),
  -- The list of the view.
  list text not null,
  name text not null,
  was_default boolean not null,
  owner_name text not null,
  lost_at timestamptz not null
);
create index losses_account_id_idx on losses (account_id);`,
    )
    .execute(db);
}
