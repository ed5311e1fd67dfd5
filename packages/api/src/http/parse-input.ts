import type { Endpoint } from '@switchyard/contract/endpoint';
import type { FieldErrorMap } from '@switchyard/contract/envelope';
import { fieldErrors } from '@switchyard/contract/field-errors';
import { readQuery } from '@switchyard/contract/listing';
import { z } from 'zod';
import { FieldErrors, notFound } from '../errors.ts';

/** Calls that take no body still refuse keys nobody knows (api 0.4). */
const noKeys = z.strictObject({});

/** Path parameters by the endpoint's schema; what does not fit it is no such route (api 0.1). */
export function parseParams(endpoint: Endpoint, raw: unknown): unknown {
  if (!endpoint.params) return undefined;
  const parsed = endpoint.params.safeParse(raw);
  if (!parsed.success) throw notFound();
  return parsed.data;
}

/**
 * Query and body by the endpoint's schemas. Throws FieldErrors that name every failing field of both.
 *
 * On calls on an entity shape errors come alone (api 0.4), because whether the entity exists is asked before
 * its new values are judged. No call so far has both an entity and a body with value rules; the first one
 * that does hands its value errors to the handler here instead of throwing them.
 */
export function parseInput(endpoint: Endpoint, raw: { search: string; body: unknown }): { query: unknown; body: unknown } {
  const shape: FieldErrorMap = {};
  const value: FieldErrorMap = {};
  const parse = (schema: z.ZodType | undefined, input: unknown): unknown => {
    if (!schema) return undefined;
    const parsed = schema.safeParse(input, { reportInput: true });
    if (parsed.success) return parsed.data;
    const found = fieldErrors(parsed.error);
    Object.assign(shape, found.shape);
    Object.assign(value, found.value);
    return undefined;
  };

  const query = parse(endpoint.query, endpoint.query && readQuery(raw.search));
  const body = raw.body === undefined ? undefined : parse(endpoint.body ?? noKeys, raw.body);
  const hasShapeErrors = Object.keys(shape).length > 0;
  const refused = endpoint.params !== undefined && hasShapeErrors ? shape : { ...value, ...shape };
  if (Object.keys(refused).length > 0) throw new FieldErrors(refused);
  return { query, body };
}
