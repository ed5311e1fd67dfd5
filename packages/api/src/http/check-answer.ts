import type { Endpoint } from '@switchyard/contract/endpoint';
import { pagination } from '@switchyard/contract/envelope';
import { z } from 'zod';

/** A handler answered what its endpoint does not promise; names fields, never values. */
export class AnswerMismatch extends Error {
  override name = 'AnswerMismatch';
}

export type AnswerCheckOptions = {
  /** In production a mismatch is reported and answered as well as possible; elsewhere it fails the call. */
  isProduction: boolean;
  report: (mismatch: AnswerMismatch) => void;
};

/**
 * What goes onto the wire for a result: checked against the endpoint's answer, without keys that it does
 * not declare (S16). Outside production a wrong type and an undeclared key both throw AnswerMismatch.
 */
export function checkAnswer(endpoint: Endpoint, result: unknown, { isProduction, report }: AnswerCheckOptions): unknown {
  const schema = schemaOf(endpoint);
  const parsed = schema.safeParse(result);
  if (parsed.success && isProduction) return parsed.data;
  const undeclared: string[] = [];
  const declared = keepDeclared(schema, result, [], undeclared);
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
  const whole = answer.kind === 'paged-data' ? { data: answer.schema, pagination } : { rows: z.array(answer.row), pagination };
  const known = pages.get(part) ?? z.object(whole);
  pages.set(part, known);
  return known;
}

function describe(issue: z.core.$ZodIssue): string {
  return `${issue.path.join('.')} ${issue.message}`;
}

/** The value without keys that the schema does not declare; their paths are added to `undeclared`. */
function keepDeclared(schema: z.core.$ZodType, value: unknown, path: readonly string[], undeclared: string[]): unknown {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    return value === null || value === undefined ? value : keepDeclared(schema.unwrap(), value, path, undeclared);
  }
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((item, index) => keepDeclared(schema.element, item, [...path, String(index)], undeclared));
  }
  if (schema instanceof z.ZodUnion) {
    const fitting = schema.options.find((option) => z.safeParse(option, value).success);
    return fitting ? keepDeclared(fitting, value, path, undeclared) : value;
  }
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null) return value;
  const kept: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const declared: z.core.$ZodType | undefined = schema.shape[key];
    if (declared) kept[key] = keepDeclared(declared, item, [...path, key], undeclared);
    else undeclared.push([...path, key].join('.'));
  }
  return kept;
}
