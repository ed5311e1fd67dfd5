/** Truncates a text longer than `to` characters and appends `...`. Counts code points, so surrogate pairs stay intact. */
export function cutText(text: string, to: number): string {
  return cutFrom(text, to + 1, to);
}

/** Truncates a text of `from` or more characters to `to` characters and appends `...`. Shorter texts stay whole. */
export function cutFrom(text: string, from: number, to: number): string {
  const characters = Array.from(text);
  return characters.length < from ? text : `${characters.slice(0, to).join('')}...`;
}

/**
 * The first and last characters of a uid with `...` between them; short uids stay whole. Counts code points, so
 * surrogate pairs stay intact.
 */
export function shortUid(uid: string, ends: { first: number; last: number }): string {
  const characters = Array.from(uid);
  if (characters.length <= ends.first + ends.last) return uid;
  return `${characters.slice(0, ends.first).join('')}...${characters.slice(-ends.last).join('')}`;
}

const groupedFormat = new Intl.NumberFormat();
const percentFormat = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumSignificantDigits: 3 });

/** Below this the compact form would not be shorter. */
const compactFrom = 10_000;

/** A whole number with the digit grouping of the reader's locale. */
export function groupedNumber(value: number): string {
  return groupedFormat.format(value);
}

/** A share from 0 to 1 in percent, with at most one digit behind the point. */
export function percentText(share: number): string {
  return percentFormat.format(share);
}

/** A whole number in compact form, `1.52M`; small ones in full. */
export function compactNumber(value: number): string {
  return Math.abs(value) < compactFrom ? groupedNumber(value) : compact.format(value);
}
