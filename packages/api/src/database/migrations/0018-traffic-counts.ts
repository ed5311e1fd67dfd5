import { type Kysely, sql } from 'kysely';

/** Roll-ups that reports group and sum, and the server of an event (docs/decisions/0004-traffic-store.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(calendar).execute(db);
  await sql.raw(hoursOf('push', 'pushes', 'send_at')).execute(db);
  await sql.raw(hoursOf('conversion', 'conversions', 'created_at')).execute(db);
  await countOutcomes(db);
  await sql.raw(clients).execute(db);
  await sql.raw(server).execute(db);
}

/** Counts the outcomes of what is stored, for the roll-ups of reports. */
export async function countOutcomes<T>(db: Kysely<T>): Promise<void> {
  await sql.raw(requests).execute(db);
  await sql.raw(deliveries).execute(db);
}

/** Events and deliveries each remember the offset in which their own days were cut, so that either can move to another engine. */
const calendar = `
alter table traffic_calendar drop column only_row;
alter table traffic_calendar add column counts text not null default 'events' check (counts in ('events', 'deliveries'));
alter table traffic_calendar alter column counts drop default;
alter table traffic_calendar add primary key (counts);
insert into traffic_calendar (counts, utc_offset) select 'deliveries', utc_offset from traffic_calendar;
`;

const offset = `(select coalesce(max(utc_offset), '+00:00') from traffic_calendar where counts = 'deliveries')::interval`;

// Many batches change the rows of the current hour: room for new versions of them on their own page spares the index.
const hoursOf = (kind: string, table: string, time: string): string => `
create table ${kind}_hours (
  hour timestamptz not null,
  app_id integer not null,
  stored bigint not null,
  primary key (hour, app_id)
) with (fillfactor = 50);

insert into ${kind}_hours
  select date_bin('1 hour', ${time}, timestamptz 'epoch' - ${offset}), app_id, count(*) from ${table} group by 1, 2 order by 1, 2;
`;

/**
 * The traffic server that delivered an event; null for events stored before. While this waits for a long read to end, such as an
 * export, all other calls wait behind it. So it stops waiting soon and tries again. It comes last, because its lock is held until
 * the commit. No row is rewritten.
 */
const server = `
do $$
begin
  perform set_config('lock_timeout', '500ms', true);
  loop
    begin
      alter table events add column server_id integer;
      exit;
    exception when lock_not_available then
      perform pg_sleep(1);
    end;
  end loop;
  perform set_config('lock_timeout', '0', true);
end
$$`;

// Flags: 1 an error, 2 a bot. A success is neither.
const outcomes = `coalesce(sum(requests) filter (where flags & 3 = 0), 0) as successes, coalesce(sum(requests) filter (where flags & 2 <> 0), 0) as bots`;
const errors = `coalesce(sum(requests) filter (where flags & 1 <> 0), 0)`;

// Many batches change the rows of the current day: room for new versions of them on their own page spares the index.
const requests = `
create table traffic_country_days (
  day date not null,
  country text not null,
  type request_type not null,
  requests bigint not null,
  successes bigint not null,
  bots bigint not null,
  errors bigint not null default 0,
  primary key (day, country, type)
) with (fillfactor = 50);

create table traffic_stream_days (
  day date not null,
  app_id integer not null,
  stream_uid text not null,
  requests bigint not null,
  successes bigint not null,
  bots bigint not null,
  primary key (day, app_id, stream_uid)
) with (fillfactor = 50);

insert into traffic_country_days
  select day, country, type, sum(requests), ${outcomes}, ${errors} as errors from traffic_breakdown group by 1, 2, 3 order by 1, 2, 3;
insert into traffic_stream_days
  select day, app_id, stream_uid, sum(requests), ${outcomes} from traffic_breakdown group by 1, 2, 3 order by 1, 2, 3;

alter table traffic_day_types add column successes bigint not null default 0, add column bots bigint not null default 0,
  add column errors bigint not null default 0;
update traffic_day_types as kept set successes = counted.successes, bots = counted.bots, errors = counted.errors
  from (select day, app_id, type, ${outcomes}, ${errors} as errors from traffic_days group by 1, 2, 3) as counted
  where kept.day = counted.day and kept.app_id = counted.app_id and kept.type = counted.type;

alter table traffic_all_hours add column successes bigint not null default 0, add column bots bigint not null default 0,
  add column errors bigint not null default 0;
update traffic_all_hours as kept set successes = counted.successes, bots = counted.bots, errors = counted.errors
  from (select hour, type, ${outcomes}, ${errors} as errors from traffic_hours group by 1, 2) as counted
  where kept.hour = counted.hour and kept.type = counted.type;

alter table traffic_app_days add column successes bigint not null default 0;
update traffic_app_days as kept set successes = counted.successes
  from (select day, app_id, sum(requests) as successes from traffic_days where flags & 3 = 0 group by 1, 2) as counted
  where kept.day = counted.day and kept.app_id = counted.app_id;

alter table traffic_all_days add column successes bigint not null default 0, add column bots bigint not null default 0,
  add column errors bigint not null default 0;
update traffic_all_days as kept set successes = counted.successes, bots = counted.bots, errors = counted.errors
  from (select day, type, sum(successes) as successes, sum(bots) as bots, sum(errors) as errors from traffic_day_types group by 1, 2) as counted
  where kept.day = counted.day and kept.type = counted.type;
`;

const deliveries = `
create table push_status_days (
  day date not null,
  app_id integer not null,
  status text not null,
  stored bigint not null,
  primary key (day, app_id, status)
) with (fillfactor = 50);

insert into push_status_days
  select (send_at at time zone 'UTC' + ${offset})::date, app_id, status, count(*) from pushes group by 1, 2, 3 order by 1, 2, 3;

-- A missing stream is ''.
create table conversion_stream_days (
  day date not null,
  app_id integer not null,
  stream_uid text not null,
  status text not null,
  stored bigint not null,
  payout numeric not null,
  primary key (day, app_id, stream_uid, status)
) with (fillfactor = 50);

insert into conversion_stream_days
  select (created_at at time zone 'UTC' + ${offset})::date, app_id, coalesce(stream_uid, ''), status, count(*), coalesce(sum(payout), 0)
  from conversions group by 1, 2, 3, 4 order by 1, 2, 3, 4;
`;

/** Indexes that find the pushes and conversions of a client in all apps, newest first. */
const clients = `
create index pushes_client on pushes (client_uid collate "C", send_at desc, id desc) include (app_id) where client_uid is not null;
create index conversions_client on conversions (client_uid collate "C", created_at desc, id desc) include (app_id)
  where client_uid is not null;
`;
