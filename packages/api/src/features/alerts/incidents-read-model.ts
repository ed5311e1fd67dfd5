import {
  alertKindNames,
  alertKinds,
  incidentNewsRows,
  type AlertKind,
  type AlertSeverity,
  type Incident,
  type IncidentDetails,
  type IncidentNews,
  type IncidentsQuery,
  type IncidentState,
} from '@switchyard/contract/alerts';
import { wireDate } from '@switchyard/contract/dates';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { AppScope } from '@switchyard/contract/app-scope';
import { isInScope } from '../../database/sql-conditions.ts';
import type { Tables } from '../../database/tables.ts';
import { listIncidentMessages } from '../channels/incident-messages-lookup.ts';

/** Who reads incidents: the kinds that they may see, and their apps. */
export type IncidentReader = { kinds: readonly AlertKind[]; scope: AppScope };

type IncidentRow = {
  id: number;
  rule_id: number | null;
  rule_name: string;
  kind: AlertKind;
  severity: AlertSeverity;
  state: IncidentState;
  app_id: number | null;
  app_name: string | null;
  server_id: number | null;
  server_name: string | null;
  affected: number;
  names: string[];
  value: number | null;
  threshold: number | null;
  reason: string;
  window_from: Date | null;
  window_until: Date | null;
  is_silenced: boolean;
  started_at: Date;
  acknowledged_at: Date | null;
  acknowledged_by: number | null;
  acknowledged_name: string | null;
  resolved_at: Date | null;
};

const state = sql`case when incident.resolved_at is not null then 'resolved' when incident.acknowledged_at is not null then 'acknowledged'
  else 'firing' end`;

const selectIncidents = sql`
  select incident.id, incident.rule_id, incident.rule_name, incident.kind, incident.severity, ${state} as state, incident.app_id,
    app.name as app_name, incident.server_id, server.name as server_name, incident.affected, incident.names, incident.value,
    incident.threshold, incident.reason, incident.window_from, incident.window_until, incident.is_silenced, incident.started_at,
    incident.acknowledged_at, incident.acknowledged_by,
    account.name as acknowledged_name, incident.resolved_at
  from incidents as incident left join apps as app on app.id = incident.app_id
  left join traffic_servers as server on server.id = incident.server_id
  left join accounts as account on account.id = incident.acknowledged_by`;

function visible({ kinds, scope }: IncidentReader): RawBuilder<unknown> {
  return sql`incident.kind = any(${kinds}::text[]) and (incident.app_id is null or ${isInScope('incident.app_id', scope)})`;
}

