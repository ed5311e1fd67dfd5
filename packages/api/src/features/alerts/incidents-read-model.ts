import {
  alertKindNames,
  alertKinds,
  incidentNewsRows,
  type AlertKind,
  type AlertSeverity,
  type Incident,
  type IncidentDetails,
  type IncidentFilters,
  type IncidentNews,
  type IncidentsQuery,
  type IncidentState,
} from '@switchyard/contract/alerts';
import { wireDate } from '@switchyard/contract/dates';
import { filterText, withoutStreams } from '@switchyard/contract/rule-filters';
import type { IncidentGroup, IncidentGrouping } from '@switchyard/contract/incident-lists';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { AppScope } from '@switchyard/contract/app-scope';
import { containsAlike, isInScope } from '../../database/sql-conditions.ts';
import { named } from '../../database/named.ts';
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
  compared_from: Date | null;
  request_filter: string;
  reminders: number;
  is_silenced: boolean;
  started_at: Date;
  acknowledged_at: Date | null;
  acknowledged_by: number | null;
  acknowledged_name: string | null;
  resolved_at: Date | null;
};

const state = sql`case when incident.resolved_at is not null then 'resolved' when incident.acknowledged_at is not null then 'acknowledged'
  else 'firing' end`;

export const fromIncidents = sql`from incidents as incident left join apps as app on app.id = incident.app_id
  left join traffic_servers as server on server.id = incident.server_id`;

const selectIncidents = sql`
  select incident.id, incident.rule_id, incident.rule_name, incident.kind, incident.severity, ${state} as state, incident.app_id,
    app.name as app_name, incident.server_id, server.name as server_name, incident.affected, incident.names, incident.value,
    incident.threshold, incident.reason, incident.window_from, incident.window_until, incident.compared_from, incident.request_filter, incident.reminders, incident.is_silenced, incident.started_at,
    incident.acknowledged_at, incident.acknowledged_by,
    account.name as acknowledged_name, incident.resolved_at
  ${fromIncidents} left join accounts as account on account.id = incident.acknowledged_by`;

export function visible({ kinds, scope }: IncidentReader): RawBuilder<unknown> {
  return sql`incident.kind = any(${kinds}::text[]) and (incident.app_id is null or ${isInScope('incident.app_id', scope)})`;
}

