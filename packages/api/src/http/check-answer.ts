import type { Endpoint } from '@switchyard/contract/endpoint';
import { pagination } from '@switchyard/contract/envelope';
import { z } from 'zod';

/** The result of a handler does not match its endpoint. The message has names of fields, never values. */
export class AnswerMismatch extends Error {
  override name = 'AnswerMismatch';
}

export type AnswerCheckOptions = {
  /** In production a mismatch is reported and the call still succeeds if possible; elsewhere the call fails. */
  isProduction: boolean;
  report: (mismatch: AnswerMismatch) => void;
};

/**
 * The response body of a result: checked against the endpoint's schema, without keys that it does not
 * declare. Outside production a wrong type and an undeclared key both throw AnswerMismatch.
 */
export function checkAnswer(endpoint: Endpoint, result: unknown, { isProduction, report }: AnswerCheckOptions): unknown {
  const schema = schemaOf(endpoint);
  const validation = schema.safeParse(result);
  if (validation.success && isProduction) return validation.data;
  const undeclaredKeys: string[] = [];
  const declaredValue = keepDeclared(schema, result, null, undeclaredKeys);
  const wrong = validation.success ? undeclaredKeys.map((path) => `${path} is not declared`) : validation.error.issues.map(describe);
  if (wrong.length === 0) return declaredValue;

  const mismatch = new AnswerMismatch(`[${endpoint.number}] ${endpoint.method} ${endpoint.path}: ${wrong.slice(0, 10).join('; ')}`);
  if (!isProduction) throw mismatch;
  report(mismatch);
  return declaredValue;
}

const pages = new WeakMap<z.ZodType, z.ZodType>();

function schemaOf({ answer }: Endpoint): z.ZodType {
  if (answer.kind === 'data') return answer.schema;
  if (answer.kind === 'empty' || answer.kind === 'raw') return z.unknown();
  const part = answer.kind === 'paged-data' ? answer.schema : answer.row;
  const pageParts = pages.get(part);
  if (pageParts) return pageParts;
  const whole = z.object(answer.kind === 'paged-data' ? { data: answer.schema, pagination } : { rows: z.array(answer.row), pagination });
  pages.set(part, whole);
  return whole;
}

function describe(issue: z.core.$ZodIssue): string {
  return `${issue.path.join('.')} ${issue.message}`;
}

/** Path of a value, innermost key first. Formatted only for a report. */
type Place = { key: string; within: Place } | null;

function pathOf(place: Place): string {
  if (place === null) return '';
  return place.within === null ? place.key : `${pathOf(place.within)}.${place.key}`;
}

/** Removes keys that the schema does not declare and adds their paths to `undeclared`. */
function keepDeclared(schema: z.core.$ZodType, value: unknown, place: Place, undeclaredKeys: string[]): unknown {
  // Most values are primitive and have no keys.
  if (typeof value !== 'object' || value === null) return value;
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return keepDeclared(schema.unwrap(), value, place, undeclaredKeys);
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((item, index) => keepDeclared(schema.element, item, { key: String(index), within: place }, undeclaredKeys));
  }
  if (schema instanceof z.ZodUnion) {
    const fitting = schema.options.find((option) => z.safeParse(option, value).success);
    return fitting ? keepDeclared(fitting, value, place, undeclaredKeys) : value;
  }
  if (!(schema instanceof z.ZodObject)) return value;
  const { shape } = schema;
  const keptValues: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const declaredSchema: z.core.$ZodType | undefined = shape[key];
    if (!declaredSchema) undeclaredKeys.push(pathOf({ key, within: place }));
    else if (typeof item !== 'object' || item === null) keptValues[key] = item;
    else keptValues[key] = keepDeclared(declaredSchema, item, { key, within: place }, undeclaredKeys);
  }
  return keptValues;
}
