import { type Kysely, sql } from 'kysely';

/** A number that grows with every change that traffic servers have to know of (docs/decisions/0015-edge-revision.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(revision).execute(db);
}

const revision = `
create table edge_revision (
  only_row boolean primary key default true check (only_row),
  revision bigint not null
);
insert into edge_revision (revision) values (1);

-- The last act of a transaction, so the lock on the one row is held for the moment of the commit only, and nobody who
-- holds it waits for another lock. Once a transaction is enough.
create function raise_edge_revision() returns trigger language plpgsql as $$
begin
  if current_setting('switchyard.edge_raised', true) is distinct from pg_current_xact_id()::text then
    perform set_config('switchyard.edge_raised', pg_current_xact_id()::text, true);
    update edge_revision set revision = revision + 1;
  end if;
  return null;
end
$$;

create constraint trigger edge_apps after update on apps deferrable initially deferred
  for each row when (old is distinct from new) execute function raise_edge_revision();
create constraint trigger edge_links_made after insert or delete on check_domains deferrable initially deferred
  for each row execute function raise_edge_revision();
create constraint trigger edge_links_changed after update on check_domains deferrable initially deferred
  for each row when ((old.status, old.is_only_cf) is distinct from (new.status, new.is_only_cf)) execute function raise_edge_revision();
create constraint trigger edge_servers_made after insert or delete on traffic_servers deferrable initially deferred
  for each row execute function raise_edge_revision();
create constraint trigger edge_servers_changed after update on traffic_servers deferrable initially deferred
  for each row when ((old.name, old.token_hash, old.ingest_enabled, old.deleted_at) is distinct from (new.name, new.token_hash, new.ingest_enabled, new.deleted_at))
  execute function raise_edge_revision();
create constraint trigger edge_black_list after insert or delete on black_ips deferrable initially deferred
  for each row execute function raise_edge_revision();
create constraint trigger edge_bans_made after insert on asns deferrable initially deferred
  for each row when (new.is_ban_create or new.is_ban_receive) execute function raise_edge_revision();
create constraint trigger edge_bans_gone after delete on asns deferrable initially deferred
  for each row when (old.is_ban_create or old.is_ban_receive) execute function raise_edge_revision();
create constraint trigger edge_bans_changed after update on asns deferrable initially deferred
  for each row when ((old.is_ban_create, old.is_ban_receive) is distinct from (new.is_ban_create, new.is_ban_receive))
  execute function raise_edge_revision();
`;
