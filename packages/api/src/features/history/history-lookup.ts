import { restoredEntryField, type AuditRow } from '@switchyard/contract/audit';
import { cursorForm } from '@switchyard/contract/envelope';
import { fieldErrors } from '@switchyard/contract/field-errors';
import {
  historyRemarks,
  revisionActions,
  type HistoryCalls,
  type HistoryEntity,
  type Revision,
  type RevisionComparison,
  type RevisionDifference,
} from '@switchyard/contract/history';
import type { Kysely } from 'kysely';
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { Tables } from '../../database/tables.ts';
import { isSecret, readSnapshot } from '../../database/transaction.ts';
import { FieldErrors, HttpError, notFound, stale } from '../../errors.ts';
import type { AccountCaller, Bind, Call, RequestContext } from '../../http/bind.ts';
import { composeDraft } from '../../http/parse-input.ts';
import { readTimeRange } from '../../traffic-queries/read-time-range.ts';
import { listAuditEntries } from '../audit/audit-entries-lookup.ts';
import { findRecordedFields, hasCreation, isRevision, type RecordedField, type RecordedValue } from './revisions-lookup.ts';

type Fields = Readonly<Record<string, unknown>>;
type Reader = { id: number; caller: AccountCaller };

/** A value of a revision as it can be restored today. `isBlocked`: it cannot, and `remark` says why. */
export type RestorableValue = { value: unknown; remark: string | null; isBlocked: boolean };

/** An entity as a reader may see it now. */
export type PresentState = {
  version: number;
  /** Every field that revisions may name, by its name in the trail, without secrets. */
  fields: Fields;
  /** A recorded value in today's terms, and cut to what the reader may see; by default as it is. */
  adapt?: (field: string, recorded: RecordedValue) => RestorableValue;
};

/** Properties of a kind of entity that its history depends on. */
export type HistorySource = {
  entity: HistoryEntity;
  /** Throws as reading the entity does. */
  read: (db: Kysely<Tables>, reader: Reader) => Promise<PresentState>;
  /** Fields that are restored together or not at all. */
  units?: readonly (readonly string[])[];
  /** Why fields of this state cannot be saved, by field. */
  findObstacles?: (target: Fields) => Fields;
  /** Body of the call that saves these fields; `present` are those of the entity now. */
  bodyOf: (values: Fields, present: Fields) => Record<string, unknown>;
  schema: z.ZodType;
  /** Saves a body as its form would. */
  save: (call: SaveInput) => Promise<{ version: number }>;
};

type SaveInput = Reader & { body: Record<string, unknown>; matchesIfMatch: (version: number) => boolean; request: RequestContext };

/** `serverOffset`: offset `+HH:MM` of the days of the server. */
export type HistoryDependencies = { db: Kysely<Tables>; serverOffset: string };

/** Binds the calls on the history of a kind of entity. All of it is read from the audit trail. */
export function bindHistory(bind: Bind, { db, serverOffset }: HistoryDependencies, calls: HistoryCalls, source: HistorySource): void {
  const requireEntity = async ({ params: { id }, caller }: { params: { id: number }; caller: AccountCaller }): Promise<void> => {
    await source.read(db, { id, caller });
  };
  const { entity } = source;
  bind(
    calls.list,
    async ({ params: { id }, query, caller: { scope } }) => {
      const { cursor, limit, person, field } = query;
      const which = { scope, entities: [entity], actions: revisionActions[entity], entityId: String(id), field };
      const filter = { ...which, ...readTimeRange(query, serverOffset) };
      const { rows, previous, next } = await listAuditEntries(db, { filter, person, cursor, limit });
      return { rows: rows.map(toRevision), pagination: cursorForm({ count: rows.length, limit, previous, next }) };
    },
    { requireEntity },
  );
  bind(
    calls.compare,
    async ({ params: { id }, query, caller }) => (await compareRevisions(db, source, { id, caller, ...query })).comparison,
    { requireEntity },
  );
  bind(calls.restore, async (call) => restoreRevision(db, source, call));
}

function toRevision({ id, at, actor, action, entity_label: label, via, changes }: AuditRow): Revision {
  const restored = changes.find(({ field }) => field === restoredEntryField)?.to;
  return {
    id,
    at,
    actor: actor && { id: actor.id, name: actor.name },
    action,
    label,
    via,
    changes: changes.filter(({ field }) => field !== restoredEntryField),
    restored: typeof restored === 'number' ? restored : null,
  };
}

/** Entries to compare; undefined stands for the present state. */
type Compared = { from?: number | undefined; to?: number | undefined };

