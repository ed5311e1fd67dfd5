import { type Kysely, sql } from 'kysely';

/** Boards by name beside Home, with period and filters, shared with roles and people. A layout is of Home or of a board. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(boards).execute(db);
  await sql.raw(columns).execute(db);
}

const boards = `
create table boards (
  id integer generated always as identity primary key,
  owner_id integer not null references accounts on delete cascade,
  name text not null,
  -- Period and filters of all its tiles, as the query string of a report.
  query text not null,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index boards_owner on boards (owner_id);

create table board_roles (
  board_id integer not null references boards on delete cascade,
  role_id integer not null references roles on delete cascade,
  primary key (board_id, role_id)
);
create index board_roles_role on board_roles (role_id);

create table board_accounts (
  board_id integer not null references boards on delete cascade,
  account_id integer not null references accounts on delete cascade,
  primary key (board_id, account_id)
);
create index board_accounts_account on board_accounts (account_id);
`;

const columns = `
alter table dashboard_tiles add column board_id integer references boards on delete cascade;
create index dashboard_tiles_board on dashboard_tiles (board_id);

alter table board_layouts
  drop constraint board_layouts_pkey,
  add column board_id integer references boards on delete cascade,
  add constraint board_layouts_key unique nulls not distinct (account_id, board_id);
create index board_layouts_board on board_layouts (board_id);

alter table losses drop constraint losses_kind_check, add constraint losses_kind_check check (kind in ('view', 'tile', 'schedule', 'board'));
`;
