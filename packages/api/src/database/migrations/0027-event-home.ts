import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Which engine stores the events; the other one rejects them. */
export const eventHome: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw(home).execute(db);
  },
};

const home = `
create table event_home (
  only_row boolean primary key default true check (only_row),
  -- Null: there were no events yet. The first console decides.
  store text check (store in ('postgres', 'clickhouse')),
  changed_at timestamptz not null default now(),
  -- Number under which the newest copy inserts into ClickHouse.
  copy_batch bigint
);
insert into event_home (store) select case when exists (select from traffic_totals) then 'postgres' end;

-- With the code of a server that takes no writes: a console that still stores events where they were returns 503, and senders try again.
create function assert_event_home(named text) returns void language plpgsql as $$
begin
  if (select store from event_home) <> named then
    raise read_only_sql_transaction using message = 'events are not stored in ' || named || ' any more';
  end if;
end
$$;

-- Asked when the statement has its lock on the table, so that a statement that waited for the switch sees it.
create function assert_events_in_postgres() returns trigger language plpgsql as $$
begin
  if current_setting('switchyard.copies_events', true) is distinct from 'on' then
    perform assert_event_home('postgres');
  end if;
  return null;
end
$$;

create trigger assert_events_in_postgres before insert on events for each statement execute function assert_events_in_postgres();
`;
