import { type Kysely, sql } from 'kysely';

/** Counts of pushes and conversions by place, for reports (docs/decisions/0042-place-of-conversions.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`${tables} ${counts}`).execute(db);
}

// Deliveries whose place is not known are not in them: they are what is left of the counts of all. Server 0: none. Many steps change the rows of
// the current day: room for new versions of them on their own page spares the index.
const tables = `
create table push_place_days (
  day date not null,
  app_id integer not null,
  country text not null,
  asn text not null,
  server_id integer not null,
  bot text not null,
  status text not null,
  stored bigint not null,
  primary key (day, app_id, country, asn, server_id, bot, status)
) with (fillfactor = 50);

create table conversion_place_days (
  day date not null,
  app_id integer not null,
  stream_uid text not null,
  country text not null,
  asn text not null,
  server_id integer not null,
  bot text not null,
  status text not null,
  stored bigint not null,
  payout numeric not null,
  primary key (day, app_id, stream_uid, country, asn, server_id, bot, status)
) with (fillfactor = 50);
`;

const offset = `(select coalesce(max(utc_offset), '+00:00') from traffic_calendar where counts = 'deliveries')::interval`;

// No released version has places: only those that a version in between stored are counted here.
const counts = `
insert into push_place_days
  select (send_at at time zone 'UTC' + ${offset})::date, app_id, country, asn, coalesce(server_id, 0), bot, status, count(*)
  from push_places join pushes using (id) group by 1, 2, 3, 4, 5, 6, 7;

insert into conversion_place_days
  select (created_at at time zone 'UTC' + ${offset})::date, app_id, coalesce(stream_uid, ''), country, asn, coalesce(server_id, 0), bot, status,
    count(*), coalesce(sum(payout), 0)
  from conversion_places join conversions using (id) group by 1, 2, 3, 4, 5, 6, 7, 8;
`;
