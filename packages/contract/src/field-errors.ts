import type { z } from 'zod';
import type { FieldErrorMap } from './envelope.ts';
import { choiceMark, integerMark, missingMark } from './text-fields.ts';

type Issue = z.core.$ZodIssue;

/**
 * Converts a failed parse to messages by field: shape errors (unknown key, type, enum, missing or empty, length, number
 * of items) and value errors (all others). The first failing rule of a field wins. Parse with `reportInput: true`;
 * otherwise a missing field looks like one of the wrong type.
 */
export function fieldErrors(error: z.ZodError): { shape: FieldErrorMap; value: FieldErrorMap } {
  const shape: FieldErrorMap = {};
  const value: FieldErrorMap = {};
  for (const issue of error.issues) {
    for (const description of describe(issue)) {
      if (Object.hasOwn(shape, description.key) || Object.hasOwn(value, description.key)) continue;
      (description.isShape ? shape : value)[description.key] = [description.message];
    }
  }
  return { shape, value };
}

type DescribedIssue = { key: string; message: string; isShape: boolean };

function describe(issue: Issue): DescribedIssue[] {
  const path = issue.path.map(String);
  const isListElement = typeof issue.path.at(-1) === 'number';
  const listPath = path.slice(0, -1);

  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ key: [...path, key].join('.'), message: 'Unknown field.', isShape: true }));
  }
  if (issue.code === 'custom')
    return [{ key: (isListElement ? listPath : path).join('.'), message: issue.message, isShape: issue.params?.['shape'] === true }];
  if (isListElement) {
    const list = listPath.at(-1) ?? 'list';
    const message = issue.code === 'invalid_value' ? `The selected ${list} is invalid.` : `The ${list} field contains an invalid value.`;
    return [{ key: listPath.join('.'), message, isShape: true }];
  }
  const key = path.join('.');
  const field = path.at(-1) ?? 'body';
  const ofList = issue.code === 'invalid_union' && Array.isArray(issue.input) ? listMessage(issue, field) : null;
  return [{ key, message: ofList ?? shapeMessage(issue, field), isShape: true }];
}

/** Error of the list alternative of a union, rather than 'not a text'; null if no alternative is a list. */
function listMessage(issue: z.core.$ZodIssueInvalidUnion, field: string): string | null {
  const asList = issue.errors.flat().find((inner) => inner.code !== 'invalid_type' || inner.path.length > 0);
  if (!asList) return null;
  return asList.code === 'custom' ? asList.message : `The ${field} field contains an invalid value.`;
}

function shapeMessage(issue: Issue, field: string): string {
  if (issue.message === choiceMark) return `The selected ${field} is invalid.`;
  if (issue.message.startsWith(missingMark)) return issue.message.slice(missingMark.length);
  if (issue.input === undefined || issue.input === '') return `The ${field} field is required.`;
  switch (issue.code) {
    case 'invalid_type':
      return `The ${field} field must be of type ${typeName(issue)}.`;
    case 'invalid_union': {
      const first = issue.errors[0]?.[0];
      if (first?.code === 'invalid_type' && first.path.length === 0) return `The ${field} field must be of type ${typeName(first)}.`;
      return `The ${field} field contains an invalid value.`;
    }
    case 'invalid_value':
      return `The selected ${field} is invalid.`;
    case 'too_small':
      return issue.origin === 'array' || issue.origin === 'string'
        ? `The ${field} field is required.`
        : `The selected ${field} is invalid.`;
    case 'too_big':
      if (issue.origin === 'string') return `The ${field} field must not be longer than ${issue.maximum} characters.`;
      if (issue.origin === 'array') return `The ${field} field must not have more than ${issue.maximum} items.`;
      return `The selected ${field} is invalid.`;
    default:
      return `The selected ${field} is invalid.`;
  }
}

function typeName(issue: z.core.$ZodIssueInvalidType): string {
  if (issue.expected === 'int' || issue.message === integerMark) return 'integer';
  return issue.expected === 'record' ? 'object' : issue.expected;
}
