import { hiddenValue } from '@switchyard/contract/log-viewer';

/** Groups of digits with one space or hyphen between them, that are no part of a word, a decimal or a longer number. */
const digitGroups = /(?<![A-Za-z0-9]|\d[.-])\d+(?:[ -]\d+)*(?![A-Za-z0-9]|[.-]\d)/g;
const leastDigits = 13;
const mostDigits = 19;
/** Printed numbers begin with a group of four; the others have 3 (of 19 digits) to 6 (American Express). */
const firstGroup = 4;
const [leastInGroup, mostInGroup] = [3, 6];

/** Hides the numbers of payment cards, which have prefix, length and checksum of one. A number of JSON in the text is none. */
export function hideCardNumbers(text: string): string {
  if (!mayHoldCard(text)) return text;
  return text.replaceAll(digitGroups, (run: string, at: number) =>
    isJsonNumber(text, at, run) || isPartOfId(text, at, run) ? run : hideInRun(run),
  );
}

/** A quick look that misses no card. */
export function mayHoldCard(text: string): boolean {
  return /(?<![A-Za-z0-9])\d(?:[ -]?\d){12}/.test(text);
}

function hideInRun(run: string): string {
  if (run.length < leastDigits) return run;
  const parts = run.split(/([ -])/);
  let shown = '';
  for (let first = 0; first < parts.length;) {
    const last = lastPartOfCard(parts, first);
    shown += last === null ? (parts[first] ?? '') : hiddenValue;
    const next = (last ?? first) + 1;
    shown += parts[next] ?? '';
    first = next + 1;
  }
  return shown;
}

/** The last part of a card's number that begins with the given one; parts are digits and what separates them, in turns. */
function lastPartOfCard(parts: readonly string[], first: number): number | null {
  let digits = '';
  for (let last = first; last < parts.length && digits.length < mostDigits; last += 2) {
    const group = parts[last] ?? '';
    if (last > first && (group.length < leastInGroup || group.length > mostInGroup || parts[first]?.length !== firstGroup)) return null;
    digits += group;
    if (isCardNumber(digits)) return last;
  }
  return null;
}

/** Digits of a UUID such as `47223179-9330-4259-b66c-f2db26efb20c`. */
function isPartOfId(text: string, at: number, run: string): boolean {
  return (
    run.includes('-') && (/[A-Za-z0-9]-$/.test(text.slice(Math.max(0, at - 2), at)) || /^-[A-Za-z0-9]/.test(text.slice(at + run.length)))
  );
}

/** A member's value, or an element of a list of numbers. */
function isJsonNumber(text: string, at: number, run: string): boolean {
  if (/[ -]/.test(run)) return false;
  const before = text.slice(Math.max(0, at - 256), at);
  return /\\*"\s*:\s*-?$/.test(before) || /\[(?:\s*-?[\d.eE+]+\s*,)*\s*-?$/.test(before);
}

/** Prefixes and lengths of Visa, Mastercard, American Express, Discover, Diners Club, JCB and UnionPay (ISO/IEC 7812). */
const cardForms = [
  /^4(?:\d{12}|\d{15}|\d{18})$/,
  /^(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}$/,
  /^3[47]\d{13}$/,
  /^(?:6011|65\d\d|64[4-9]\d)\d{12,15}$/,
  /^3(?:0[0-5]|[689]\d)\d{11}$/,
  /^35(?:2[89]|[3-8]\d)\d{12,15}$/,
  /^62\d{14,17}$/,
];

function isCardNumber(digits: string): boolean {
  return cardForms.some((form) => form.test(digits)) && hasChecksum(digits);
}

/** The checksum of Luhn (ISO/IEC 7812-1, annex B). */
function hasChecksum(digits: string): boolean {
  const sum = Array.from(digits, Number)
    .toReversed()
    .reduce((total, digit, at) => total + (at % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2), 0);
  return sum % 10 === 0;
}
