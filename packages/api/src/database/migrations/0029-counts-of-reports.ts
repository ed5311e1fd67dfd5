import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What reports group and sum, counted while rows arrive (docs/decisions/0004-traffic-store.md). */
export const countsOfReports: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw(requests).execute(db);
    await sql.raw(deliveries).execute(db);
  },
};

// Flags: 1 an error, 2 a bot. A success is neither.
const outcomes = `coalesce(sum(requests) filter (where flags & 3 = 0), 0) as successes, coalesce(sum(requests) filter (where flags & 2 <> 0), 0) as bots`;

// Many batches change the rows of the current day: room for new versions of them on their own page spares the index.
const requests = `
create table traffic_country_days (
  day date not null,
  country text not null,
  type request_type not null,
  requests bigint not null,
  successes bigint not null,
  bots bigint not null,
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
  select day, country, type, sum(requests), ${outcomes} from traffic_breakdown group by 1, 2, 3 order by 1, 2, 3;
insert into traffic_stream_days
  select day, app_id, stream_uid, sum(requests), ${outcomes} from traffic_breakdown group by 1, 2, 3 order by 1, 2, 3;

alter table traffic_day_types add column successes bigint not null default 0, add column bots bigint not null default 0;
update traffic_day_types as kept set successes = counted.successes, bots = counted.bots
  from (select day, app_id, type, ${outcomes} from traffic_days group by 1, 2, 3) as counted
  where kept.day = counted.day and kept.app_id = counted.app_id and kept.type = counted.type;

alter table traffic_all_hours add column successes bigint not null default 0, add column bots bigint not null default 0;
update traffic_all_hours as kept set successes = counted.successes, bots = counted.bots
  from (select hour, type, ${outcomes} from traffic_hours group by 1, 2) as counted
  where kept.hour = counted.hour and kept.type = counted.type;
`;

const offset = `(select coalesce(max(utc_offset), '+00:00') from traffic_calendar where counts = 'deliveries')::interval`;

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
