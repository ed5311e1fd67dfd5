import { auditActions, isAuditId, type AuditEntity, type AuditVia } from '@switchyard/contract/audit';
import type { Microseconds } from '@switchyard/contract/dates';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { containsText } from '../../database/sql-conditions.ts';
import type { TimeRange } from '@switchyard/traffic-store/time-range';
import type { AppScope } from '@switchyard/contract/app-scope';
import { isAboutVisibleAlert } from '../alerts/alert-entries-lookup.ts';

/** Conditions on rows of the trail; an absent part is no condition. */
export type AuditFilter = TimeRange & {
  scope: AppScope;
  actor?: number | undefined;
  /** Any of these accounts. */
  actors?: readonly number[] | undefined;
  /** Name of a changed field. */
  field?: string | undefined;
  actions?: readonly string[] | undefined;
  entities?: readonly string[] | undefined;
  entityId?: string | undefined;
  via?: readonly AuditVia['kind'][] | undefined;
  viaId?: number | undefined;
  /** Id of an entry; only its neighbours. */
  near?: string | undefined;
  search?: AuditSearch | undefined;
};

/** A search text: part of the name of the entity, or of the accounts with these ids. */
export type AuditSearch = { text: string; actors: readonly number[] };

/** A position in the trail: before or after the row with this id, a decimal text of up to 64 bits. */
export type AuditPosition = { toward: 'next' | 'previous'; id: string };

/** The opaque text of a position. */
export function writeAuditCursor({ toward, id }: AuditPosition): string {
  return Buffer.from(JSON.stringify(['audit', toward, id])).toString('base64url');
}

/** The position of a cursor; null, which means the first page, for every text that `writeAuditCursor` does not write. */
export function readAuditCursor(text: string | undefined): AuditPosition | null {
  if (text === undefined || text.length > 100) return null;
  const [, toward, id] = /^\["audit","(next|previous)","(-?\d{1,19})"\]$/.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if ((toward !== 'next' && toward !== 'previous') || id === undefined || !isAuditId(id)) return null;
  const position: AuditPosition = { toward, id };
  return writeAuditCursor(position) === text ? position : null;
}

/** The position from which rows are read, and their number. */
export type AuditPart = { position: AuditPosition | null; limit: number };

type Kind = { entity: string; action: string };

const allKinds: readonly Kind[] = Object.entries(auditActions).flatMap(([entity, actions]) =>
  actions.map((action) => ({ entity, action })),
);
/** Rows about these entities belong to an app; only readers who see the app see them. */
const appEntities: readonly string[] = ['app', 'app_server', 'firebase', 'stream', 'app_note'] satisfies AuditEntity[];
/** The first part repeats the condition of the index `audit_entries_apart`; entities that came later are a condition of their own. */
const isApart = sql<SqlBool>`e.entity not in ('app', 'app_server', 'firebase') and e.entity not in ('stream', 'app_note')`;

/**
 * SQL of the ids of a page of the trail. Each branch of it scans one index in the order of the list and ends after the
 * wanted rows, so the cost of a page does not depend on the length of the trail. There is a branch for each kind of rows
 * and, for readers with a restricted scope, for each app. A search is one branch: PostgreSQL chooses between the indexes of
 * names and accounts and the order of the list.
 */
export function auditIds(filter: AuditFilter, { position, limit }: AuditPart): RawBuilder<{ id: string }> {
  const { scope, actor, entityId, search } = filter;
  const order = sql.raw(position?.toward === 'previous' ? 'e.id asc' : 'e.id desc');
  const conditions = [
    ...boundsOf(filter),
    ...neighboursOf(filter),
    ...viaOf(filter),
    ...(filter.actors === undefined ? [] : [sql<SqlBool>`e.actor_id = any(${filter.actors}::int[])`]),
    ...(filter.field === undefined ? [] : [sql<SqlBool>`e.changes @> ${JSON.stringify([{ field: filter.field }])}::jsonb`]),
    ...(filter.scope === 'all' ? [] : [isAboutVisibleAlert(filter.scope)]),
    ...(position === null ? [] : [beyond(position)]),
    ...(search === undefined ? [] : [isFound(search)]),
  ];
  const within = sql.join<SqlBool>([...conditions, sql`true`], sql` and `);
  const kinds = askedKinds(filter);
  const walk = (...which: readonly RawBuilder<SqlBool>[]) =>
    sql`(select e.id from audit_entries e where ${sql.join([...which, within], sql` and `)} order by ${order} limit ${limit}::bigint)`;
  const perKind = (some: readonly Kind[]) => each(kindTable(some), walk(sql`e.entity = kind.entity and e.action = kind.action`));

  if (entityId !== undefined) {
    const entities = [...new Set((kinds ?? allKinds).map(({ entity }) => entity))];
    const ofEntity = walk(
      sql`e.entity = kind.entity and e.entity_id = ${entityId}::text`,
      isOneOf(kinds),
      isVisible(scope),
      isActor(actor),
    );
    return joinBranches([each(sql`unnest(${entities}::text[]) as kind (entity)`, ofEntity)], order, limit);
  }
  if (actor !== undefined || search !== undefined)
    return joinBranches([walk(isActor(actor), isOneOf(kinds), isVisible(scope))], order, limit);
  if (scope === 'all') return joinBranches([kinds === null ? walk() : perKind(kinds)], order, limit);
  const [ofApps, apart] = [true, false].map((is) => (kinds ?? allKinds).filter(({ entity }) => appEntities.includes(entity) === is));
  const ownRows = walk(sql`e.app_id = own.app_id and e.entity = kind.entity and e.action = kind.action`);
  const own = each(sql`unnest(${scope}::int[]) as own (app_id) cross join ${kindTable(ofApps ?? [])}`, ownRows);
  return joinBranches([own, kinds === null ? walk(isApart) : perKind(apart ?? [])], order, limit);
}

