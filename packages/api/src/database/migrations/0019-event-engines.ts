import { type Kysely, sql } from 'kysely';

/** Events in another engine: their batches, the sums of dropped weeks, and which engine holds them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(batches).execute(db);
  await sql.raw(home).execute(db);
}

const batches = `
create sequence event_batches_seq;
-- Far above the numbers of request_batches, so that live streams recognise positions of the other store.
create sequence event_batches_announced start 1000000000001;

-- Every insert into the engine, written before it: what became of an insert without an answer is found out by its number.
create table event_batches (
  seq bigint primary key default nextval('event_batches_seq'),
  first_id bigint not null,
  last_id bigint not null,
  app_ids integer[] not null,
  -- Whole hours that hold all of its events.
  from_hour timestamptz not null,
  until_hour timestamptz not null,
  requests integer not null,
  -- Void: none of its events is stored, nor ever will be.
  state text not null default 'open' check (state in ('open', 'stored', 'void')),
  -- Order of commits.
  announced bigint unique check ((state = 'stored') = (announced is not null)),
  settled_at timestamptz check ((state = 'open') = (settled_at is null))
);
create index event_batches_open on event_batches (seq) where state = 'open';

-- Opens a batch of so many events with ids in a row. Events of PostgreSQL share the sequence, since they may be copied with their ids.
create function open_event_batch(apps integer[], from_hour timestamptz, until_hour timestamptz, events integer)
  returns table (seq bigint, first_id bigint) language plpgsql as $$
declare
  first bigint;
  last bigint;
begin
  -- Held until the batch can be seen, so that another batch does not take ids in between.
  perform pg_advisory_xact_lock(7300213);
  loop
    select min(id), max(id) into first, last from (select nextval('events_id_seq') as id from generate_series(1, events)) as taken;
    exit when last - first = events - 1;
  end loop;
  return query insert into event_batches as opened (first_id, last_id, app_ids, from_hour, until_hour, requests)
    values (first, last, apps, open_event_batch.from_hour, open_event_batch.until_hour, events)
    returning opened.seq, opened.first_id;
end
$$;

-- Marks an open batch as stored and notifies live streams. Returns whether it is stored now.
create function announce_event_batch(batch bigint, events integer) returns boolean language plpgsql as $$
declare
  place bigint;
begin
  -- The number is taken under a lock that is released when others can see it, so that it is the order of commits.
  perform pg_advisory_xact_lock(7300214);
  update event_batches set state = 'stored', announced = nextval('event_batches_announced'), settled_at = clock_timestamp(), requests = events
    where seq = batch and state = 'open' returning announced into place;
  if place is null then
    return exists (select from event_batches where seq = batch and state = 'stored');
  end if;
  perform pg_notify('switchyard_events', place::text);
  return true;
end
$$;

-- Weeks whose events are no longer counted by the engine; what they summed up to is below.
create table event_weeks (
  week date primary key,
  state text not null check (state in ('dropping', 'dropped'))
);
create table event_totals_dropped (
  week date not null references event_weeks (week),
  app_id integer not null,
  is_qa boolean not null,
  creates bigint not null,
  creates_ok bigint not null,
  receives bigint not null,
  receives_ok bigint not null,
  bots bigint not null,
  bots_ok bigint not null,
  primary key (app_id, is_qa, week)
);
`;

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
