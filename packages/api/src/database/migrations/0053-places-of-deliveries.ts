import { type Kysely, sql } from 'kysely';

/** Where the clients of pushes and conversions were, and when that is checked (docs/decisions/0042-place-of-conversions.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`${placesOf('push')} ${placesOf('conversion')} ${checks}`).execute(db);
}

/** Of deliveries whose event is known; `id` is that of the delivery. Checks change few rows, after most were read. */
const placesOf = (kind: string): string => `
create table ${kind}_places (
  id bigint primary key,
  country text not null,
  asn text not null,
  server_id integer,
  bot text not null
);`;

// Deliveries that are stored already are checked from the newest on, and again a day later, because a console of the version before stores
// some beside this one. The greatest id is that of JavaScript.
const checks = `
create table place_checks (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('push', 'conversion')),
  app_id integer not null,
  first_id bigint not null,
  last_id bigint not null,
  round smallint not null,
  due_at timestamptz not null
);
create index place_checks_due on place_checks (round, due_at);

insert into place_checks (kind, app_id, first_id, last_id, round, due_at)
  select 'conversion', app_id, 0, 9007199254740991, 5, now() from conversion_totals where stored > 0 group by app_id
  union all select 'push', app_id, 0, 9007199254740991, 5, now() from push_totals where stored > 0 group by app_id;
`;
