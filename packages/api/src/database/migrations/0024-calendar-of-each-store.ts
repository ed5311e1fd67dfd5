import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Events and deliveries each remember the offset in which their own days were cut, so that either can move to another engine. */
export const calendarOfEachStore: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw(calendar).execute(db);
  },
};

const calendar = `
alter table traffic_calendar drop column only_row;
alter table traffic_calendar add column counts text not null default 'events' check (counts in ('events', 'deliveries'));
alter table traffic_calendar alter column counts drop default;
alter table traffic_calendar add primary key (counts);
insert into traffic_calendar (counts, utc_offset) select 'deliveries', utc_offset from traffic_calendar;
`;
