import { restoredEntryField } from '@switchyard/contract/audit';
import type { Panel } from '@switchyard/contract/permissions';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Tables } from '../../database/tables.ts';

/** The entries of an entity that are its revisions. */
export type RevisionsOf = { entity: string; id: number; actions: readonly string[] };

/** A recorded value of a field, with the entry that has it. */
export type RecordedValue = { entry: number; value: unknown };

/** Values of a field around a position in the trail: after the last change up to there, and before the next one. */
export type RecordedField = { last?: RecordedValue; next?: RecordedValue };

type FoundChange = { field: string; entry: string; before: unknown; after: unknown };

/** Fields that record the call, not the entity. */
export const callFields: readonly string[] = ['via', restoredEntryField];

/** Whether an entry is a revision of the entity. */
export async function isRevision(db: Kysely<Tables>, of: RevisionsOf, entry: number): Promise<boolean> {
  const { rows } = await sql`select from audit_entries e where ${belongsTo(of)} and e.id = ${entry}::bigint`.execute(db);
  return rows.length > 0;
}

/** Whether the trail has the creation of the entity, up to this entry. */
export async function hasCreation(db: Kysely<Tables>, of: RevisionsOf, entry: number): Promise<boolean> {
  const { rows } = await sql`
    select from audit_entries e where ${belongsTo(of)} and e.action = 'create' and e.id <= ${entry}::bigint limit 1
  `.execute(db);
  return rows.length > 0;
}

/** The recorded values of every field that the entity's revisions name, around the state after an entry. */
export async function findRecordedFields(db: Kysely<Tables>, of: RevisionsOf, entry: number): Promise<ReadonlyMap<string, RecordedField>> {
  const fields = new Map<string, RecordedField>();
  const last = await findChanges(db, sql`${belongsTo(of)} and e.id <= ${entry}::bigint`, 'desc');
  for (const change of last) fields.set(change.field, { last: { entry: Number(change.entry), value: change.after ?? null } });
  const next = await findChanges(db, sql`${belongsTo(of)} and e.id > ${entry}::bigint`, 'asc');
  for (const change of next)
    fields.set(change.field, { ...fields.get(change.field), next: { entry: Number(change.entry), value: change.before ?? null } });
  return fields;
}

/** The first change of each field in this order of entries. Done in SQL, because the changes of an entity may take megabytes. */
async function findChanges(db: Kysely<Tables>, which: RawBuilder<unknown>, order: 'asc' | 'desc'): Promise<FoundChange[]> {
  const { rows } = await sql<FoundChange>`
    select distinct on (change.field) change.field, e.id::text as entry, change."from" as before, change."to" as after
    from audit_entries e cross join lateral jsonb_to_recordset(e.changes) as change (field text, "from" jsonb, "to" jsonb)
    where ${which} and change.field <> all(${callFields}::text[])
    order by change.field, e.id ${sql.raw(order)}
  `.execute(db);
  return rows;
}

/** Renames of the roles of a panel whose label is their name, oldest first. Those of the other panel may have the same names. */
export async function listRoleRenames(db: Kysely<Tables>, panel: Panel): Promise<{ entry: number; from: string; to: string }[]> {
  const { rows } = await sql<{ entry: string; from: string; to: string }>`
    select e.id::text as entry, change."from", change."to"
    from audit_entries e
    join roles on roles.id::text = e.entity_id and not roles.is_system and roles.panel = ${panel}
    cross join lateral jsonb_to_recordset(e.changes) as change (field text, "from" text, "to" text)
    where e.entity = 'role' and e.action = 'update' and change.field = 'name'
    order by e.id
  `.execute(db);
  return rows.map((row) => ({ ...row, entry: Number(row.entry) }));
}

function belongsTo({ entity, id, actions }: RevisionsOf): RawBuilder<unknown> {
  return sql`e.entity = ${entity} and e.entity_id = ${String(id)} and e.action = any(${actions}::text[])`;
}
