import { z } from 'zod';
import { defineEndpoint, type Access } from './endpoint.ts';
import { idParams } from './listing.ts';

/*
 * An entity is declared once, in its file of the contract: its fields with their labels and rules, the row that calls return, and its
 * calls. Three parts of the product read that declaration:
 *
 * - `entityCalls` derives the five calls that list, create, read, change and delete it, with their bodies;
 * - `entityCommands` of the API (`entities/entity-commands.ts`) serves the writing ones;
 * - `defineForm` of the web (`shared/entities/entity-form.tsx`) edits it: the values of a form are the fields, by their names on the wire.
 *
 * A field is a zod schema with a label:
 *
 *     export const scheduleFields = {
 *       name: labelled('Name', textOrElse(100, messages.missingName)),
 *       hour: labelled('Hour', integer().min(0).max(23)),
 *     };
 *
 * The types of bodies, values and columns come from `z.output` of these schemas, so a field that is added here is missing in the code until
 * the code has it.
 *
 * What is special about an entity is written beside its declaration as code. A call that has a body, an answer or a recent sign-in of its
 * own is `defineEndpoint({ ...calls.create, answer: … })`; one that differs more is defined by itself. The derivation has no options for
 * such cases, and must not get any.
 */

const labels = z.registry<{ label: string }>();

/** A field with the label that forms and the audit trail show for it. */
export function labelled<Field extends z.ZodType>(label: string, field: Field): Field {
  // A copy, because fields of several entities may share a schema.
  const ownField = field.clone();
  labels.add(ownField, { label });
  return ownField;
}

/** The label of a field. Throws for one that was declared without. */
export function labelOf(field: z.core.$ZodType): string {
  const entry = labels.get(field);
  if (entry === undefined) throw new Error('Entity: field without a label');
  return entry.label;
}

/** Names and labels of fields, in their order. */
export function labelsOf(fields: z.ZodRawShape): [name: string, label: string][] {
  return Object.entries(fields).map(([name, field]) => [name, labelOf(field)]);
}

/** Values of fields, by their names on the wire. */
export type FieldValues<Fields extends z.ZodRawShape> = z.output<z.ZodObject<Fields>>;

/** The values of fields that may be absent, with which the form of a new entity begins. */
export function defaultsOf<Defaults extends z.ZodRawShape>(defaults: Defaults) {
  return z.object(defaults).parse({});
}

type EntityDeclaration<A, Row, Fields, Defaults> = {
  /** Path of the list, relative to `/api/`. */
  readonly path: string;
  /** Number of the first of the five calls. */
  readonly firstNumber: number;
  readonly access: A;
  /** The entity as calls return it, with `id`, `name` and `version`. */
  readonly row: Row;
  readonly fields: Fields;
  /** Fields that may be absent when one is created, with their defaults. */
  readonly defaults: Defaults;
  /** One line for each call in the API reference. */
  readonly summaries: { readonly [Call in 'list' | 'create' | 'get' | 'update' | 'remove']: string };
};

/**
 * The five calls on an entity. Updates take any of its fields and `If-Match`. None needs a recent sign-in; an entity that decides
 * otherwise says so where it exports the call.
 */
export function entityCalls<const A extends Access, Row extends z.ZodType, Fields extends z.ZodRawShape, Defaults extends z.ZodRawShape>({
  path,
  firstNumber,
  access,
  row,
  fields,
  defaults,
  summaries,
}: EntityDeclaration<A, Row, Fields, Defaults>) {
  const one = `${path}/{id}`;
  return {
    list: defineEndpoint({
      number: firstNumber,
      method: 'GET',
      path,
      summary: summaries.list,
      access,
      answer: { kind: 'data', status: 200, schema: z.array(row) },
    }),
    create: defineEndpoint({
      number: firstNumber + 1,
      method: 'POST',
      path,
      summary: summaries.create,
      access,
      recentSignIn: null,
      body: z.strictObject(fields).extend(defaults),
      answer: { kind: 'data', status: 201, schema: row },
    }),
    get: defineEndpoint({
      number: firstNumber + 2,
      method: 'GET',
      path: one,
      summary: summaries.get,
      access,
      params: idParams,
      answer: { kind: 'data', status: 200, schema: row, etag: true },
    }),
    update: defineEndpoint({
      number: firstNumber + 3,
      method: 'PUT',
      path: one,
      summary: summaries.update,
      access,
      recentSignIn: null,
      params: idParams,
      body: z.strictObject(fields).partial(),
      answer: { kind: 'data', status: 200, schema: row, etag: true },
      rejections: [412],
    }),
    remove: defineEndpoint({
      number: firstNumber + 4,
      method: 'DELETE',
      path: one,
      summary: summaries.remove,
      access,
      recentSignIn: null,
      params: idParams,
      answer: { kind: 'empty' },
    }),
  };
}