/** Compares two states of an entity. Throws 404 for an unknown entity or entry. */
async function compareRevisions(
  db: Kysely<Tables>,
  source: HistorySource,
  { from, to, ...reader }: Reader & Compared,
): Promise<{ present: PresentState; comparison: RevisionComparison; target: Fields }> {
  return readSnapshot(db, async (tx) => {
    const present = await source.read(tx, reader);
    const revisions = { entity: source.entity, id: reader.id, actions: revisionActions[source.entity] };
    const stateAt = async (entry: number | undefined): Promise<State> => {
      if (entry === undefined) return presentState(present.fields);
      if (!(await isRevision(tx, revisions, entry))) throw notFound();
      const recordedFields = await findRecordedFields(tx, revisions, entry);
      return revisionState(present, recordedFields, { entry, isWhole: await hasCreation(tx, revisions, entry) });
    };
    const [before, after] = [await stateAt(from), await stateAt(to)];
    const differences = differencesOf(before, after);
    const isRestore = from === undefined && to !== undefined;
    const target = valuesOf(after);
    return {
      present,
      target,
      comparison: {
        version: present.version,
        differences: isRestore
          ? withObstacles(source, { differences, target, present: present.fields })
          : differences.map((difference) => ({ ...difference, restorable: false })),
      },
    };
  });
}

type StateValue = RestorableValue & {
  /** The next entry that changes the secret; null for none. */
  nextChange?: number | null;
};
type State = { entry: number; values: ReadonlyMap<string, StateValue> };

function presentState(fields: Fields): State {
  const values = Object.entries(fields).map(([field, value]): [string, StateValue] => [field, { value, remark: null, isBlocked: true }]);
  return { entry: Number.POSITIVE_INFINITY, values: new Map(values) };
}

/** The state after an entry, from the values that the trail recorded around it. */
function revisionState(
  { fields, adapt = asRecorded }: PresentState,
  recordedFields: ReadonlyMap<string, RecordedField>,
  { entry, isWhole }: { entry: number; isWhole: boolean },
): State {
  const names = new Set([...Object.keys(fields), ...recordedFields.keys()]);
  const values = [...names].map((field): [string, StateValue] => {
    const recorded = recordedFields.get(field) ?? {};
    if (isSecret(field))
      return [field, { value: null, remark: historyRemarks.secret, isBlocked: true, nextChange: recorded.next?.entry ?? null }];
    if (!Object.hasOwn(fields, field))
      return [field, { value: recorded.last?.value ?? recorded.next?.value ?? null, remark: historyRemarks.unknown, isBlocked: true }];
    return [field, valueAt(field, { present: fields[field], recorded, adapt, entry, isWhole })];
  });
  return { entry, values: new Map(values) };
}

/** A recorded value as it is. */
export function asRecorded(_field: string, { value }: RecordedValue): RestorableValue {
  return restorableValue(value);
}

/** A recorded list without the elements that are not known any more; `remark` says why some are missing. */
export function knownOf(value: readonly unknown[], known: ReadonlySet<unknown>, remark: string): RestorableValue {
  const left = value.filter((part) => known.has(part));
  return restorableValue(left, left.length === value.length ? null : remark);
}

function restorableValue(value: unknown, remark: string | null = null): RestorableValue {
  return { value, remark, isBlocked: false };
}

/** The call that saves an entity, with a body that the server composed. */
export function saveCallOf<S extends z.ZodType<object>, N>({ id, body, ...call }: SaveInput, { schema, needs }: { schema: S; needs: N }) {
  return { ...call, params: { id }, query: undefined, body: composeDraft(schema, body), needs, holds: () => false };
}

/**
 * The value of a field after an entry: what this entry set, or else what the next change of the field found. An earlier
 * change must have set the same value; otherwise something changed the field without an entry on this entity.
 */
function valueAt(
  field: string,
  {
    present,
    recorded: { last, next },
    adapt,
    entry,
    isWhole,
  }: { present: unknown; recorded: RecordedField; adapt: NonNullable<PresentState['adapt']>; entry: number; isWhole: boolean },
): RestorableValue {
  if (last?.entry === entry) return adapt(field, last);
  const found = next === undefined ? restorableValue(present) : adapt(field, next);
  // The entry of a creation leaves out empty lists.
  const isNewList = last === undefined && isWhole && Array.isArray(found.value);
  const set = isNewList ? restorableValue([]) : last && adapt(field, last);
  if (set === undefined || isSame(set.value, found.value)) return found;
  return { value: found.value, remark: historyRemarks.elsewhere, isBlocked: true };
}

/** Whether two values are equal; lists in any order, because they are sets of ids or names. */
function isSame(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return isDeepStrictEqual(one, other);
  return isDeepStrictEqual(new Set(one), new Set(other));
}

