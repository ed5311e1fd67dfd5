import { type Kysely, sql } from 'kysely';

/**
 * Counts of conversions by kind (docs/decisions/0043-kinds-of-conversions.md). Those by place are newer than 1.3.0, which ends with migration
 * 0022, so no released version misses the table that is replaced.
 */
export async function up<T>(db: Kysely<T>): Promise<void> {
  await sql.raw(`${kinds} ${places}`).execute(db);
}

// What is stored is counted afterwards, day by day. A missing stream is ''. Many batches change the rows of the current day: room for new
// versions of them on their own page spares the index.
const kinds = `
create table conversion_kind_days (
  day date not null,
  app_id integer not null,
  stream_uid text not null,
  status_conversion text not null,
  status text not null,
  stored bigint not null,
  payout numeric not null,
  primary key (day, app_id, stream_uid, status_conversion, status)
) with (fillfactor = 50);
`;

const offset = `(select coalesce(max(utc_offset), '+00:00') from traffic_calendar where counts = 'deliveries')::interval`;

const places = `
drop table conversion_place_days;

create table conversion_place_days (
  day date not null,
  app_id integer not null,
  stream_uid text not null,
  status_conversion text not null,
  country text not null,
  asn text not null,
  server_id integer not null,
  bot text not null,
  status text not null,
  stored bigint not null,
  payout numeric not null,
  primary key (day, app_id, stream_uid, status_conversion, country, asn, server_id, bot, status)
) with (fillfactor = 50);

insert into conversion_place_days
  select (created_at at time zone 'UTC' + ${offset})::date, app_id, coalesce(stream_uid, ''), status_conversion, country, asn,
    coalesce(server_id, 0), bot, status, count(*), coalesce(sum(payout), 0)
  from conversion_places join conversions using (id) group by 1, 2, 3, 4, 5, 6, 7, 8, 9;
`;
