import type { AuditAction } from '@switchyard/contract/audit';
import type { Databases } from '../database/connect.ts';
import {
  changesBetween,
  existing,
  recordAudit,
  secretChange,
  transaction,
  unchanged,
  type AuditEvent,
  type OpenTransaction,
} from '../database/transaction.ts';
import { FieldErrors, notFound, stale } from '../errors.ts';
import type { AccountCaller, RequestContext } from '../http/bind.ts';
import { countRows, deleteRow, insertRow, updateReferences, updateRow, type Columns, type ReferenceTable } from './entity-store.ts';

/*
 * The writing calls of an entity: create, save and remove. One transaction each, in which the order of errors is that of the API:
 *
 *   create   422 (one too many), 422 (values), then the row, `afterSave`, the audit entry, and the row as the answer
 *   save     404, 412, 422 (values), "nothing changed" (the version stays), then as create
 *   remove   404, `beforeRemove`, then the row goes, with an audit entry
 *
 * 400, 401, 403 of permissions and 422 of the shape come before, from `http/`. An entity gives what only it knows:
 *
 * - `lock` finds the row that the caller may change and locks it. Whom a row belongs to is decided here and in `read`, nowhere else.
 * - `read` is the row as calls return it.
 * - `validate` checks what needs the database or other fields: it throws `FieldErrors`, and gives the columns to store. `fields` are those
 *   that the audit trail names, in its order; of these only the changed ones are written. `others` are written beside them, unseen by the
 *   trail, e.g. a date that follows from the fields. `secrets` are names of fields whose values the trail never has.
 * - `afterSave` does what follows from a change in the same transaction, e.g. sends a job.
 *
 * Secrets are sealed with the id of their row, so an entity that has some writes them in `afterSave`.
 *
 * A call whose order of errors or whose effects differ is a command of its own in the feature (decision 22), beside these. The functions
 * here take no options for such cases, and must not get any.
 */

/** Entities with the actions that these commands record. */
type RegularEntity = {
  [E in AuditEvent['entity']]: 'create' | 'update' | 'delete' extends AuditAction<E> ? E : never;
}[AuditEvent['entity']];

/** Columns of every entity. */
type StoredEntity = { readonly id: number; readonly name: string; readonly version: number };

/** Fields that a call sent. */
export type Sent<Fields> = { readonly [Field in keyof Fields]?: Fields[Field] | undefined };

/** Input of a validation: the fields that were sent, and all of them over those that are stored. `before` is undefined for a new entity. */
export type Input<Fields, Stored, Caller> = {
  readonly sent: Sent<Fields>;
  readonly fields: Fields;
  readonly before: Stored | undefined;
  readonly caller: Caller;
  readonly now: Date;
};

export type ValidColumns = { readonly fields: Columns; readonly others?: Columns; readonly secrets?: readonly string[] };

/** A finished write. `before` is undefined for a new entity. */
type Saved<Stored, Valid> = { readonly id: number; readonly before: Stored | undefined; readonly valid: Valid; readonly now: Date };

/** Rules of one entity. */
export type EntityRules<Fields, Stored, Row, Caller, Valid> = {
  readonly entity: RegularEntity;
  readonly table: string;
  /** Columns of fields that the audit trail names otherwise. */
  readonly columnNames?: Readonly<Record<string, string>>;
  /** Tables of fields that are ids of other rows. */
  readonly references?: References;
  /** How many there may be, in all or with `isOwn` of one account, and what a call is told that adds one more. */
  readonly limit: { readonly most: number; readonly isOwn: boolean; readonly message: string };
  readonly lock: (tx: OpenTransaction, id: number, caller: Caller, act: 'save' | 'remove') => Promise<Stored | undefined>;
  readonly read: (db: Databases['db'], id: number, caller: Caller) => Promise<Row | undefined>;
  readonly validate: (tx: OpenTransaction, input: Input<Fields, Stored, Caller>) => Promise<Valid>;
  readonly afterSave?: (tx: OpenTransaction, saved: Saved<Stored, Valid>) => Promise<void>;
  readonly beforeRemove?: (tx: OpenTransaction, before: Stored, removal: { caller: Caller; now: Date }) => Promise<void>;
  /** Fields whose last values the entry of a removal has. */
  readonly removedFields?: (before: Stored) => Columns;
};

type Dependencies = { db: Databases['db']; now: () => Date };
type OwnCall<Caller> = { caller: Caller; request: RequestContext };
type CallOfOne<Caller> = OwnCall<Caller> & { params: { id: number } };

/** Reads an entity; throws 404 if there is none that the caller may see. */
export async function readEntity<Row, Caller>(
  db: Databases['db'],
  { read }: { read: (db: Databases['db'], id: number, caller: Caller) => Promise<Row | undefined> },
  { params: { id }, caller }: { params: { id: number }; caller: Caller },
): Promise<Row> {
  const row = await read(db, id, caller);
  if (row === undefined) throw notFound();
  return row;
}

