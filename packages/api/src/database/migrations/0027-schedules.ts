import { type Kysely, sql } from 'kysely';

/** Saved views that are mailed as files. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db);
}

const tables = `
create table schedules (
  id integer generated always as identity primary key,
  owner_id integer not null references accounts on delete cascade,
  view_id integer not null references saved_views on delete cascade,
  name text not null,
  "interval" text not null check ("interval" in ('day', 'week', 'month')),
  weekday integer not null,
  month_day integer not null,
  hour integer not null,
  recipient_ids integer[] not null,
  is_on boolean not null,
  next_run_at timestamptz not null,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index schedules_owner on schedules (owner_id);
create index schedules_view on schedules (view_id);
create index schedules_due on schedules (next_run_at) where is_on;

-- A run of a schedule has a mail for each recipient.
create table schedule_mails (
  id integer generated always as identity primary key,
  schedule_id integer not null references schedules on delete cascade,
  account_id integer not null references accounts on delete cascade,
  due_at timestamptz not null,
  state text not null default 'pending' check (state in ('pending', 'sent', 'denied', 'failed')),
  -- Until then one process makes and sends it, unless it is killed. By the clock of the database.
  sending_until timestamptz,
  finished_at timestamptz,
  unique (schedule_id, account_id, due_at)
);
create index schedule_mails_account on schedule_mails (account_id);
create index schedule_mails_pending on schedule_mails (due_at) where state = 'pending';
`;
