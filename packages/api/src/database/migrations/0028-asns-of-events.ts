import { type Kysely, sql } from 'kysely';

/** The autonomous system of each event, and its roll-up (docs/decisions/0037-autonomous-systems.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(rollup).execute(db);
  await sql.raw(column).execute(db);
}

// Of events that were stored before, the system is not known: ''. Many batches change the rows of the current day: room for new versions
// of them on their own page spares the index.
const rollup = `
create table traffic_asn_days (
  day date not null,
  asn text not null,
  app_id integer not null,
  type request_type not null,
  requests bigint not null,
  first_id bigint not null,
  last_id bigint not null,
  successes bigint not null,
  bots bigint not null,
  errors bigint not null,
  primary key (day, asn, app_id, type)
) with (fillfactor = 50);

insert into traffic_asn_days
  select day, '', app_id, type, requests, first_id, last_id, successes, bots, errors from traffic_day_types order by 1, 2, 3, 4;
`;

/** A constant default rewrites no row. The column comes last, because its lock is held until the commit. */
const column = `
do $$
begin
  perform set_config('lock_timeout', '500ms', true);
  loop
    begin
      alter table events add column asn text not null default '';
      exit;
    exception when lock_not_available then
      perform pg_sleep(1);
    end;
  end loop;
  perform set_config('lock_timeout', '0', true);
end
$$`;
