import { type Kysely, sql } from 'kysely';

/** When the secrets of a traffic server were set, when it was last seen, and how many events it handed in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(activity).execute(db);
}

const activity = `
alter table traffic_servers
  add column token_set_at timestamptz,
  add column main_hash_set_at timestamptz,
  add column hash_set_at timestamptz,
  add column last_seen_at timestamptz;
update traffic_servers set
  token_set_at = case when token_hash is not null then updated_at end,
  main_hash_set_at = case when main_hash_sealed is not null then updated_at end,
  hash_set_at = case when hash_sealed is not null then updated_at end;

create table traffic_server_minutes (
  server_id integer not null references traffic_servers on delete cascade,
  minute timestamptz not null,
  events integer not null,
  primary key (server_id, minute)
);
create index traffic_server_minutes_age on traffic_server_minutes (minute);
`;
