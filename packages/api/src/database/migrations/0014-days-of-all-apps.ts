import { type Kysely, sql } from 'kysely';

/** Days and hours of all apps together, so that what asks for no app reads a few rows a day (docs/decisions/0004-traffic-store.md). */
export async function up<T>(db: Kysely<T>): Promise<void> {
  await sql`create table if not exists traffic_all_days (
      day date not null,
      type request_type not null,
      requests bigint not null,
      first_id bigint not null,
      last_id bigint not null,
      primary key (day, type)
    )`.execute(db);
  await sql`create table if not exists traffic_all_hours (
      hour timestamptz not null,
      type request_type not null,
      requests bigint not null,
      primary key (hour, type)
    )`.execute(db);
  // Rows that every batch changes: room for new versions of them on their own page spares the index.
  await sql`alter table traffic_all_days set (fillfactor = 20)`.execute(db);
  await sql`alter table traffic_all_hours set (fillfactor = 20)`.execute(db);
  await sql`insert into traffic_all_days (day, type, requests, first_id, last_id)
      select day, type, sum(requests), min(first_id), max(last_id) from traffic_day_types group by day, type
      on conflict do nothing`.execute(db);
  await sql`insert into traffic_all_hours (hour, type, requests)
      select hour, type, sum(requests) from traffic_hours group by hour, type on conflict do nothing`.execute(db);
}
