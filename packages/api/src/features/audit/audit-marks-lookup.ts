import type { AuditAction, AuditEntity } from '@switchyard/contract/audit';
import { type AppScope, isEmptyScope } from '@switchyard/contract/app-scope';
import { fieldLabel } from '@switchyard/contract/audit-fields';
import { wireDate } from '@switchyard/contract/dates';
import type { MarkEntry, MarkKind } from '@switchyard/contract/marks';
import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import { groupMarks, type MarkGroup, type MarkSpan } from '../../database/group-marks.ts';
import { named } from '../../database/named.ts';
import type { Tables } from '../../database/tables.ts';
import { callFields } from '../history/revisions-lookup.ts';
import { appIdFields, countingFields } from './audit-entries-lookup.ts';
import { boundsOf } from './audit-query-read-model.ts';

type AuditMarkKind = Exclude<MarkKind, 'note' | 'incident'>;

/** The actions that are marks. Exports, for example, change nothing. */
const markedActions: { readonly [E in AuditEntity]?: { kind: AuditMarkKind; actions: readonly AuditAction<E>[] } } = {
  app: { kind: 'app', actions: ['create', 'update', 'archive', 'restore'] },
  app_server: { kind: 'app', actions: ['link', 'restart', 'unlink'] },
  firebase: { kind: 'app', actions: ['upload'] },
  server: { kind: 'server', actions: ['create', 'update', 'delete'] },
  alert_rule: { kind: 'rule', actions: ['create', 'update', 'delete'] },
  asn: { kind: 'ban', actions: ['update'] },
  black_ip: { kind: 'ban', actions: ['create', 'update', 'delete', 'import', 'merge'] },
  bulk_run: { kind: 'bulk', actions: ['start'] },
  console: { kind: 'start', actions: ['start'] },
};

const mostFields = 20;

/** The entries that a chart is about: these kinds, apps, and servers and rules by their ids. */
export type MarkedSubjects = {
  kinds: ReadonlySet<MarkKind>;
  apps: AppScope;
  servers: readonly number[] | 'all';
  rules: readonly number[] | 'all';
};

/** SQL of the id of the bulk run that made an entry. Callers may send any id of a request, so it counts only if the run is the actor's. */
const bulkRun = sql<number | null>`(select run.id from bulk_runs run where run.account_id = e.actor_id
  and run.id = case when e.request_id ~ '^bulk-[0-9]{1,9}$' then substr(e.request_id, 6)::int end)`;

/** Groups the entries of a span by kind and bucket. Each branch reads a range of an index. */
export async function listAuditMarks(db: Kysely<Tables>, span: MarkSpan, subjects: MarkedSubjects): Promise<MarkGroup[]> {
  const actions = Object.entries(markedActions)
    .filter(([, { kind }]) => subjects.kinds.has(kind))
    .flatMap(([entity, { kind, actions: names }]) => names.map((action) => ({ entity, action, kind })));
  if (actions.length === 0) return [];
  const within = sql.join<SqlBool>(boundsOf(span), sql` and `);
  const branch = (kinds: readonly AuditMarkKind[], source: RawBuilder<unknown>, condition: RawBuilder<SqlBool>): RawBuilder<unknown>[] => {
    const own = actions.filter(({ kind }) => kinds.includes(kind));
    if (own.length === 0) return [];
    const [entities, names, kindsOf] = [own.map(({ entity }) => entity), own.map(({ action }) => action), own.map(({ kind }) => kind)];
    return [
      sql`select marked.kind, e.id, e.at
        from unnest(${entities}::text[], ${names}::text[], ${kindsOf}::text[]) as marked (entity, action, kind) ${source}
        cross join lateral (select e.id, e.at from audit_entries e
          where ${condition} and e.entity = marked.entity and e.action = marked.action and ${within}) as e`,
    ];
  };
  const all = sql<SqlBool>`true`;
  const { apps, servers, rules } = subjects;
  const ofApps = apps === 'all' ? branch(['app'], sql``, all) : branch(['app'], given('app', apps), sql`e.app_id = app.id`);
  const branches = [
    ...(isEmptyScope(apps) ? [] : ofApps),
    ...branch(['ban', 'bulk', 'start'], sql``, all),
    ...(servers === 'all'
      ? branch(['server'], sql``, all)
      : branch(['server'], given('server', servers), sql`e.entity_id = server.id::text`)),
    ...(rules === 'all' ? branch(['rule'], sql``, all) : branch(['rule'], given('rule', rules), sql`e.entity_id = rule.id::text`)),
  ];
  return branches.length === 0 ? [] : groupMarks(db, span, sql.join(branches, sql` union all `));
}

function given(name: string, ids: readonly number[]): RawBuilder<unknown> {
  return sql`cross join unnest(${ids}::int[]) as ${sql.ref(name)} (id)`;
}

type FoundEntry = {
  id: number;
  at: Date;
  entity: AuditEntity;
  action: string;
  label: string | null;
  entity_id: string | null;
  actor_id: number | null;
  actor_name: string | null;
  app_id: number | null;
  app_name: string | null;
  run_id: number | null;
  fields: string[];
};

/** Entries of the trail as marks list them, by id, without values, and without fields of which a scope may see a part only. */
export async function listMarkedEntries(
  db: Kysely<Tables>,
  ids: readonly number[],
  scope: AppScope,
): Promise<ReadonlyMap<number, MarkEntry>> {
  if (ids.length === 0) return new Map();
  const hiddenFields = [...callFields, ...countingFields, ...(scope === 'all' ? [] : appIdFields)];
  const { rows } = await sql<FoundEntry>`
    select e.id, e.at, e.entity, e.action, e.entity_label as label, e.entity_id, e.actor_id, actor.name as actor_name,
      app.id as app_id, app.name as app_name, case when e.entity = 'bulk_run' then e.entity_id::int else ${bulkRun} end as run_id,
      array(select change ->> 'field' from jsonb_array_elements(e.changes) as change
        where change ->> 'field' <> all(${hiddenFields}::text[]) limit ${mostFields}) as fields
    from audit_entries e left join accounts actor on actor.id = e.actor_id left join apps app on app.id = e.app_id
    where e.id = any(${ids}::bigint[])
  `.execute(db);
  const toEntry = (row: FoundEntry): MarkEntry => ({
    kind: markedActions[row.entity]?.kind ?? 'app',
    id: row.id,
    at: wireDate(row.at),
    what: row.action,
    name: row.label,
    by: named(row.actor_id, row.actor_name),
    app: named(row.app_id, row.app_name),
    server: row.entity === 'server' ? named(Number(row.entity_id), row.label) : null,
    run: row.run_id,
    fields: row.fields.map(fieldLabel),
    is_deletable: false,
  });
  return new Map(rows.map((row) => [row.id, toEntry(row)]));
}

/** Which bulk runs made these entries of an app, and whose they are. Entries that are no revisions of the app are left out. */
export async function listRevisionRuns(
  db: Kysely<Tables>,
  { appId, actions, ids }: { appId: number; actions: readonly string[]; ids: readonly number[] },
): Promise<{ id: number; at: Date; run: number | null; account: number | null }[]> {
  const { rows } = await sql<{ id: number; at: Date; run: number | null; account: number | null }>`
    select e.id, e.at, ${bulkRun} as run, e.actor_id as account from audit_entries e
    where e.id = any(${ids}::bigint[]) and e.entity = 'app' and e.entity_id = ${String(appId)} and e.action = any(${actions}::text[])
    order by e.id
  `.execute(db);
  return rows;
}