function kindTable(kinds: readonly Kind[]): RawBuilder<unknown> {
  return sql`unnest(${kinds.map(({ entity }) => entity)}::text[], ${kinds.map(({ action }) => action)}::text[]) as kind (entity, action)`;
}

function each(source: RawBuilder<unknown>, branch: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select found.id from ${source} cross join lateral ${branch} as found)`;
}

function joinBranches(branches: readonly RawBuilder<unknown>[], order: RawBuilder<unknown>, limit: number): RawBuilder<{ id: string }> {
  return sql`select e.id from (${sql.join(branches, sql` union all `)}) as e order by ${order} limit ${limit}::bigint`;
}

/** The kinds of rows that the filters let through; null: any. */
function askedKinds({ entities, actions }: AuditFilter): Kind[] | null {
  if (entities === undefined && actions === undefined) return null;
  return allKinds.filter(({ entity, action }) => (entities?.includes(entity) ?? true) && (actions?.includes(action) ?? true));
}

function isOneOf(kinds: readonly Kind[] | null): RawBuilder<SqlBool> {
  return kinds === null ? sql`true` : sql`(e.entity, e.action) in (select entity, action from ${kindTable(kinds)})`;
}

function isVisible(scope: AppScope): RawBuilder<SqlBool> {
  return scope === 'all' ? sql`true` : sql`((${isApart}) or e.app_id = any(${scope}::int[]))`;
}

function isActor(actor: number | undefined): RawBuilder<SqlBool> {
  return actor === undefined ? sql`true` : sql`e.actor_id = ${actor}::bigint`;
}

function isFound({ text, actors }: AuditSearch): RawBuilder<SqlBool> {
  // Names are stored in NFC. Labels of earlier names are found as they were typed; an index of their comparable texts would be large.
  const texts = [...new Set([text, text.normalize('NFC')])].map((one) => containsText(sql`lower(e.entity_label)`, one));
  return sql`(e.actor_id = any(${actors}::int[]) or ${sql.join(texts, sql` or `)})`;
}

function beyond({ toward, id }: AuditPosition): RawBuilder<SqlBool> {
  return toward === 'next' ? sql`e.id < ${id}::bigint` : sql`e.id > ${id}::bigint`;
}

/**
 * A range of time, and a range of ids that contains it, so that a scan by ids begins and ends near it. The time of a row is
 * the begin of its transaction, its id that of the insert; no transaction takes a day.
 */
export function boundsOf({ from, until }: TimeRange): RawBuilder<SqlBool>[] {
  const bounds: RawBuilder<SqlBool>[] = [];
  if (from !== undefined)
    bounds.push(
      sql`e.at >= ${moment(from)}`,
      sql`e.id > coalesce((select id from audit_entries where at < ${moment(from)} - interval '1 day' order by at desc limit 1), -9223372036854775808)`,
    );
  if (until !== undefined)
    bounds.push(
      sql`e.at < ${moment(until)}`,
      sql`e.id < coalesce((select id from audit_entries where at > ${moment(until)} + interval '1 day' order by at limit 1), 9223372036854775807)`,
    );
  return bounds;
}

/** Entries on either side of one that are its neighbours. */
const neighbours = 10;

function neighboursOf({ near }: AuditFilter): RawBuilder<SqlBool>[] {
  if (near === undefined) return [];
  const side = (toward: 'up' | 'down') => {
    const [compares, order] = toward === 'up' ? [sql`>`, sql`asc`] : [sql`<=`, sql`desc`];
    return sql`(select id from audit_entries where id ${compares} ${near}::bigint order by id ${order} limit ${neighbours}::bigint)`;
  };
  return [
    sql`e.id >= coalesce((select min(id) from ${side('down')} as older), ${near}::bigint)`,
    sql`e.id <= coalesce((select max(id) from ${side('up')} as newer), ${near}::bigint)`,
  ];
}

/** The conditions of the indexes `audit_entries_via_server` and `audit_entries_via_token`: servers have no actor, tokens have one. */
const viaConditions: Readonly<Record<AuditVia['kind'], RawBuilder<SqlBool>>> = {
  server: sql`e.changes -> 0 ->> 'field' = 'via' and e.actor_id is null`,
  token: sql`e.changes -> 0 ->> 'field' = 'via' and e.actor_id is not null`,
};

function viaOf({ via, viaId }: AuditFilter): RawBuilder<SqlBool>[] {
  const kinds = via ?? (viaId === undefined ? undefined : (['server', 'token'] as const));
  if (kinds === undefined) return [];
  const either = sql<SqlBool>`(${sql.join(
    kinds.map((kind) => viaConditions[kind]),
    sql` or `,
  )})`;
  if (viaId === undefined) return [either];
  const id = sql`coalesce(e.changes -> 0 -> 'to' ->> 'id', substring(e.changes -> 0 ->> 'to' from '\\(#(\\d+)\\)$'))`;
  return [either, sql`${id} = ${String(viaId)}::text`];
}

function moment(at: Microseconds): RawBuilder<Date> {
  return sql`(timestamptz 'epoch' + ${at}::bigint * interval '1 microsecond')`;
}