function differencesOf(before: State, after: State): RevisionDifference[] {
  const fields = new Set([...before.values.keys(), ...after.values.keys()]);
  const earlier = before.entry < after.entry ? before : after;
  const latest = Math.max(before.entry, after.entry);
  return [...fields].flatMap((field) => {
    const [one, other] = [before.values.get(field), after.values.get(field)];
    const remark = other?.remark ?? one?.remark ?? null;
    const difference = { field, from: one?.value ?? null, to: other?.value ?? null, restorable: other?.isBlocked === false, remark };
    if (!isSecret(field)) return isSame(difference.from, difference.to) ? [] : [difference];
    const nextChange = earlier.values.get(field)?.nextChange ?? null;
    return nextChange !== null && nextChange <= latest ? [difference] : [];
  });
}

function valuesOf({ values }: State): Fields {
  return Object.fromEntries([...values].map(([field, { value }]) => [field, value]));
}

/** The differences with what keeps fields from being restored: the entity's own rules and the values that its form accepts. */
function withObstacles(
  { units = [], findObstacles, bodyOf, schema }: HistorySource,
  { differences, target, present }: { differences: readonly RevisionDifference[]; target: Fields; present: Fields },
): RevisionDifference[] {
  const remarks = new Map<string, unknown>(Object.entries(findObstacles?.(target) ?? {}));
  const restored = differences.filter(({ field, restorable }) => restorable && !remarks.has(field));
  const parsed = schema.safeParse(bodyOf(pick(target, restored), present), { reportInput: true });
  if (!parsed.success) {
    const { shape, value } = fieldErrors(parsed.error);
    const invalid = Object.keys({ ...shape, ...value });
    for (const { field } of restored)
      if (invalid.some((path) => path === field || path.startsWith(`${field}.`))) remarks.set(field, historyRemarks.invalid);
  }
  for (const { field, restorable, remark } of differences) if (!restorable) remarks.set(field, remark);
  for (const unit of units) {
    const obstacle = unit.find((field) => remarks.has(field));
    if (obstacle !== undefined) for (const field of unit) remarks.set(field, remarks.get(obstacle));
  }
  return differences.map((difference) => {
    const remark = remarks.get(difference.field);
    return typeof remark === 'string' ? { ...difference, restorable: false, remark } : difference;
  });
}

function pick(values: Fields, differences: readonly { field: string }[]): Fields {
  return Object.fromEntries(differences.map(({ field }) => [field, values[field]]));
}

/**
 * Sets fields of an entity to the values of a revision through the command that saves it, with all of its checks. Throws 404 for an
 * unknown entity or entry, 422 for fields that cannot be restored, and then as the command does; 412 also if the entity changes
 * meanwhile.
 */
async function restoreRevision(db: Kysely<Tables>, source: HistorySource, call: Call<HistoryCalls['restore']>) {
  const { params, caller, request } = call;
  const { id, revision: entry } = params;
  const { present, comparison, target } = await compareRevisions(db, source, { id, caller, to: entry });
  const { differences, version } = comparison;
  // A stale call is rejected by the command, whatever its fields are.
  const restoredDifferences = call.matchesIfMatch(version) ? chosenOf(source, { differences, present, fields: call.body.fields }) : [];
  const body = source.bodyOf(pick(target, restoredDifferences), present.fields);
  const matchesIfMatch = (current: number): boolean => current === version && call.matchesIfMatch(current);
  try {
    const saved = await source.save({ id, caller, body, matchesIfMatch, request: { ...request, restoredEntry: entry } });
    const restored = restoredDifferences.map(({ field }) => field);
    const left = differences
      .filter(({ field }) => !restored.includes(field))
      .map(({ field, remark }) => ({ field, remark: remark ?? historyRemarks.notChosen }));
    return { id, version: saved.version, restored, left };
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 412) throw error;
    const current = await source.read(db, { id, caller });
    throw stale({ id, version: current.version, restored: [], left: [] });
  }
}

/** The differences to restore: all that can be, or those of these fields and of the fields that belong to them. */
function chosenOf(
  { units = [] }: HistorySource,
  { differences, present, fields }: { differences: readonly RevisionDifference[]; present: PresentState; fields: string[] | undefined },
): RevisionDifference[] {
  if (fields === undefined) return differences.filter(({ restorable }) => restorable);
  for (const field of fields) {
    const difference = differences.find((candidate) => candidate.field === field);
    if (difference?.restorable === false) throw new FieldErrors({ fields: [`${field}: ${difference.remark ?? historyRemarks.unknown}`] });
    if (difference === undefined && !Object.hasOwn(present.fields, field))
      throw new FieldErrors({ fields: ['The selected fields is invalid.'] });
  }
  const restoredFields = new Set([...fields, ...units.filter((unit) => unit.some((field) => fields.includes(field))).flat()]);
  return differences.filter(({ field }) => restoredFields.has(field));
}
