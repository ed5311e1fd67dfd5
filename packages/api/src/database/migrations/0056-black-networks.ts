import { type Kysely, sql } from 'kysely';

/**
 * Networks of the black list, and the expiry, source and author of its entries. Networks have a table of their own, because the previous
 * version would send them to traffic servers that know addresses only.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db);
}

const tables = `
create table black_networks (
  network text collate "C" primary key,
  span inet not null generated always as (network::inet) stored,
  reason text not null,
  source text not null,
  expires_at timestamptz,
  set_by integer references accounts (id),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index black_networks_newest on black_networks (updated_at desc, network);
create index black_networks_span on black_networks (span);
-- Finds the networks around an address.
create index black_networks_around on black_networks using gist (span inet_ops);
create index black_networks_expiry on black_networks (expires_at) where expires_at is not null;

alter table black_ips
  add column source text not null default '',
  add column expires_at timestamptz,
  add column set_by integer references accounts (id);
create index black_ips_expiry on black_ips (expires_at) where expires_at is not null;

create constraint trigger edge_black_networks after insert or delete on black_networks deferrable initially deferred
  for each row execute function raise_edge_revision();
create constraint trigger edge_expiry_of_networks after update on black_networks deferrable initially deferred
  for each row when (old.expires_at is distinct from new.expires_at) execute function raise_edge_revision();
create constraint trigger edge_expiry_of_addresses after update on black_ips deferrable initially deferred
  for each row when (old.expires_at is distinct from new.expires_at) execute function raise_edge_revision();
`;