function matching({ state: states, severity, kind, appId, serverId, ruleId }: Partial<IncidentsQuery>): RawBuilder<unknown> {
  const parts = [
    states && sql`${state} = any(${states}::text[])`,
    severity && sql`incident.severity = any(${severity}::text[])`,
    kind && sql`incident.kind = any(${kind}::text[])`,
    appId === undefined ? undefined : sql`incident.app_id = ${appId}::bigint`,
    serverId === undefined ? undefined : sql`incident.server_id = ${serverId}::bigint`,
    ruleId === undefined ? undefined : sql`incident.rule_id = ${ruleId}::bigint`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? sql`true` : sql.join(parts, sql` and `);
}

type Position = { toward: 'next' | 'previous'; id: number };

/** A page of the incidents that a reader may see, newest first, with the cursors of the pages beside it; null at the ends. */
export async function listVisibleIncidents(
  db: Kysely<Tables>,
  reader: IncidentReader,
  { cursor, limit, ...filter }: IncidentsQuery,
): Promise<{ rows: Incident[]; previous: string | null; next: string | null }> {
  const position = readCursor(cursor);
  const isBackwards = position?.toward === 'previous';
  const beyond = position === null ? sql`true` : isBackwards ? sql`incident.id > ${position.id}` : sql`incident.id < ${position.id}`;
  const { rows: found } = await sql<IncidentRow>`${selectIncidents} where ${visible(reader)} and ${matching(filter)} and ${beyond}
    order by incident.id ${isBackwards ? sql`asc` : sql`desc`} limit ${limit + 1}`.execute(db);
  const hasMore = found.length > limit;
  const page = found.slice(0, limit);
  if (isBackwards) page.reverse();
  const [first, last] = [page[0], page.at(-1)];
  return {
    rows: page.map(toIncident),
    previous: first && (isBackwards ? hasMore : position !== null) ? writeCursor({ toward: 'previous', id: first.id }) : null,
    next: last && (isBackwards || hasMore) ? writeCursor({ toward: 'next', id: last.id }) : null,
  };
}

/** Kinds whose subject is an app. */
const kindsOfApps = alertKindNames.filter((kind) => alertKinds[kind].subject === 'app');

/** The news of the incidents that a reader may see, with those above `after`. */
export async function findIncidentNews(db: Kysely<Tables>, reader: IncidentReader, after: number | undefined): Promise<IncidentNews> {
  const isFiring = sql`incident.resolved_at is null and incident.acknowledged_at is null and not incident.is_silenced`;
  const { rows: counts } = await sql<Omit<IncidentNews, 'rows'>>`
    select
      (select count(*) from incidents as incident where ${isFiring} and severity = 'critical' and ${visible(reader)}) as critical,
      (select count(*) from (
        select rule.kind, case when rule.kind = any(${kindsOfApps}::text[]) then pending.subject_id end as app_id
        from alert_pending as pending join alert_rules as rule on rule.id = pending.rule_id where pending.is_waiting and rule.is_on
      ) as incident where ${visible(reader)}) as waiting,
      (select coalesce(max(id), 0) from incidents as incident where ${visible(reader)}) as newest
  `.execute(db);
  const { rows } =
    after === undefined
      ? { rows: [] }
      : await sql<IncidentRow>`${selectIncidents} where ${visible(reader)} and ${isFiring} and incident.id > ${after}::bigint
          order by incident.id desc limit ${incidentNewsRows}`.execute(db);
  return { ...(counts[0] ?? { critical: 0, waiting: 0, newest: 0 }), rows: rows.map(toIncident) };
}

/** An incident that a reader may see, with its timeline, and for readers who see all apps, as channels concern them all, with its messages. */
export async function findVisibleIncident(db: Kysely<Tables>, reader: IncidentReader, id: number): Promise<IncidentDetails | undefined> {
  const { rows } = await sql<IncidentRow>`${selectIncidents} where ${visible(reader)} and incident.id = ${id}`.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { rows: events } = await sql<{
    at: Date;
    event: IncidentDetails['timeline'][number]['event'];
    actor_id: number | null;
    actor_name: string | null;
    note: string | null;
  }>`
    select event.at, event.event, event.actor_id, account.name as actor_name, event.note
    from incident_events as event left join accounts as account on account.id = event.actor_id
    where event.incident_id = ${id} order by event.id
  `.execute(db);
  return {
    ...toIncident(row),
    timeline: events.map(({ at, event, actor_id, actor_name, note }) => ({
      at: wireDate(at),
      event,
      actor: named(actor_id, actor_name),
      note,
    })),
    messages: reader.scope === 'all' ? await listIncidentMessages(db, id) : null,
  };
}

/** The first open incidents that a reader may see, firing ones first, then by severity, newest first, and the number of all. */
export async function listOpenIncidents(
  db: Kysely<Tables>,
  reader: IncidentReader,
  limit: number,
): Promise<{ total: number; rows: Incident[] }> {
  const { rows } = await sql<IncidentRow & { total: number }>`
    select *, count(*) over () as total from (${selectIncidents} where incident.resolved_at is null and ${visible(reader)}) as found
    order by acknowledged_at is not null, array_position(array['critical', 'warning', 'info'], severity), id desc limit ${limit}
  `.execute(db);
  return { total: rows[0]?.total ?? 0, rows: rows.map(toIncident) };
}

function toIncident(row: IncidentRow): Incident {
  return {
    id: row.id,
    rule: { id: row.rule_id, name: row.rule_name, kind: row.kind },
    severity: row.severity,
    state: row.state,
    app: named(row.app_id, row.app_name),
    server: named(row.server_id, row.server_name),
    affected: row.affected,
    names: row.names,
    value: row.value,
    threshold: row.threshold,
    reason: row.reason,
    window: row.window_from && row.window_until && { from: wireDate(row.window_from), until: wireDate(row.window_until) },
    is_silenced: row.is_silenced,
    started_at: wireDate(row.started_at),
    acknowledged_at: wireDate(row.acknowledged_at),
    acknowledged_by: named(row.acknowledged_by, row.acknowledged_name),
    resolved_at: wireDate(row.resolved_at),
  };
}

function named(id: number | null, name: string | null): { id: number; name: string } | null {
  return id === null || name === null ? null : { id, name };
}

function writeCursor({ toward, id }: Position): string {
  return Buffer.from(JSON.stringify(['incidents', toward, id])).toString('base64url');
}

/** The position of a cursor; null, which means the first page, for every text that `writeCursor` does not write. */
function readCursor(text: string | undefined): Position | null {
  if (text === undefined || text.length > 100) return null;
  const [, toward, id] = /^\["incidents","(next|previous)",(\d{1,9})\]$/.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if ((toward !== 'next' && toward !== 'previous') || id === undefined) return null;
  const position: Position = { toward, id: Number(id) };
  return writeCursor(position) === text ? position : null;
}
