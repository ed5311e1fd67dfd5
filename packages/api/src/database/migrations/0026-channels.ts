import { type Kysely, sql } from 'kysely';

/** Channels and the messages that they bring out. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db);
}

const tables = `
create table channels (
  id integer generated always as identity primary key,
  name text not null,
  kind text not null check (kind in ('mail', 'webhook', 'telegram', 'slack', 'mattermost')),
  addresses text[],
  -- Of Slack and Mattermost only the origin, because the rest is secret.
  url text,
  chat_id text,
  -- The url of Slack and Mattermost, or the token of a Telegram bot.
  target_sealed text,
  signing_secret_sealed text,
  old_signing_secret_sealed text,
  old_signing_secret_until timestamptz,
  is_on boolean not null,
  minimum_severity text not null check (minimum_severity in ('critical', 'warning', 'info')),
  digest_minutes integer not null,
  per_hour integer not null,
  -- Until then one process sends messages of the channel, unless it is killed. By the clock of the database.
  sending_until timestamptz,
  -- Nothing is sent before, because the receiver failed or asked to wait.
  paused_until timestamptz,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table channel_messages (
  id integer generated always as identity primary key,
  channel_id integer not null references channels on delete cascade,
  -- The same for an announcement that is repeated.
  uid text not null,
  type text not null,
  severity text not null check (severity in ('critical', 'warning', 'info')),
  title text not null,
  lines text[] not null,
  path text not null,
  data jsonb not null,
  happened_at timestamptz not null,
  state text not null default 'pending' check (state in ('pending', 'sent', 'failed')),
  attempts integer not null default 0,
  answer text,
  -- Messages that are sent together have the id of the first of them, from the first attempt on. It has the time of that.
  batch_id integer,
  batched_at timestamptz,
  next_attempt_at timestamptz,
  created_at timestamptz not null,
  sent_at timestamptz,
  unique (channel_id, uid)
);
create index channel_messages_channel on channel_messages (channel_id, id);
create index channel_messages_pending on channel_messages (channel_id, next_attempt_at) where state = 'pending';
create index channel_messages_batched on channel_messages (channel_id, batched_at) where batched_at is not null;
create index channel_messages_created on channel_messages (created_at);
`;
