import { type Kysely, sql } from 'kysely';

/** One row for each app and day, and other counts that were read row by row (docs/decisions/0004-traffic-store.md). */
export async function up<T>(db: Kysely<T>): Promise<void> {
  await sql.raw(tables).execute(db);
  await sql.raw(counts).execute(db);
}

const figures = `
  requests bigint not null,
  creates bigint not null,
  creates_ok bigint not null,
  receives bigint not null,
  receives_ok bigint not null,
  bots bigint not null,
  bots_ok bigint not null`;

const tables = `
create table traffic_app_days (
  day date not null,
  app_id integer not null,${figures},
  first_ip inet not null,
  last_ip inet not null,
  -- The first characters of client uids, in small letters.
  first_uid text collate "C" not null,
  last_uid text collate "C" not null,
  primary key (day, app_id)
);

-- The last day on which an app's requests had a country and a stream.
create table traffic_seen (
  app_id integer not null,
  country text not null,
  stream_uid text not null,
  day date not null,
  primary key (app_id, country, stream_uid)
);

-- The buckets of a day are quarters of an hour.
create table traffic_all_quarters (
  quarter timestamptz not null,
  type request_type not null,
  requests bigint not null,
  primary key (quarter, type)
);

-- One row an app and one of its testers, where there was one for each type and set of flags.
alter table traffic_totals rename to traffic_totals_by_flags;
alter index traffic_totals_pkey rename to traffic_totals_by_flags_pkey;
create table traffic_totals (
  app_id integer not null,
  is_qa boolean not null,${figures},
  primary key (app_id, is_qa)
);

-- Rows that many batches change: room for new versions of them on their own page spares the index.
alter table traffic_app_days set (fillfactor = 50);
alter table traffic_all_quarters set (fillfactor = 20);
alter table traffic_totals set (fillfactor = 20);
`;

// Flags: 1 an error, 2 a bot, 8 of a tester.
const counted = (requests: string): string => {
  const sum = (condition: string): string => `coalesce(sum(${requests}) filter (where ${condition}), 0)`;
  return `sum(${requests}), ${sum("type = 'create'")}, ${sum("type = 'create' and flags & 3 = 0")}, ${sum("type = 'receive'")},
    ${sum("type = 'receive' and flags & 3 = 0")}, ${sum('flags & 2 <> 0')}, ${sum('flags & 3 = 2')}`;
};

const offset = `(select coalesce(max(utc_offset), '+00:00') from traffic_calendar)::interval`;

const counts = `
insert into traffic_totals select app_id, flags & 8 <> 0, ${counted('requests')} from traffic_totals_by_flags group by 1, 2;
drop table traffic_totals_by_flags;

insert into traffic_app_days
  select (occurred_at at time zone 'UTC' + ${offset})::date, app_id, ${counted('1')}, min(ip), max(ip),
    min(left(lower(client_uid), 8) collate "C"), max(left(lower(client_uid), 8) collate "C")
  from events group by 1, 2 order by 1, 2;

insert into traffic_seen select app_id, country, stream_uid, max(day) from traffic_breakdown group by 1, 2, 3;

insert into traffic_all_quarters
  select date_bin('15 minutes', occurred_at, timestamptz 'epoch' - ${offset}), type, count(*) from events group by 1, 2 order by 1, 2;
`;
