import { auditVia, type AuditChange, type AuditRow, type AuditVia } from '@switchyard/contract/audit';
import { wireDate } from '@switchyard/contract/dates';
import { sql, type Kysely } from 'kysely';
import { isDeepStrictEqual } from 'node:util';
import { containsAlike } from '../../database/sql-conditions.ts';
import type { Tables } from '../../database/tables.ts';
import type { AppScope } from '@switchyard/contract/app-scope';
import { auditIds, readAuditCursor, writeAuditCursor, type AuditFilter } from './audit-query-read-model.ts';

type FoundEntry = {
  id: string;
  at: Date;
  actor_id: number | null;
  actor_name: string | null;
  actor_email: string | null;
  action: string;
  entity: string;
  entity_id: string | null;
  entity_label: string | null;
  ip: string | null;
  request_id: string | null;
  /** The first one may name what made the call. */
  changes: AuditChange[];
};

type PageQuery = {
  filter: AuditFilter;
  search?: string | undefined;
  /** Part of the name or email address of who made the change. */
  person?: string | undefined;
  cursor: string | undefined;
  limit: number;
};

/** A page of the trail, newest first, with the cursors of the pages beside it; null at the ends. */
export async function listAuditEntries(
  db: Kysely<Tables>,
  { filter: givenFilter, search, person, cursor, limit }: PageQuery,
): Promise<{ rows: AuditRow[]; previous: string | null; next: string | null }> {
  const filter: AuditFilter = {
    ...givenFilter,
    ...(search === undefined ? {} : { search: { text: search, actors: await findActors(db, search) } }),
    ...(person === undefined ? {} : { actors: await findActors(db, person) }),
  };
  const position = readAuditCursor(cursor);
  const isBackwards = position?.toward === 'previous';
  const { rows: entries } = await sql<FoundEntry>`
    with page as (${auditIds(filter, { position, limit: limit + 1 })})
    select e.id::text as id, e.at, e.actor_id, a.name as actor_name, a.email as actor_email, e.action, e.entity, e.entity_id, e.entity_label,
      host(e.ip) as ip, e.request_id, e.changes
    from page join audit_entries e on e.id = page.id left join accounts a on a.id = e.actor_id
    order by e.id desc
  `.execute(db);
  const hasMore = entries.length > limit;
  const page = isBackwards && hasMore ? entries.slice(1) : entries.slice(0, limit);
  const [first, last] = [page[0], page.at(-1)];
  return {
    rows: page.map((entry) => toAuditRow(entry, filter.scope)),
    previous: first && (isBackwards ? hasMore : position !== null) ? writeAuditCursor({ toward: 'previous', id: first.id }) : null,
    next: last && (isBackwards || hasMore) ? writeAuditCursor({ toward: 'next', id: last.id }) : null,
  };
}

/** Looks up the accounts first: PostgreSQL plans better with known ids. Deleted accounts are found, too. */
async function findActors(db: Kysely<Tables>, text: string): Promise<number[]> {
  const isNamed = (['name', 'email'] as const).map((column) => containsAlike(sql.ref<string>(column), text));
  const { rows } = await sql<{ id: number }>`select id from accounts where ${sql.join(isNamed, sql` or `)}`.execute(db);
  return rows.map(({ id }) => id);
}

function toAuditRow(foundEntry: FoundEntry, scope: AppScope): AuditRow {
  const { id, at, actor_id: actorId, actor_name: name, actor_email: email, changes, ...entry } = foundEntry;
  const actor = actorId === null || name === null || email === null ? null : { id: actorId, name, email };
  const via = readVia(foundEntry);
  const fields = via === null ? changes : changes.slice(1);
  return { id: Number(id), ...entry, at: wireDate(at), actor, via, changes: visibleChanges(fields, scope) };
}

/**
 * The token or server that made the call. Entries of 1.2 have the name of the server or, beside an actor, the name of the token and
 * its id; they are sealed, so they stay as they are.
 */
function readVia({ actor_id: actorId, changes: [first] }: FoundEntry): AuditVia | null {
  if (first?.field !== 'via') return null;
  const { to } = first;
  if (typeof to !== 'string') return auditVia.safeParse(to).data ?? null;
  if (actorId === null) return { kind: 'server', id: null, name: to };
  const [, name = to, id = null] = /^(.*) \(#(\d{1,9})\)$/s.exec(to) ?? [];
  return { kind: 'token', id: id === null ? null : Number(id), name };
}

/** Fields with ids of apps, a list or one id, in rows about other entities than apps. */
export const appIdFields: ReadonlySet<string> = new Set(['appIds', 'app_ids', 'appId', 'app_id']);
/** Fields that reveal the number of apps without their ids: the links of a deleted server. */
export const countingFields: ReadonlySet<string> = new Set(['links']);

/** Fields with the filters of requests, as the address of a list has them. */
const filterFields: ReadonlySet<string> = new Set(['query', 'request_filter']);
/** Their parameters that name apps and streams. */
const appParameters: readonly string[] = ['appId', 'streamUid', 'streamUidNot'].flatMap((name) => [name, `${name}[]`]);

/** Changes as a reader with this scope may see them: without ids and numbers of other apps, and without the filters that name any. */
function visibleChanges(changes: readonly AuditChange[], scope: AppScope): AuditChange[] {
  if (scope === 'all') return [...changes];
  const scopeIds = new Set<unknown>(scope);
  return changes.flatMap((change) => {
    if (countingFields.has(change.field)) return [];
    const visible = appIdFields.has(change.field)
      ? (value: unknown) => appsWithin(value, scopeIds)
      : filterFields.has(change.field)
        ? withoutAppFilters
        : null;
    if (visible === null) return [change];
    const [from, to] = [visible(change.from), visible(change.to)];
    return isDeepStrictEqual(from, to) ? [] : [{ ...change, from, to }];
  });
}

function withoutAppFilters(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const parameters = new URLSearchParams(value);
  if (!appParameters.some((name) => parameters.has(name))) return value;
  for (const name of appParameters) parameters.delete(name);
  return parameters.toString();
}

function appsWithin(value: unknown, scopeIds: ReadonlySet<unknown>): unknown {
  if (Array.isArray(value)) return value.filter((id: unknown) => scopeIds.has(id));
  return scopeIds.has(value) ? value : null;
}
