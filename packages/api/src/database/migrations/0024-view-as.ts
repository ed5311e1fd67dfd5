import { type Kysely, sql } from 'kysely';

/** Views of the console as a role or as an account. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(views).execute(db);
}

const views = `
create table view_as_sessions (
  id integer generated always as identity primary key,
  token_hash bytea not null unique,
  -- A view ends with the session that began it, which has one at a time.
  session_id integer not null unique references sessions on delete cascade,
  role_id integer references roles on delete cascade,
  account_id integer references accounts on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  check (num_nonnulls(role_id, account_id) = 1)
);
create index view_as_sessions_role on view_as_sessions (role_id);
create index view_as_sessions_account on view_as_sessions (account_id);
`;
