import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Pushes and conversions by the hour, so that parts of days are summed instead of counted (docs/decisions/0004-traffic-store.md). */
export const hoursOfDeliveries: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw(hoursOf('push', 'pushes', 'send_at')).execute(db);
    await sql.raw(hoursOf('conversion', 'conversions', 'created_at')).execute(db);
  },
};

const offset = `(select coalesce(max(utc_offset), '+00:00') from traffic_calendar)::interval`;

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
