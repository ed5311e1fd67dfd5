import { type Kysely, sql } from 'kysely';

/** Changes of many rows, with the result of each row. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(runs).execute(db);
}

const runs = `
create table bulk_runs (
  id integer generated always as identity primary key,
  account_id integer not null references accounts on delete cascade,
  -- The session or API token that checked it. No references: a run must notice that they have ended.
  session_id bigint,
  token_id integer,
  entity text not null,
  -- Null for an undo, whose rows have a change each.
  change jsonb,
  undo_of integer references bulk_runs on delete cascade,
  state text not null check (state in ('checking', 'ready', 'running', 'done', 'cancelled', 'stopped')),
  problem text,
  ip inet not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz
);
create index bulk_runs_account on bulk_runs (account_id, id);
create unique index bulk_runs_undo_of on bulk_runs (undo_of) where state not in ('cancelled', 'stopped');
create index bulk_runs_active on bulk_runs (updated_at) where state in ('checking', 'running');

create table bulk_rows (
  run_id integer not null references bulk_runs on delete cascade,
  -- The order in which rows are locked.
  position integer not null,
  key text not null,
  label text not null default '',
  -- The change of this row in an undo.
  change jsonb,
  -- The state in which the row must be found: that of the check, in an undo that after the undone run.
  expected text,
  check_result text check (check_result in ('changed', 'already', 'denied', 'conflict', 'failed')),
  check_message text,
  result text check (result in ('changed', 'already', 'denied', 'conflict', 'failed')),
  message text,
  -- The change that undoes this one, and the state that it must find.
  inverse jsonb,
  state_after text,
  primary key (run_id, position)
);
`;
