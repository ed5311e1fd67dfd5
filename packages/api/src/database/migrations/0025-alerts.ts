import { type Kysely, sql } from 'kysely';

/** Rules, their incidents with a timeline, silences, and the state of the evaluation. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db);
}

const tables = `
create table alert_rules (
  id integer generated always as identity primary key,
  name text not null,
  kind text not null,
  threshold integer,
  scope_apps text not null default 'all' check (scope_apps in ('all', 'verticals', 'chosen')),
  verticals text[] not null default '{}',
  app_ids integer[] not null default '{}',
  pending_minutes integer not null default 0,
  severity text not null default 'warning' check (severity in ('critical', 'warning', 'info')),
  is_on boolean not null default true,
  -- Null: every channel.
  channel_ids integer[],
  owner_id integer references accounts on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1
);
create index alert_rules_owner on alert_rules (owner_id);

-- Conditions that hold, but not yet for as long as their rule wants. The subject is the app or server; 0 is the console.
create table alert_pending (
  rule_id integer not null references alert_rules on delete cascade,
  subject_id integer not null,
  since timestamptz not null,
  primary key (rule_id, subject_id)
);

-- Name, kind, severity and threshold are those of the rule, which may be deleted.
create table incidents (
  id integer generated always as identity primary key,
  rule_id integer references alert_rules on delete set null,
  rule_name text not null,
  kind text not null,
  severity text not null check (severity in ('critical', 'warning', 'info')),
  threshold integer,
  subject_id integer not null,
  app_id integer references apps on delete cascade,
  server_id integer references traffic_servers on delete cascade,
  affected integer not null,
  names text[] not null,
  value double precision,
  reason text not null,
  is_silenced boolean not null,
  started_at timestamptz not null,
  announced_at timestamptz,
  acknowledged_at timestamptz,
  acknowledged_by integer references accounts on delete set null,
  resolved_at timestamptz
);
-- One open incident of a rule for each app or server, whoever evaluates.
create unique index incidents_open on incidents (rule_id, subject_id) where resolved_at is null;
create index incidents_rule on incidents (rule_id, id desc);
create index incidents_app on incidents (app_id, id desc);
create index incidents_server on incidents (server_id, id desc);
create index incidents_acknowledged_by on incidents (acknowledged_by);
create index incidents_resolved on incidents (resolved_at) where resolved_at is not null;

create table incident_events (
  id integer generated always as identity primary key,
  incident_id integer not null references incidents on delete cascade,
  at timestamptz not null,
  event text not null check (event in ('fired', 'acknowledged', 'silenced', 'announced', 'resolved')),
  actor_id integer references accounts on delete set null,
  note text
);
create index incident_events_incident on incident_events (incident_id, id);
create index incident_events_actor on incident_events (actor_id);

create table silences (
  id integer generated always as identity primary key,
  note text not null,
  -- Null: every kind, rule and server.
  kind text,
  rule_id integer references alert_rules on delete cascade,
  server_id integer references traffic_servers on delete cascade,
  scope_apps text not null default 'all' check (scope_apps in ('all', 'verticals', 'chosen')),
  verticals text[] not null default '{}',
  app_ids integer[] not null default '{}',
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  created_by integer references accounts on delete set null,
  created_at timestamptz not null default now()
);
create index silences_end on silences (ends_at desc);
create index silences_rule on silences (rule_id);
create index silences_server on silences (server_id);
create index silences_creator on silences (created_by);

create table alert_evaluation (
  only_row boolean primary key default true check (only_row),
  -- The newest evaluation; a clock behind it resolves nothing at first.
  evaluated_at timestamptz,
  behind_since timestamptz,
  -- Evaluations have followed each other without a gap since.
  watched_since timestamptz
);
insert into alert_evaluation default values;

insert into alert_rules (name, kind, threshold, severity) values
  ('Domain expires', 'domain_expiry', 30, 'warning'),
  ('Certificate expires', 'certificate_expiry', 14, 'warning'),
  ('Link failed', 'link_failed', null, 'warning'),
  ('Server silent', 'server_silent', 10, 'critical'),
  ('App without traffic', 'app_silent', 3, 'warning'),
  ('Seals of the audit trail', 'seal_problem', null, 'critical'),
  ('Failed jobs', 'job_failed', 1, 'warning'),
  ('Disk of the logs', 'log_disk', 10, 'critical');
`;
