import { type Kysely, sql } from 'kysely';

/** Saved reports that are pinned to Home, and the roles whose holders see them beside their owner. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db);
}

const tables = `
create table dashboard_tiles (
  id integer generated always as identity primary key,
  owner_id integer not null references accounts on delete cascade,
  view_id integer not null references saved_views on delete cascade,
  shape text not null check (shape in ('figure', 'chart', 'table')),
  -- The column of the report that a figure and a chart show.
  measure text,
  position integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index dashboard_tiles_owner on dashboard_tiles (owner_id);
create index dashboard_tiles_view on dashboard_tiles (view_id);

create table dashboard_tile_roles (
  tile_id integer not null references dashboard_tiles on delete cascade,
  role_id integer not null references roles on delete cascade,
  primary key (tile_id, role_id)
);
create index dashboard_tile_roles_role on dashboard_tile_roles (role_id);
`;
