import { secretFields, viaField, type AuditAction, type AuditChange, type AuditEntity } from '@switchyard/contract/audit';
import { sql, type Insertable, type Transaction } from 'kysely';
import { isDeepStrictEqual } from 'node:util';
import type { AuditEntriesTable, Tables } from '../../database/tables.ts';
import type { RequestContext } from '../../http/bind.ts';

/** What happened to one entity; the pair of entity and action is one the trail knows. */
export type AuditEvent = {
  [E in AuditEntity]: {
    /** The account that did it, e.g. `caller.account`; null for the system, a traffic server and a failed sign-in. */
    actor: { id: number } | null;
    entity: E;
    action: AuditAction<E>;
    /** Id of the entity, or the day of a log (O33); null when there is none. */
    entityId: number | string | null;
    /** How a reader recognises the entity later, even when it is gone: its name at that moment. */
    entityLabel: string | null;
    /** Set on every row about an app (app, app_server, firebase, stream), so that the trail can be cut to a reader's apps. */
    appId?: number;
    /** The call that did it; null when no call did. */
    request: Pick<RequestContext, 'ip' | 'requestId'> | null;
    /** Fields that changed; unchanged ones are dropped, secret ones lose their values. */
    changes?: readonly AuditChange[];
  };
}[AuditEntity];

const labelCharacters = 255;

/**
 * Writes a row of the audit trail in the transaction of the write it tells of, so that neither exists
 * without the other (api [89]). Never stores the value of a secret (S16).
 */
export async function recordAudit(tx: Transaction<Tables>, event: AuditEvent): Promise<void> {
  await recordAudits(tx, [event]);
}

/** The same for a write on many entities: one row each, in the given order. One parameter a column serves any number of rows. */
export async function recordAudits(tx: Transaction<Tables>, events: readonly AuditEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(rowOf);
  const column = (name: keyof (typeof rows)[number]) => sql`${rows.map((row) => row[name])}`;
  await sql`
    insert into audit_entries (actor_id, action, entity, entity_id, entity_label, app_id, ip, request_id, changes)
    select * from unnest(${column('actor_id')}::int[], ${column('action')}::text[], ${column('entity')}::text[],
      ${column('entity_id')}::text[], ${column('entity_label')}::text[], ${column('app_id')}::int[], ${column('ip')}::inet[],
      ${column('request_id')}::text[], ${column('changes')}::jsonb[])
  `.execute(tx);
}

function rowOf(event: AuditEvent): Insertable<AuditEntriesTable> {
  return {
    actor_id: event.actor?.id ?? null,
    action: event.action,
    entity: event.entity,
    entity_id: event.entityId === null ? null : String(event.entityId),
    entity_label: event.entityLabel?.slice(0, labelCharacters) ?? null,
    app_id: event.appId ?? null,
    ip: event.request?.ip ?? null,
    request_id: event.request?.requestId ?? null,
    changes: JSON.stringify(presentable(event.changes ?? [])),
  };
}

/** Names the traffic server that made a write: it is no account, so the entry has no actor (O36). */
export function viaServer(name: string): AuditChange {
  return { field: viaField, from: null, to: name };
}

/** A secret that was set, replaced or removed: only its name is told. */
export function secretChange(field: string): AuditChange {
  return { field, from: null, to: null };
}

/**
 * The fields in which two states of an entity differ, in the order of `after`; keys are names on the
 * wire. A key absent from `before` counts as null, as on a new entity.
 */
export function changesBetween(before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>): AuditChange[] {
  return Object.entries(after)
    .map(([field, to]) => ({ field, from: before[field] ?? null, to: to ?? null }))
    .filter((change) => !isDeepStrictEqual(change.from, change.to));
}

function presentable(changes: readonly AuditChange[]): AuditChange[] {
  return changes.flatMap((change) => {
    if (isSecret(change.field)) return [secretChange(change.field)];
    return isDeepStrictEqual(change.from, change.to) ? [] : [change];
  });
}

function isSecret(field: string): boolean {
  const name = field.slice(field.lastIndexOf('.') + 1);
  return secretFields.some((secret) => secret === name);
}
