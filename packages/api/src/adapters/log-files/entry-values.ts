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

/** Longer texts are not times. */
const maxTimeLength = 64;
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** `Fri Nov 20 10:11:12.123456 2026`, as Apache writes it. */
const apacheTime = /^(?:[A-Z][a-z]{2} )?([A-Z][a-z]{2}) ([ \d]\d) (\d\d:\d\d:\d\d)(?:\.\d+)? (\d{4})$/;
/** `20-Nov-2026 10:11:12 UTC`, as PHP writes it. Other zone names are ambiguous and not converted. */
const phpTime = /^(\d\d)-([A-Z][a-z]{2})-(\d{4}) (\d\d:\d\d:\d\d)(?: UTC)?$/;

/** `YYYY-MM-DD HH:mm:ss` in UTC (api 0.5); empty if there is no time. A time without an offset is UTC. Other texts stay unchanged. */
export function utcText(value: unknown): string {
  const plain = asObject(value)?.['date'] ?? value;
  if (typeof plain === 'number') return dateText(new Date(plain)) ?? '';
  if (typeof plain !== 'string') return '';
  // The times of syslog have no year.
  if (plain.length > maxTimeLength || !/\d{4}/.test(plain)) return plain;
  const iso = isoOf(plain.trim());
  const zonedTime = /(?:Z|[+-]\d\d:?\d\d)$/i.test(iso) ? iso : `${iso}Z`;
  return dateText(new Date(zonedTime)) ?? plain;
}

function isoOf(text: string): string {
  const [, apacheMonth, apacheDay, apacheClock, apacheYear] = apacheTime.exec(text) ?? [];
  if (apacheYear !== undefined) return `${apacheYear}-${monthOf(apacheMonth)}-${(apacheDay ?? '').replace(' ', '0')}T${apacheClock}`;
  const [, phpDay, phpMonth, phpYear, phpClock] = phpTime.exec(text) ?? [];
  if (phpYear !== undefined) return `${phpYear}-${monthOf(phpMonth)}-${phpDay}T${phpClock}`;
  return text
    .replace(/^(\d{4})\/(\d\d)\/(\d\d)/, '$1-$2-$3')
    .replace(/^(\S{10}) /, '$1T')
    .replace(/(:\d\d),(\d)/, '$1.$2')
    .replace(/(\.\d{3})\d+/, '$1')
    .replace(/\s*UTC$/, 'Z')
    .replace(/\s+(?=[+-])/, '');
}

function monthOf(name = ''): string {
  return String(months.indexOf(name) + 1).padStart(2, '0');
}

function dateText(date: Date): string | null {
  return Number.isNaN(date.getTime()) ? null : date.toISOString().slice(0, 19).replace('T', ' ');
}
