import { restoredEntryField, secretFields, type AuditAction, type AuditChange, type AuditEntity } from '@switchyard/contract/audit';
import { sql, type Insertable, type Kysely, type Transaction } from 'kysely';
import { isDeepStrictEqual } from 'node:util';
import type { AuditEntriesTable, Tables } from './tables.ts';

/** A transaction under way. Stores that write take one, so that a write always belongs to a command. */
export type OpenTransaction = Transaction<Tables>;

/** The class is private to this module, so that nothing else can make an outcome that commits. */
class Outcome<T> {
  readonly #value: T;
  readonly #isCommitted: boolean;

  constructor(value: T, isCommitted: boolean) {
    this.#value = value;
    this.#isCommitted = isCommitted;
  }

  static read<T>(outcome: Outcome<T>): { value: T; isCommitted: boolean } {
    return { value: outcome.#value, isCommitted: outcome.#isCommitted };
  }
}

/** The outcome of a command: its result, with the proof that the audit trail has an entry for what it wrote. */
export type Audited<T> = Outcome<T>;

/**
 * Runs a command in one transaction and gives its result. It commits only what has an entry in the audit trail: the
 * outcome of the command comes from `recordAudit`, `recordAudits`, `unchanged` (rolls back) or `unaudited` (says why there
 * is no entry). When the command throws, all of it is rolled back and the error goes to the caller. In a transaction under
 * way it is a savepoint, so that a run of many rows can use the command of one.
 */
export async function transaction<T>(db: Kysely<Tables>, command: (tx: OpenTransaction) => Promise<Audited<T>>): Promise<T> {
  if (isOpen(db)) return inSavepoint(db, command);
  const rollBack = new Error('The command changed nothing');
  const outcomes: { value: T }[] = [];
  const running = db.transaction().execute(async (tx) => {
    const { value, isCommitted } = Outcome.read(await command(tx));
    outcomes.push({ value });
    if (!isCommitted) throw rollBack;
  });
  await running.catch((error: unknown) => {
    if (error !== rollBack) throw error;
  });
  const [result] = outcomes;
  if (!result) throw new Error('The transaction ended before its command');
  return result.value;
}

function isOpen(db: Kysely<Tables>): db is OpenTransaction {
  return db.isTransaction;
}

async function inSavepoint<T>(tx: OpenTransaction, command: (tx: OpenTransaction) => Promise<Audited<T>>): Promise<T> {
  await sql`savepoint command`.execute(tx);
  const running = command(tx).then((outcome) => Outcome.read(outcome));
  const isKept = await running.then(
    ({ isCommitted }) => isCommitted,
    () => false,
  );
  if (!isKept) await sql`rollback to savepoint command`.execute(tx);
  await sql`release savepoint command`.execute(tx);
  return (await running).value;
}

/** The outcome of a command that found nothing to write. Its transaction is rolled back, so nothing can be written unseen. */
export function unchanged<T>(value: T): Audited<T> {
  return new Outcome(value, false);
}

/** The outcome of a command whose writes by design have no entry. `_why` states the reason for readers of the code. */
export function unaudited<T>(_why: string, value: T): Audited<T> {
  return new Outcome(value, true);
}

/** The database for a single statement that by design has no entry, in a transaction or not. `_why` states the reason. */
export function unauditedStatement<D>(_why: string, db: D): D {
  return db;
}

/** A row that this transaction has written or locked, so it is there. */
export function existing<T>(row: T | undefined): T {
  if (row === undefined) throw new Error('A row vanished inside its own transaction');
  return row;
}

/** Reads that all see the database as it was at the first of them. */
export async function readSnapshot<T>(db: Kysely<Tables>, read: (tx: OpenTransaction) => Promise<T>): Promise<T> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
}

/** A change of one entity; the pair of entity and action is one the trail knows. */
export type AuditEvent = {
  [E in AuditEntity]: {
    /** The account that did it, e.g. `caller.account`; null for the system, a traffic server and a failed sign-in. */
    actor: { id: number } | null;
    entity: E;
    action: AuditAction<E>;
    /** Id of the entity, or the day of a log; null when there is none. */
    id: number | string | null;
    /** Name of the entity at that moment, so that readers recognise it after it is deleted. */
    label: string | null;
    /** Set on every row about an app (app, app_server, app_note, firebase, stream), so that the trail can be cut to a reader's apps. */
    appId?: number;
    /** The call that did it; null when no call did. Its guard is applied before the entry is written. */
    request: {
      ip: string;
      requestId: string;
      via?: { kind: 'token' | 'server'; id: number; name: string };
      guardWrite: ((write: { fields: readonly string[]; hasProvenPassword: boolean }) => void) | null;
      hasProvenPassword?: true;
      /** The entry to whose state an update goes back. */
      restoredEntry?: number;
    } | null;
    /** Fields that changed; unchanged ones are dropped, secret ones lose their values. */
    changes?: readonly AuditChange[];
  };
}[AuditEntity];