/** Adds an entity. */
export async function createEntity<Fields extends { name: string }, Stored, Row, Caller extends AccountCaller, Valid extends ValidColumns>(
  deps: Dependencies,
  { entity, table, columnNames, references, limit, read, validate, afterSave }: EntityRules<Fields, Stored, Row, Caller, Valid>,
  { body, caller, request }: OwnCall<Caller> & { body: Fields },
): Promise<Row> {
  const { account } = caller;
  return transaction(deps.db, async (tx) => {
    if ((await countRows(tx, table, limit.isOwn ? account.id : null)) >= limit.most) throw new FieldErrors({ name: [limit.message] });
    const now = deps.now();
    const valid = await validate(tx, { sent: body, fields: body, before: undefined, caller, now });
    const id = await insertRow(tx, table, { ...columnsOf(valid.fields, columnNames, references), ...valid.others }, now);
    await writeReferences(tx, id, valid.fields, references);
    await afterSave?.(tx, { id, before: undefined, valid, now });
    const changes = [...changesBetween({}, valid.fields), ...(valid.secrets ?? []).map(secretChange)];
    const event = { actor: account, entity, action: 'create', id, label: body.name, request, changes } as const;
    return recordAudit(tx, event, existing(await read(tx, id, caller)));
  });
}

/** Changes the fields of an entity that were sent. A call that changes none of them leaves its version. */
export async function saveEntity<
  Fields extends { name: string },
  Stored extends StoredEntity & Fields & Columns,
  Row,
  Caller extends AccountCaller,
  Valid extends ValidColumns,
>(
  deps: Dependencies,
  { entity, table, columnNames, references, lock, read, validate, afterSave }: EntityRules<Fields, Stored, Row, Caller, Valid>,
  {
    params: { id },
    body,
    caller,
    matchesIfMatch,
    request,
  }: CallOfOne<Caller> & {
    body: Sent<Fields>;
    matchesIfMatch: (version: number) => boolean;
  },
): Promise<Row> {
  return transaction(deps.db, async (tx) => {
    const before = await lock(tx, id, caller, 'save');
    if (before === undefined) throw notFound();
    const answer = async (): Promise<Row> => existing(await read(tx, id, caller));
    if (!matchesIfMatch(before.version)) throw stale(await answer());
    const now = deps.now();
    const valid = await validate(tx, { sent: body, fields: { ...before, ...body }, before, caller, now });
    const changedFields = changesBetween(before, valid.fields);
    const changes = [...changedFields, ...(valid.secrets ?? []).map(secretChange)];
    if (changes.length === 0) return unchanged(await answer());
    const columns = Object.fromEntries(changedFields.map(({ field, to }) => [field, to]));
    await updateRow(tx, table, id, { ...columnsOf(columns, columnNames, references), ...valid.others }, now);
    await writeReferences(tx, id, columns, references);
    await afterSave?.(tx, { id, before, valid, now });
    const event = { actor: caller.account, entity, action: 'update', id, label: body.name ?? before.name, request, changes } as const;
    return recordAudit(tx, event, await answer());
  });
}

type References = Readonly<Record<string, ReferenceTable>>;

function columnsOf(fields: Columns, names: Readonly<Record<string, string>> = {}, references: References = {}): Columns {
  const own = Object.entries(fields).filter(([field]) => !(field in references));
  return Object.fromEntries(own.map(([field, value]) => [names[field] ?? field, value]));
}

async function writeReferences(tx: OpenTransaction, id: number, fields: Columns, references: References = {}): Promise<void> {
  for (const [field, table] of Object.entries(references)) if (field in fields) await updateReferences(tx, table, id, fields[field]);
}

/** Removes an entity. */
export async function removeEntity<Stored extends StoredEntity, Caller extends AccountCaller>(
  deps: Dependencies,
  {
    entity,
    table,
    lock,
    beforeRemove,
    removedFields,
  }: Pick<EntityRules<never, Stored, unknown, Caller, never>, 'entity' | 'table' | 'lock' | 'beforeRemove' | 'removedFields'>,
  { params: { id }, caller, request }: CallOfOne<Caller>,
): Promise<void> {
  await transaction(deps.db, async (tx) => {
    const before = await lock(tx, id, caller, 'remove');
    if (before === undefined) throw notFound();
    await beforeRemove?.(tx, before, { caller, now: deps.now() });
    await deleteRow(tx, table, id);
    const changes = Object.entries(removedFields?.(before) ?? {}).map(([field, from]) => ({ field, from, to: null }));
    return recordAudit(tx, { actor: caller.account, entity, action: 'delete', id, label: before.name, request, changes });
  });
}
