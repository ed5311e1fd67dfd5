import { wireDate } from '@switchyard/contract/dates';
import type { MarkEntry } from '@switchyard/contract/marks';
import { sql, type Kysely } from 'kysely';
import { groupMarks, type MarkGroup, type MarkSpan } from '../../database/group-marks.ts';
import { named } from '../../database/named.ts';
import type { Tables } from '../../database/tables.ts';
import { fromIncidents, visible, type IncidentReader } from './incidents-read-model.ts';

/** The incidents that a chart is about: of these apps and servers, or all that the reader may see. */
export type MarkedIncidents = 'all' | { apps: readonly number[]; servers: readonly number[] };

/** Ends have the ids of their incidents with the other sign, so that one incident may be in two groups. */
const instants = [
  { event: 'begin', column: 'incident.started_at', id: sql`incident.id` },
  { event: 'end', column: 'incident.resolved_at', id: sql`-incident.id` },
] as const;

/** Groups the beginnings and ends of incidents in a span by bucket. */
export async function listIncidentMarks(
  db: Kysely<Tables>,
  span: MarkSpan,
  { reader, which }: { reader: IncidentReader; which: MarkedIncidents },
): Promise<MarkGroup[]> {
  const isMarked =
    which === 'all' ? sql`true` : sql`(incident.app_id = any(${which.apps}::int[]) or incident.server_id = any(${which.servers}::int[]))`;
  const [from, until] = [new Date(span.from / 1000), new Date(span.until / 1000)];
  const branches = instants.map(
    ({ column, id }) => sql`select 'incident' as kind, ${id} as id, ${sql.ref(column)} as at from incidents as incident
      where ${sql.ref(column)} >= ${from} and ${sql.ref(column)} < ${until} and ${visible(reader)} and ${isMarked}`,
  );
  return groupMarks(db, span, sql.join(branches, sql` union all `));
}

type FoundIncident = {
  id: number;
  at: Date;
  rule_name: string;
  app_id: number | null;
  app_name: string | null;
  server_id: number | null;
  server_name: string | null;
};

/** Beginnings and ends of incidents as marks list them, by the ids that `listIncidentMarks` gives. */
export async function listMarkedIncidents(db: Kysely<Tables>, ids: readonly number[]): Promise<ReadonlyMap<number, MarkEntry>> {
  const entries = new Map<number, MarkEntry>();
  for (const { event, column } of instants) {
    const own = ids.filter((id) => id > 0 === (event === 'begin')).map(Math.abs);
    if (own.length === 0) continue;
    const { rows } = await sql<FoundIncident>`
      select incident.id, ${sql.ref(column)} as at, incident.rule_name, incident.app_id, app.name as app_name, incident.server_id,
        server.name as server_name
      ${fromIncidents} where incident.id = any(${own}::int[])
    `.execute(db);
    for (const row of rows)
      entries.set(event === 'begin' ? row.id : -row.id, {
        kind: 'incident',
        id: row.id,
        at: wireDate(row.at),
        what: event,
        name: row.rule_name,
        by: null,
        app: named(row.app_id, row.app_name),
        server: named(row.server_id, row.server_name),
        run: null,
        fields: [],
        is_deletable: false,
      });
  }
  return entries;
}

/** Rules that cover any of these apps. */
export async function listRulesOf(db: Kysely<Tables>, apps: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from alert_rules as rule where scope_apps = 'all'
      or scope_apps = 'verticals' and verticals && array(select vertical from apps where id = any(${apps}::int[]))
      or scope_apps = 'chosen' and exists (select from alert_rule_apps where rule_id = rule.id and app_id = any(${apps}::int[]))
  `.execute(db);
  return rows.map(({ id }) => id);
}
