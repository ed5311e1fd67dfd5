import { asObject } from './parse-object.ts';

/** A longer text is no time. */
const longestTime = 64;
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** `Fri Nov 20 10:11:12.123456 2026`, as Apache writes it. */
const apacheTime = /^(?:[A-Z][a-z]{2} )?([A-Z][a-z]{2}) ([ \d]\d) (\d\d:\d\d:\d\d)(?:\.\d+)? (\d{4})$/;
/** `20-Nov-2026 10:11:12 UTC`, as PHP writes it; other zones have names that nobody can convert for sure. */
const phpTime = /^(\d\d)-([A-Z][a-z]{2})-(\d{4}) (\d\d:\d\d:\d\d)(?: UTC)?$/;

/** `YYYY-MM-DD HH:mm:ss` in UTC (api 0.5), empty where none was written; a time without an offset is UTC. A text that is no time stays as it is. */
export function utcText(value: unknown): string {
  const plain = asObject(value)?.['date'] ?? value;
  if (typeof plain === 'number') return dateText(new Date(plain)) ?? '';
  if (typeof plain !== 'string') return '';
  // Syslog names no year.
  if (plain.length > longestTime || !/\d{4}/.test(plain)) return plain;
  const iso = isoOf(plain.trim());
  const zoned = /(?:Z|[+-]\d\d:?\d\d)$/i.test(iso) ? iso : `${iso}Z`;
  return dateText(new Date(zoned)) ?? plain;
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
