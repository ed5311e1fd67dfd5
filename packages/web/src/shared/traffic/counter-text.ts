import type { Counter } from '@switchyard/contract/app-statistics';

const grouped = new Intl.NumberFormat();
const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });

/** A whole number grouped as the reader's locale does it. */
export function groupedNumber(value: number): string {
  return grouped.format(value);
}

/** Both figures of a counter, as they are read out: `10 in all, 9 successful (90%)`. */
export function counterSentence({ all, success }: Counter): string {
  if (all === 0) return 'None';
  return `${groupedNumber(all)} in all, ${groupedNumber(success)} successful (${percent.format(success / all)})`;
}