const labelCharacters = 255;

const recorded = new WeakMap<OpenTransaction, number>();

/** How many entries of the trail a transaction has written so far, which tells whether a command within it changed anything. */
export function countRecorded(tx: OpenTransaction): number {
  return recorded.get(tx) ?? 0;
}

/**
 * Writes an entry of the audit trail in the transaction of the write that it describes, and gives the outcome that lets
 * this transaction commit, with the result of the command. Never stores the value of a secret.
 */
export async function recordAudit(tx: OpenTransaction, event: AuditEvent): Promise<Audited<void>>;
export async function recordAudit<T>(tx: OpenTransaction, event: AuditEvent, result: T): Promise<Audited<T>>;
export async function recordAudit(tx: OpenTransaction, event: AuditEvent, result?: unknown): Promise<Audited<unknown>> {
  return recordAudits(tx, [event], result);
}

/**
 * Writes one entry per event, in the given order; without events the transaction is rolled back. One parameter per column
 * serves any number of rows. Throws 403, which rolls back, if the call needs a recent sign-in for such a write.
 */
export async function recordAudits<T>(tx: OpenTransaction, events: readonly AuditEvent[], result: T): Promise<Audited<T>> {
  if (events.length === 0) return unchanged(result);
  for (const { request, changes = [] } of events)
    request?.guardWrite?.({
      fields: presentable(changes).map(({ field }) => field),
      hasProvenPassword: request.hasProvenPassword === true,
    });
  const rows = events.map(rowOf);
  const column = (name: keyof (typeof rows)[number]) => sql`${rows.map((row) => row[name])}`;
  await sql`
    insert into audit_entries (actor_id, action, entity, entity_id, entity_label, app_id, ip, request_id, changes)
    select * from unnest(${column('actor_id')}::int[], ${column('action')}::text[], ${column('entity')}::text[],
      ${column('entity_id')}::text[], ${column('entity_label')}::text[], ${column('app_id')}::int[], ${column('ip')}::inet[],
      ${column('request_id')}::text[], ${column('changes')}::jsonb[])
  `.execute(tx);
  recorded.set(tx, countRecorded(tx) + events.length);
  return new Outcome(result, true);
}

function rowOf(event: AuditEvent): Insertable<AuditEntriesTable> {
  return {
    actor_id: event.actor?.id ?? null,
    action: event.action,
    entity: event.entity,
    entity_id: event.id === null ? null : String(event.id),
    entity_label: event.label?.slice(0, labelCharacters) ?? null,
    app_id: event.appId ?? null,
    ip: event.request?.ip ?? null,
    request_id: event.request?.requestId ?? null,
    changes: JSON.stringify([...viaChange(event.request), ...presentable(event.changes ?? []), ...restoredChange(event)]),
  };
}

/**
 * The caller, as the first of the stored changes. Not in a column of its own: every version of the console seals the
 * changes and verifies them, also while two versions run.
 */
function viaChange(request: AuditEvent['request']): AuditChange[] {
  return request?.via === undefined ? [] : [{ field: 'via', from: null, to: request.via }];
}

/** The restored entry, as the last of the stored changes; what an update entails, such as revoked tokens, does not name it. */
function restoredChange({ action, request }: AuditEvent): AuditChange[] {
  if (action !== 'update' || request?.restoredEntry === undefined) return [];
  return [{ field: restoredEntryField, from: null, to: request.restoredEntry }];
}

/** A secret that was set, replaced or removed: only its name is stored. */
export function secretChange(field: string): AuditChange {
  return { field, from: null, to: null };
}

/**
 * The fields in which two states of an entity differ, in the order of `after`; keys are names on the wire. A key absent
 * from `before` counts as null, as on a new entity.
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

/** Whether the trail never has values of this field, given by its dotted wire path. */
export function isSecret(field: string): boolean {
  const name = field.slice(field.lastIndexOf('.') + 1);
  return secretFields.some((secret) => secret === name);
}
