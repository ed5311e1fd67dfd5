import { type Kysely, sql } from 'kysely';

/** The order in which batches of requests were committed, for live streams (docs/decisions/0012-live-tail.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(batches).execute(db);
}

const batches = `
create sequence request_batches_seq;

-- What a transaction stored: the events between its first and its last id whose xmin is its own. Others may lie between.
create table request_batches (
  xid xid8 primary key default pg_current_xact_id(),
  -- Order of commits; set by the last act of the transaction.
  seq bigint unique,
  first_id bigint not null,
  last_id bigint not null,
  requests integer not null,
  committed_at timestamptz
);

-- Ids are given out when rows are made, not when they can be seen: a smaller one may come into sight later. So each
-- transaction takes its number at its very end, under a lock that is released when others can see its rows.
create function number_request_batch() returns trigger language plpgsql as $$
declare
  place bigint;
begin
  perform pg_advisory_xact_lock(7300212);
  update request_batches set seq = nextval('request_batches_seq'), committed_at = clock_timestamp()
    where xid = new.xid returning seq into place;
  perform pg_notify('switchyard_requests', place::text);
  return null;
end
$$;

create constraint trigger number_request_batch after insert on request_batches
  deferrable initially deferred for each row execute function number_request_batch();
`;