function matching(
  { search, state: states, severity, kind, appId, serverId, ruleId }: Partial<IncidentFilters>,
  scope: AppScope,
): RawBuilder<unknown> {
  const parts = [
    search === undefined ? undefined : containsAlike(searchedIn(scope), search),
    // The partial index of open incidents knows nothing of states.
    states && !states.includes('resolved') ? sql`incident.resolved_at is null` : undefined,
    states && sql`${state} = any(${states}::text[])`,
    severity && sql`incident.severity = any(${severity}::text[])`,
    kind && sql`incident.kind = any(${kind}::text[])`,
    appId === undefined ? undefined : sql`incident.app_id = ${appId}::bigint`,
    serverId === undefined ? undefined : sql`incident.server_id = ${serverId}::bigint`,
    ruleId === undefined ? undefined : sql`incident.rule_id = ${ruleId}::bigint`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? sql`true` : sql.join(parts, sql` and `);
}

/** One text, so that each row is made comparable once. A reason that names streams is found by accounts that see all apps only. */
function searchedIn(scope: AppScope): RawBuilder<string> {
  const reason =
    scope === 'all' ? sql`incident.reason` : sql`case when incident.request_filter not like '%streamUid%' then incident.reason end`;
  return sql<string>`concat_ws(chr(10), ${reason}, incident.rule_name, app.name, server.name)`;
}

const gravity = sql`array_position(array['critical', 'warning', 'info'], incident.severity)`;
const sortColumns: Readonly<Record<IncidentsQuery['orderBy'], RawBuilder<unknown>>> = {
  since: sql`incident.started_at`,
  // The most severe ones are the highest.
  severity: sql`-${gravity}`,
  subject: sql`lower(coalesce(app.name, server.name)) collate natural_order`,
  value: sql`incident.value`,
};

/** The incidents that a page or a file shows. */
export type IncidentChoice = {
  filters: Partial<IncidentFilters>;
  ids?: readonly number[] | undefined;
  except?: readonly number[] | undefined;
};

function chosen(reader: IncidentReader, { filters, ids, except = [] }: IncidentChoice): RawBuilder<unknown> {
  return sql`${visible(reader)} and ${matching(filters, reader.scope)} and ${ids === undefined ? sql`true` : sql`incident.id = any(${ids}::int[])`}
    and incident.id <> all(${except}::int[])`;
}

type Order = Pick<IncidentsQuery, 'orderBy' | 'orderDirection'>;

function inOrder({ orderBy, orderDirection }: Order): RawBuilder<unknown> {
  const direction = orderDirection === 'asc' ? sql`asc` : sql`desc`;
  return sql`order by ${sortColumns[orderBy]} ${direction} nulls last, incident.id ${direction}`;
}

/** The chosen incidents that a reader may see, in the order of a list. */
export async function listVisibleIncidents(
  db: Kysely<Tables>,
  reader: IncidentReader,
  { orderBy, orderDirection, limit, offset, ...choice }: IncidentChoice & Order & { limit: number | null; offset: number },
): Promise<Incident[]> {
  const { rows } = await sql<IncidentRow>`${selectIncidents} where ${chosen(reader, choice)}
    ${inOrder({ orderBy, orderDirection })} limit ${limit} offset ${offset}`.execute(db);
  return rows.map((row) => toIncident(row, reader.scope));
}

/** The ids of the chosen incidents that a reader may see, in the order of a list. */
export async function listIncidentIds(
  db: Kysely<Tables>,
  reader: IncidentReader,
  { orderBy, orderDirection, ...choice }: IncidentChoice & Order,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select incident.id ${fromIncidents} where ${chosen(reader, choice)}
    ${inOrder({ orderBy, orderDirection })}`.execute(db);
  return rows.map(({ id }) => id);
}

/** The number of chosen incidents that a reader may see. */
export async function countVisibleIncidents(db: Kysely<Tables>, reader: IncidentReader, choice: IncidentChoice): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as total ${fromIncidents} where ${chosen(reader, choice)}`.execute(db);
  return rows[0]?.total ?? 0;
}

/** The chosen incidents that a reader may see, as far as commands on many of them need to know them, by id. */
export async function listChosenIncidents(
  db: Kysely<Tables>,
  reader: IncidentReader,
  { limit, ...choice }: IncidentChoice & { limit: number },
): Promise<ChosenIncident[]> {
  const { rows } = await sql<ChosenIncident>`
    select incident.id, incident.rule_id as "ruleId", incident.app_id as "appId", incident.server_id as "serverId", incident.kind,
      incident.resolved_at is null as "isOpen"
    ${fromIncidents} where ${chosen(reader, choice)} order by incident.id limit ${limit}
  `.execute(db);
  return rows;
}

export type ChosenIncident = {
  id: number;
  ruleId: number | null;
  appId: number | null;
  serverId: number | null;
  kind: AlertKind;
  isOpen: boolean;
};

/** Keys of the groups of each grouping. Those of deleted rules are grouped by name. */
const groupKeys: Readonly<Record<IncidentGrouping, RawBuilder<unknown>>> = {
  rule: sql`coalesce(incident.rule_id::text, 'name ' || incident.rule_name)`,
  server: sql`incident.server_id::text`,
  app: sql`incident.app_id::text`,
};

/** A page of the groups of the incidents that a reader may see, the most severe first, with the numbers of all groups and incidents. */
export async function listGroupedIncidents(
  db: Kysely<Tables>,
  reader: IncidentReader,
  { by, filters, limit, offset }: { by: IncidentGrouping; filters: Partial<IncidentFilters>; limit: number; offset: number },
): Promise<{ rows: IncidentGroup[]; groups: number; incidents: number }> {
  const { rows: sizes } = await sql<{ groups: number; incidents: number }>`
    select count(distinct ${groupKeys[by]}) as groups, count(${groupKeys[by]}) as incidents
    ${fromIncidents} where ${chosen(reader, { filters })}
  `.execute(db);
  const isFiring = sql`(incident.resolved_at is null and incident.acknowledged_at is null)`;
  const { rows } = await sql<IncidentRow & { total: number; critical: number; firing: number; since: Date }>`
    with grouped as (
      select incident.id, ${gravity} as gravity, ${isFiring} as is_firing,
        row_number() over (partition by ${groupKeys[by]} order by ${isFiring} desc, ${gravity}, incident.id desc) as nth,
        count(*) over key as total, count(*) filter (where incident.severity = 'critical') over key as critical,
        count(*) filter (where ${isFiring}) over key as firing, min(incident.started_at) over key as since
      ${fromIncidents} where ${chosen(reader, { filters })} and ${groupKeys[by]} is not null
      window key as (partition by ${groupKeys[by]})
    ), page as (
      select * from grouped where nth = 1 order by is_firing desc, gravity, total desc, id desc limit ${limit} offset ${offset}
    )
    select found.*, page.total, page.critical, page.firing, page.since from page join lateral (${selectIncidents} where incident.id = page.id) as found on true
    order by page.is_firing desc, page.gravity, page.total desc, page.id desc
  `.execute(db);
  return {
    ...(sizes[0] ?? { groups: 0, incidents: 0 }),
    rows: rows.map(({ total, critical, firing, since, ...worst }) => ({
      total,
      critical,
      firing,
      since: wireDate(since),
      worst: toIncident(worst, reader.scope),
    })),
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
  return { ...(counts[0] ?? { critical: 0, waiting: 0, newest: 0 }), rows: rows.map((row) => toIncident(row, reader.scope)) };
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
    ...toIncident(row, reader.scope),
    timeline: events.map(({ at, event, actor_id, actor_name, note }) => ({
      at: wireDate(at),
      event,
      actor: named(actor_id, actor_name),
      note,
    })),
    messages: reader.scope === 'all' ? await listIncidentMessages(db, id, row.reminders) : null,
  };
}

/** Accounts that see some apps only are shown no streams, whose uids are those of apps. */
function toIncident(row: IncidentRow, scope: AppScope): Incident {
  const filter = scope === 'all' ? row.request_filter : withoutStreams(row.request_filter);
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
    reason: row.reason.replace(filterText(row.request_filter), () => filterText(filter)),
    window: spanOf(row.window_from, row.window_until),
    compared: comparedSpan(row),
    request_filter: filter,
    is_silenced: row.is_silenced,
    started_at: wireDate(row.started_at),
    acknowledged_at: wireDate(row.acknowledged_at),
    acknowledged_by: named(row.acknowledged_by, row.acknowledged_name),
    resolved_at: wireDate(row.resolved_at),
  };
}

function spanOf(from: Date | null, until: Date | null): Incident['window'] {
  return from && until && { from: wireDate(from), until: wireDate(until) };
}

/** The earlier time that a window is compared with; it is as long. */
function comparedSpan({ window_from: from, window_until: until, compared_from: compared }: IncidentRow): Incident['compared'] {
  if (from === null || until === null || compared === null) return null;
  return spanOf(compared, new Date(compared.getTime() + until.getTime() - from.getTime()));
}
