import { exactJson, jsonMembers, JsonText, writeExactly } from '@switchyard/contract/exact-json';

/** Maximum nesting. Deeper values stay text, because they could not be serialised again. */
const maxDepth = 100;

/** Parses a JSON object; null for anything else. */
export function parseObject(text: string): Record<string, unknown> | null {
  return asObject(parseJson(text));
}

/** Parses a JSON object, which is kept to the letter; null for anything else. */
export function parseExactObject(text: string): object | null {
  const exact = parseContainer(text);
  return exact === null || Array.isArray(plainValue(exact)) ? null : exact;
}

/** Parses a JSON object or list, which is kept to the letter; null for anything else. Allows unescaped line breaks in strings. */
export function parseContainer(text: string): object | null {
  const exact =
    parseJson(text, exactJson) ?? (text.includes('\n') ? parseJson(text.replaceAll('\n', String.raw`\n`), exactJson) : undefined);
  const value = plainValue(exact);
  return typeof exact === 'object' && typeof value === 'object' && value !== null && !nestsDeeper(value, maxDepth) ? exact : null;
}

/** The value as an object; null if it is not an object or nested too deeply. */
function asObject(value: unknown): Record<string, unknown> | null {
  return isObject(value) && !nestsDeeper(value, maxDepth) ? value : null;
}

/** The value as JavaScript reads it. */
export function plainValue(value: unknown): unknown {
  return value instanceof JsonText ? value.value : value;
}

/** The members of an object in their order, repeated keys included, with values that are kept to the letter. */
export type Members = readonly (readonly [key: string, value: unknown])[];

/** The members of an object as it was read; none of a list. */
export function membersOf(value: unknown): Members {
  if (!(value instanceof JsonText)) return isObject(value) ? Object.entries(value) : [];
  return (jsonMembers(value.text)?.list ?? []).flatMap(({ key, text }) => (key === null ? [] : [[key, exactJson(text)] as const]));
}

/** The elements of a list as it was read; none of an object. */
export function elementsOf(value: unknown): readonly unknown[] {
  if (!(value instanceof JsonText)) return Array.isArray(value) ? value : [];
  return (jsonMembers(value.text)?.list ?? []).flatMap(({ key, text }) => (key === null ? [exactJson(text)] : []));
}

/** The object of these members of another one, kept to the letter as that is. */
export function objectOf(members: Members, source: unknown): unknown {
  if (!(source instanceof JsonText)) return Object.fromEntries(members);
  return exactJson(`{${members.map(([key, value]) => `${JSON.stringify(key)}:${writeExactly(value)}`).join()}}`);
}

/** Whether nothing is in it: missing, null, or an empty list or object. */
export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}

/** A text as it is, and any other value as JSON; null for none. */
export function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const plain = plainValue(value);
  return typeof plain === 'string' ? plain : writeExactly(value);
}

function parseJson(text: string, parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function nestsDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const part of Object.values(value)) if (nestsDeeper(part, levels - 1)) return true;
  return false;
}
