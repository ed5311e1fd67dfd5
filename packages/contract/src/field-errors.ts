import type { z } from 'zod';
import type { FieldErrorMap } from './envelope.ts';
import { JsonText } from './exact-json.ts';
import { choiceMark, cutText, integerMark, missingMark } from './text-fields.ts';

type Issue = z.core.$ZodIssue;

/** Unknown keys of an object that an answer names at most. */
const mostUnknownKeys = 20;
/** Messages of an answer at most. */
export const mostMessages = 100;
/** Characters of a key at which an answer cuts it, because senders choose keys. */
const longestKey = 64;
/** Keys of an object that is no data at most. */
export const mostKeys = 1000;

/** Messages about what is not named. */
export const boundMessages = {
  unknown: (count: number) => `${count} more unknown fields.`,
  errors: (count: number) => `${count} more errors.`,
  keys: `An object must not have more than ${mostKeys} fields.`,
} as const;

/**
 * Converts a failed parse to messages by field: shape errors (unknown key, type, enum, missing or empty, length, number
 * of items) and value errors (all others). The first failing rule of a field wins. Parse with `reportInput: true`;
 * otherwise a missing field looks like one of the wrong type. Unknown keys beyond 20 of an object, and messages beyond 100, are counted,
 * and keys are cut at 64 characters.
 */
export function fieldErrors(error: z.ZodError): { shape: FieldErrorMap; value: FieldErrorMap } {
  const found = new Map<string, DescribedIssue>();
  for (const issue of error.issues) {
    for (const description of describe(issue)) if (!found.has(description.key)) found.set(description.key, description);
  }
  const named = boundedList([...found.values()]);
  return { shape: mapOf(named.filter(({ isShape }) => isShape)), value: mapOf(named.filter(({ isShape }) => !isShape)) };
}

function boundedList(descriptions: readonly DescribedIssue[]): readonly DescribedIssue[] {
  if (descriptions.length <= mostMessages) return descriptions;
  const named = descriptions.slice(0, mostMessages - 1);
  return [...named, { key: 'body', message: boundMessages.errors(descriptions.length - named.length), isShape: true }];
}

/** Keys such as `__proto__` are entries like any other. */
function mapOf(descriptions: readonly DescribedIssue[]): FieldErrorMap {
  return Object.fromEntries(descriptions.map(({ key, message }) => [key, [message]]));
}

/**
 * Whether an object in JSON has more keys than any has that is meant: it is rejected before its keys are looked at. Data of a sender is
 * left out.
 */
export function hasTooManyKeys(value: unknown, isData: (key: string) => boolean = () => false): boolean {
  const open: unknown[] = [value];
  for (let inner = open.pop(); inner !== undefined; inner = open.pop()) {
    // A file of a form is bytes, whose positions are no keys.
    if (typeof inner !== 'object' || inner === null || inner instanceof JsonText || ArrayBuffer.isView(inner)) continue;
    if (Array.isArray(inner)) {
      for (const element of inner) if (typeof element === 'object') open.push(element);
      continue;
    }
    const entries = Object.entries(inner);
    if (entries.length > mostKeys) return true;
    for (const [key, member] of entries) if (typeof member === 'object' && !isData(key)) open.push(member);
  }
  return false;
}

type DescribedIssue = { key: string; message: string; isShape: boolean };

function describe(issue: Issue): DescribedIssue[] {
  const path = issue.path.map((key) => cutText(String(key), longestKey));
  const isListElement = typeof issue.path.at(-1) === 'number';
  const listPath = path.slice(0, -1);

  if (issue.code === 'unrecognized_keys') {
    const named = issue.keys
      .slice(0, mostUnknownKeys)
      .map((key) => ({ key: [...path, cutText(key, longestKey)].join('.'), message: 'Unknown field.', isShape: true }));
    const more = issue.keys.length - named.length;
    return more === 0 ? named : [...named, { key: path.join('.') || 'body', message: boundMessages.unknown(more), isShape: true }];
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
