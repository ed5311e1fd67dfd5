import { type Kysely, sql } from 'kysely';

/**
 * A tile may keep a report of its own instead of a saved view, and a number of rows; each account has its layout of Home. Tiles are newer
 * than 1.3.0, which ends with migration 0022, so no released version expects a view.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(columns).execute(db);
  await sql.raw(layouts).execute(db);
}

const columns = `
alter table dashboard_tiles
  alter column view_id drop not null,
  -- Of a tile without a view.
  add column name text,
  add column query text,
  -- Rows of a table.
  add column rows integer not null default 5,
  add constraint dashboard_tiles_source check ((view_id is null) = (query is not null) and (query is null) = (name is null));
`;

const layouts = `
create table board_layouts (
  account_id integer primary key references accounts on delete cascade,
  -- Where tiles and cards are on the grid, as the wire has it.
  places jsonb not null,
  version integer not null default 1
);
`;
