import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What became of events, counted in the smallest roll-ups, too (docs/decisions/0004-traffic-store.md). */
export const outcomesOfDays: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw(statements).execute(db);
  },
};

// Flags: 1 an error, 2 a bot.
const statements = `
alter table traffic_app_days add column successes bigint not null default 0;
update traffic_app_days as kept set successes = counted.successes
  from (select day, app_id, sum(requests) as successes from traffic_days where flags & 3 = 0 group by 1, 2) as counted
  where kept.day = counted.day and kept.app_id = counted.app_id;

alter table traffic_day_types add column errors bigint not null default 0;
update traffic_day_types as kept set errors = counted.errors
  from (select day, app_id, type, sum(requests) as errors from traffic_days where flags & 1 <> 0 group by 1, 2, 3) as counted
  where kept.day = counted.day and kept.app_id = counted.app_id and kept.type = counted.type;

alter table traffic_country_days add column errors bigint not null default 0;
update traffic_country_days as kept set errors = counted.errors
  from (select day, country, type, sum(requests) as errors from traffic_breakdown where flags & 1 <> 0 group by 1, 2, 3) as counted
  where kept.day = counted.day and kept.country = counted.country and kept.type = counted.type;

alter table traffic_all_hours add column errors bigint not null default 0;
update traffic_all_hours as kept set errors = counted.errors
  from (select hour, type, sum(requests) as errors from traffic_hours where flags & 1 <> 0 group by 1, 2) as counted
  where kept.hour = counted.hour and kept.type = counted.type;

alter table traffic_all_days add column successes bigint not null default 0, add column bots bigint not null default 0,
  add column errors bigint not null default 0;
update traffic_all_days as kept set successes = counted.successes, bots = counted.bots, errors = counted.errors
  from (select day, type, sum(successes) as successes, sum(bots) as bots, sum(errors) as errors from traffic_day_types group by 1, 2) as counted
  where kept.day = counted.day and kept.type = counted.type;
`;
