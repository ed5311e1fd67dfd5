/** Maximum nesting. Deeper values stay text, because they could not be serialised again. */
const maxDepth = 100;

/** Parses a JSON object; null for anything else. */
export function parseObject(text: string): Record<string, unknown> | null {
  return asObject(parseJson(text));
}

/** Parses a JSON object or list; null for anything else. Allows unescaped line breaks in strings. */
export function parseContainer(text: string): object | null {
  const value = parseJson(text) ?? (text.includes('\n') ? parseJson(text.replaceAll('\n', String.raw`\n`)) : undefined);
  return typeof value === 'object' && value !== null && !nestsDeeper(value, maxDepth) ? value : null;
}

/** The value as an object; null if it is not an object or nested too deeply. */
export function asObject(value: unknown): Record<string, unknown> | null {
  return isObject(value) && !nestsDeeper(value, maxDepth) ? value : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
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
