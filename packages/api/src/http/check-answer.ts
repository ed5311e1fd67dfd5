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
  const parsed = schema.safeParse(result);
  if (parsed.success && isProduction) return parsed.data;
  const undeclared: string[] = [];
  const declared = keepDeclared(schema, result, null, undeclared);
  const wrong = parsed.success ? undeclared.map((path) => `${path} is not declared`) : parsed.error.issues.map(describe);
  if (wrong.length === 0) return declared;

  const mismatch = new AnswerMismatch(`[${endpoint.number}] ${endpoint.method} ${endpoint.path}: ${wrong.slice(0, 10).join('; ')}`);
  if (!isProduction) throw mismatch;
  report(mismatch);
  return declared;
}

const pages = new WeakMap<z.ZodType, z.ZodType>();

function schemaOf({ answer }: Endpoint): z.ZodType {
  if (answer.kind === 'data') return answer.schema;
  if (answer.kind === 'empty' || answer.kind === 'raw') return z.unknown();
  const part = answer.kind === 'paged-data' ? answer.schema : answer.row;
  const known = pages.get(part);
  if (known) return known;
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
function keepDeclared(schema: z.core.$ZodType, value: unknown, place: Place, undeclared: string[]): unknown {
  // Most values are primitive and have no keys.
  if (typeof value !== 'object' || value === null) return value;
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return keepDeclared(schema.unwrap(), value, place, undeclared);
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((item, index) => keepDeclared(schema.element, item, { key: String(index), within: place }, undeclared));
  }
  if (schema instanceof z.ZodUnion) {
    const fitting = schema.options.find((option) => z.safeParse(option, value).success);
    return fitting ? keepDeclared(fitting, value, place, undeclared) : value;
  }
  if (!(schema instanceof z.ZodObject)) return value;
  const { shape } = schema;
  const kept: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const declared: z.core.$ZodType | undefined = shape[key];
    if (!declared) undeclared.push(pathOf({ key, within: place }));
    else if (typeof item !== 'object' || item === null) kept[key] = item;
    else kept[key] = keepDeclared(declared, item, { key, within: place }, undeclared);
  }
  return kept;
}
