import type { Counter } from '@switchyard/contract/app-statistics';

const grouped = new Intl.NumberFormat();
const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumSignificantDigits: 3 });
const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });

/** Numbers below this are as short in full as in compact form. */
const compactFrom = 10_000;

/** A whole number grouped as the reader's locale does it. */
export function groupedNumber(value: number): string {
  return grouped.format(value);
}

/** A whole number in compact form, `1.52M`; small ones in full. */
export function compactNumber(value: number): string {
  return Math.abs(value) < compactFrom ? groupedNumber(value) : compact.format(value);
}

/** Both figures of a counter, as they are read out: `10 in all, 9 successful (90%)`. */
export function counterSentence({ all, success }: Counter): string {
  if (all === 0) return 'None';
  return `${groupedNumber(all)} in all, ${groupedNumber(success)} successful (${percent.format(success / all)})`;
}
