import { type Kysely, sql } from 'kysely';

/** The black list, and the registry of autonomous systems with their prefixes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db);
}

const tables = `
-- Canonical text: one spelling an address, in the order in which traffic servers get it.
create table black_ips (
  ip text collate "C" primary key,
  reason text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index black_ips_newest on black_ips (updated_at desc, ip);

create table asns (
  code bigint primary key,
  domain text not null,
  name text not null,
  is_ban_create boolean not null default false,
  is_ban_receive boolean not null default false,
  -- What a search by text looks into; a code is looked for in its own column.
  words text not null generated always as (lower(domain || E'\\n' || name)) stored
);
create index asns_banned on asns (code) where is_ban_create or is_ban_receive;

-- Ranges of addresses; they do not overlap but for single mistakes in the registry.
create table asn_prefixes (
  first inet not null,
  last inet not null,
  code bigint not null
);
create index asn_prefixes_first on asn_prefixes (first desc, last, code);

create table registry_loads (
  registry text primary key,
  -- Version of the packaged data that was loaded, or that was there when newer data was loaded.
  packaged_version text not null,
  source text not null,
  loaded_at timestamptz not null,
  systems integer not null,
  prefixes integer not null
);
`;
