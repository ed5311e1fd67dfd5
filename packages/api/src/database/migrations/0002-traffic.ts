import { type Kysely, sql } from 'kysely';

/** Events by week and the roll-ups that count them (docs/decisions/0004-traffic-store.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(events).execute(db);
  await sql.raw(rollups).execute(db);
}

const events = `
-- In alphabetical order, because lists sort by the name of the type.
create type request_type as enum ('create', 'error', 'proxy', 'receive', 'static', 'token', 'track');

create sequence events_id_seq;

create table events (
  -- Order of arrival.
  id bigint not null default nextval('events_id_seq'),
  uuid uuid not null,
  app_id integer not null,
  type request_type not null,
  -- Bits: 1 error, 2 bot, 4 empty postbacks domain, 8 QA (request-flags.ts).
  flags smallint not null,
  occurred_at timestamptz not null,
  received_at timestamptz not null default now(),
  ip inet not null,
  -- Unknown country, missing stream and missing label are '', so that roll-ups need no nulls.
  country text not null,
  client_uid text not null,
  stream_uid text not null,
  bot text not null,
  postbacks_domain text not null,
  user_agent text,
  -- Stored and shown, never queried: json keeps them as they came and costs no parsing.
  body_request json,
  body_response json,
  error json,
  additional_data json,
  -- The identity of a request: a batch sent again conflicts with itself (api 13).
  primary key (occurred_at, app_id, uuid)
) partition by range (occurred_at);

-- What lists filter by stands in the index of an app too: rows that do not match are passed without being read.
create index events_app_time on events (app_id, occurred_at desc, id desc, type, country, stream_uid, flags);
create index events_time on events (occurred_at desc, id desc);
create index events_ip on events (ip, occurred_at desc);
create index events_client on events (lower(client_uid) collate "C", occurred_at desc);
create index events_arrival on events (id);
create index events_type on events (type, id);
`;

const rollups = `
-- All time; survives retention.
create table traffic_totals (
  app_id integer not null,
  type request_type not null,
  flags smallint not null,
  requests bigint not null,
  primary key (app_id, type, flags)
);

-- Days and hours are cut in the server's offset, which traffic_calendar remembers. The first and the last id tell lists
-- by arrival where not to look; they may span more than is left after events were dropped, never less.
create table traffic_days (
  day date not null,
  app_id integer not null,
  type request_type not null,
  flags smallint not null,
  requests bigint not null,
  first_id bigint not null,
  last_id bigint not null,
  primary key (day, app_id, type, flags)
);

create table traffic_hours (
  hour timestamptz not null,
  app_id integer not null,
  type request_type not null,
  flags smallint not null,
  requests bigint not null,
  primary key (hour, app_id, type, flags)
);

create table traffic_breakdown (
  day date not null,
  app_id integer not null,
  type request_type not null,
  country text not null,
  stream_uid text not null,
  flags smallint not null,
  requests bigint not null,
  first_id bigint not null,
  last_id bigint not null,
  primary key (day, app_id, type, country, stream_uid, flags)
);
create index traffic_breakdown_stream on traffic_breakdown (stream_uid, day);
create index traffic_breakdown_country on traffic_breakdown (country, day);

create table traffic_calendar (
  only_row boolean primary key default true check (only_row),
  utc_offset text not null
);
`;
