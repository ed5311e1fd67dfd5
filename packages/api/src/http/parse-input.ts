import type { Endpoint } from '@switchyard/contract/endpoint';
import type { FieldErrorMap } from '@switchyard/contract/envelope';
import { boundMessages, fieldErrors, hasTooManyKeys } from '@switchyard/contract/field-errors';
import { readQuery } from '@switchyard/contract/listing';
import { z } from 'zod';
import { FieldErrors, notFound } from '../errors.ts';
import type { Draft } from './bind.ts';

/** Calls without a body still reject unknown keys (api 0.4). */
const noKeys = z.strictObject({});

/** Path parameters, and the field errors of those that must be one of some words, e.g. the field of [18]. */
export type ParsedPath = { params: unknown; errors: FieldErrorMap };

/** Path parameters by the endpoint's schema; an id or a date of another form is no such route (api 0.1). */
export function parsePath(endpoint: Endpoint, raw: unknown): ParsedPath {
  if (!endpoint.params) return { params: undefined, errors: {} };
  const result = endpoint.params.safeParse(raw, { reportInput: true });
  if (result.success) return { params: result.data, errors: {} };
  if (result.error.issues.some((issue) => issue.code !== 'invalid_value')) throw notFound();
  return { params: undefined, errors: fieldErrors(result.error).shape };
}

/** Messages about fields of a query that fit by themselves but not together; by field. */
export type ValidateQuery = (fields: Readonly<Record<string, unknown>>) => Readonly<Record<string, string>>;

/** Query and body as their schemas read them; meaningless until `rejectValues` has let them pass. */
export type ParsedInput = { query: unknown; body: unknown; rejectValues: () => void };

/**
 * Query and body by the endpoint's schemas. Throws FieldErrors that name every failing field of path, query and body.
 *
 * On calls on an entity only shape errors are thrown (api 0.4), because the entity is looked up before
 * values are validated; `rejectValues` throws the rest. A call that validates values gets a draft instead of a body, and with
 * it the errors found here, to which it may add its own.
 */
export function parseInput(
  endpoint: Endpoint,
  raw: { pathErrors: FieldErrorMap; search: string; body: unknown },
  validateQuery: ValidateQuery,
): ParsedInput {
  const rawQuery = readQuery(raw.search);
  const query = parse(endpoint.query, endpoint.query && rawQuery);
  const together = endpoint.query ? validateQuery(fittingFields(endpoint.query, rawQuery)) : {};
  const schema = raw.body === undefined ? undefined : (endpoint.body ?? noKeys);
  if (hasTooManyKeys(raw.body, (key) => endpoint.dataFields?.includes(key) === true)) throw new FieldErrors({ body: [boundMessages.keys] });
  const body = parse(schema, raw.body);
  const shape = { ...raw.pathErrors, ...query.shape, ...body.shape };
  const isOnEntity = endpoint.params !== undefined;
  if (isOnEntity) reject(shape);
  const errors = { ...messagesOf(together), ...query.value, ...body.value, ...shape };
  if (endpoint.validatesValues !== true || schema === undefined) {
    if (!isOnEntity) reject(errors);
    return { query: query.data, body: body.data, rejectValues: () => reject(errors) };
  }
  const fields = body.isWhole ? body.data : fittingFields(schema, raw.body);
  return { query: query.data, body: draftOf({ fields, whole: body.data, errors }), rejectValues: () => undefined };
}

type ParsedPart = { isWhole: boolean; data: unknown; shape: FieldErrorMap; value: FieldErrorMap };

function parse(schema: z.ZodType | undefined, input: unknown): ParsedPart {
  const result = schema?.safeParse(input, { reportInput: true });
  if (!result || result.success) return { isWhole: true, data: result?.data, shape: {}, value: {} };
  return { isWhole: false, data: undefined, ...fieldErrors(result.error) };
}

function reject(errors: FieldErrorMap): void {
  if (Object.keys(errors).length > 0) throw new FieldErrors(errors);
}

/** The fields of a body or a query that are in order by themselves. */
function fittingFields(schema: z.ZodType, input: unknown): Record<string, unknown> {
  // A step that prepares a query does not change its fields.
  if (schema instanceof z.ZodPipe && schema.out instanceof z.ZodType) return fittingFields(schema.out, input);
  if (!(schema instanceof z.ZodObject) || typeof input !== 'object' || input === null) return {};
  const fields: Readonly<Record<string, z.core.$ZodType>> = schema.shape;
  return Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) => {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      const result = field && z.safeParse(field, value);
      return result?.success === true ? [[name, result.data]] : [];
    }),
  );
}

function messagesOf(texts: Readonly<Record<string, string>>): FieldErrorMap {
  return Object.fromEntries(Object.entries(texts).map(([field, message]) => [field, [message]]));
}

function draftOf({ fields, whole, errors }: { fields: unknown; whole: unknown; errors: FieldErrorMap }): Draft<unknown> {
  return {
    fields: z.record(z.string(), z.unknown()).parse(fields),
    validate(messages) {
      reject({ ...messagesOf(messages), ...errors });
      return whole;
    },
  };
}

/** Values that were stored, or that the server composed. Throws FieldErrors for those that do not fit the schema. */
export function parseStored<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const result = schema.safeParse(input, { reportInput: true });
  if (result.success) return result.data;
  const { shape, value } = fieldErrors(result.error);
  throw new FieldErrors({ ...value, ...shape });
}

/** The draft of a body that the server itself composed. Throws FieldErrors for values that do not fit the schema. */
export function composeDraft<S extends z.ZodType<object>>(schema: S, input: unknown): Draft<z.output<S>> {
  const body = parseStored(schema, input);
  return {
    fields: body,
    validate(messages) {
      reject(messagesOf(messages));
      return body;
    },
  };
}
