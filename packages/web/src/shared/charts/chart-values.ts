import type { ChartData, Format } from './chart-data.ts';

const percent = new Intl.NumberFormat(undefined, { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** The value of a series at a label, in words; `at` is the series. */
type LabelValue = { at: number; name: string; text: string };

/**
 * The values of a label, of one series where it is named: the largest first, of parts of a whole with their share. `total` is what parts
 * add up to.
 */
export function valuesAt(
  { series, isStacked, form }: ChartData,
  { label, series: only }: { label: number; series?: number },
  format: Format,
): { rows: LabelValue[]; total: string | null } {
  const values = series.map(({ values: ofSeries }) => ofSeries[label] ?? null);
  const sum = values.reduce<number>((all, value) => all + (value ?? 0), 0);
  const isWhole = isStacked && form !== 'share' && values.every((value) => (value ?? 0) >= 0) && sum > 0;
  const textOf = (at: number, value: number | null): string => {
    const text = series[at]?.texts?.[label] ?? (value === null ? '–' : format(value, false));
    return isWhole && value !== null ? `${text} (${percent.format(value / sum)})` : text;
  };
  const rows = series.map(({ name, kind }, at) => ({ at, name, kind, value: values[at] ?? null, text: textOf(at, values[at] ?? null) }));
  // The compared period stays below its own, and others below what has a name.
  const isOrdered = rows.every(({ kind }) => kind !== 'compared');
  const ordered = isOrdered
    ? rows.toSorted(
        (a, b) =>
          Number(a.kind === 'others') - Number(b.kind === 'others') || (b.value ?? -Infinity) - (a.value ?? -Infinity) || a.at - b.at,
      )
    : rows;
  return { rows: ordered.filter(({ at }) => only === undefined || at === only), total: isWhole ? format(sum, false) : null };
}
