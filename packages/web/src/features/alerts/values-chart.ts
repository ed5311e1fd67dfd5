import type { AlertKind } from '@switchyard/contract/alerts';
import { kindWords, thresholdText } from '../../shared/alerts/alert-words.ts';
import type { ChartData } from '../../shared/charts/chart-data.ts';

/** The first and the last of the points in which a rule fires. */
export type Stretch = [first: number, last: number];

type Input = {
  kind: AlertKind;
  threshold: number | null;
  points: readonly { at: string; value: number | null }[];
  stretches: Stretch[];
  displayDate: (text: string) => string;
  /** Time or subjects of the values, after the name of the kind. */
  period: string;
};

/** Values of a kind over time as a chart, with the threshold and the stretches in which they meet it. */
export function valuesChart({ kind, threshold, points, stretches, displayDate, period }: Input): ChartData {
  const thresholdName = thresholdText(kind, threshold);
  const { name } = kindWords[kind];
  return {
    kind: 'line',
    title: `${name}, ${period}`,
    form: 'amount',
    labels: points.map(({ at }) => displayDate(at).slice(0, 16)),
    series: [{ name, values: points.map(({ value }) => value), kind: 'current' }],
    isStacked: false,
    incomplete: 0,
    note: null,
    ...(threshold !== null && thresholdName !== null && { threshold: { value: threshold, name: thresholdName, stretches } }),
  };
}
