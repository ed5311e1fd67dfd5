import { type Kysely, sql } from 'kysely';

/** Pushes and conversions, and what counts them (docs/decisions/0004-traffic-store.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(pushes).execute(db);
  await sql.raw(conversions).execute(db);
  await sql.raw(substringIndexes).execute(db);
}

// Each sort has an index of its own in both directions, because ties go by id descending in both (api 0.6).
const pushes = `
create table pushes (
  -- Order of arrival.
  id bigint not null generated always as identity,
  app_id integer not null,
  uuid uuid not null,
  push_id text not null,
  push_name text not null,
  push_message text not null,
  uid text,
  client_uid text,
  push_campaign_uid text,
  send_at timestamptz not null,
  status text not null,
  error text,
  updated_at timestamptz not null,
  -- The identity of a push: its time may change (api [91]).
  primary key (app_id, uuid)
);
-- What the list filters by stands in the index too: rows that do not match are passed without being read.
create index pushes_arrival on pushes (app_id, id) include (push_id, uid, push_campaign_uid, send_at);
create index pushes_time on pushes (app_id, send_at, id);
create index pushes_status_up on pushes (app_id, status collate "C", id desc);
create index pushes_status_down on pushes (app_id, status collate "C" desc, id desc);
create index pushes_campaign_up on pushes (app_id, push_campaign_uid collate "C", id desc);
create index pushes_campaign_down on pushes (app_id, push_campaign_uid collate "C" desc nulls last, id desc);

-- How many were ever delivered, which survives retention, and how many are stored.
create table push_totals (
  app_id integer not null,
  is_success boolean not null,
  delivered bigint not null,
  stored bigint not null,
  primary key (app_id, is_success)
);

-- Days of send_at in the server's offset, which traffic_calendar remembers.
create table push_days (
  day date not null,
  app_id integer not null,
  is_success boolean not null,
  stored bigint not null,
  primary key (day, app_id, is_success)
);
create index push_days_app on push_days (app_id, day);
`;

const conversions = `
create table conversions (
  id bigint not null generated always as identity,
  app_id integer not null,
  uuid uuid not null,
  source text not null,
  client_uid text,
  stream_uid text,
  click_id text,
  receive_apf_uid text,
  app_instance_id text,
  status_conversion text not null,
  payout numeric(16, 4),
  status text not null,
  error text,
  is_send boolean not null,
  is_qa boolean not null,
  created_at timestamptz not null,
  -- The identity of a conversion (api 13).
  primary key (app_id, uuid, created_at)
);
create index conversions_arrival on conversions (app_id, id) include (client_uid, stream_uid, status_conversion, status, is_send, created_at);
create index conversions_time on conversions (app_id, created_at, id);
create index conversions_kind on conversions (app_id, status_conversion collate "C", id desc);
create index conversions_status_up on conversions (app_id, status collate "C", id desc);
create index conversions_status_down on conversions (app_id, status collate "C" desc, id desc);
create index conversions_client_up on conversions (app_id, client_uid collate "C", id desc);
create index conversions_client_down on conversions (app_id, client_uid collate "C" desc nulls last, id desc);

create table conversion_totals (
  app_id integer not null,
  status_conversion text not null,
  status text not null,
  is_send boolean not null,
  is_qa boolean not null,
  delivered bigint not null,
  stored bigint not null,
  primary key (app_id, status_conversion, status, is_send, is_qa)
);

create table conversion_days (
  day date not null,
  app_id integer not null,
  status_conversion text not null,
  status text not null,
  is_send boolean not null,
  is_qa boolean not null,
  stored bigint not null,
  primary key (day, app_id, status_conversion, status, is_send, is_qa)
);
create index conversion_days_app on conversion_days (app_id, day);
`;

/**
 * Filters by substring are fast where the extension pg_trgm can be had, as it can with the PostgreSQL that the console
 * brings; without it they read the narrow index of their app.
 */
const substringIndexes = `
do $$
begin
  create extension if not exists pg_trgm;
exception when feature_not_supported or undefined_file or insufficient_privilege then null;
end $$;
do $$
begin
  if exists (select from pg_extension where extname = 'pg_trgm') then
    create index pushes_text on pushes using gin
      (lower(push_id) gin_trgm_ops, lower(uid) gin_trgm_ops, lower(push_campaign_uid) gin_trgm_ops);
    create index conversions_text on conversions using gin (lower(client_uid) gin_trgm_ops, lower(stream_uid) gin_trgm_ops);
  end if;
end $$;
`;
