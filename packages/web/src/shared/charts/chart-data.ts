import type { ValueForm } from '@switchyard/contract/report-texts';
import type { TimeAxis } from '../marks/place-marks.ts';

/**
 * Values of a chart under one name; null where nothing is drawn. `texts` are said of them instead of the values, `ends` are written beside bars,
 * and `total` in the legend.
 */
export type Series = {
  name: string;
  values: (number | null)[];
  kind: 'current' | 'compared' | 'others';
  type?: string;
  texts?: (string | null)[];
  ends?: (string | null)[];
  total?: string | undefined;
};

/** A chart as data: lines over time, otherwise bars, or a heat map with a row for each series. */
export type ChartData = {
  kind: 'line' | 'bar' | 'heat';
  title: string;
  form: ValueForm;
  labels: string[];
  series: Series[];
  isStacked: boolean;
  /** The values are changes since an earlier period, as differences or in percent. */
  change?: 'change' | 'percent';
  /** The label that stands for all others, whose bar is cut if it is far longer than the named ones. */
  othersAt?: number;
  /** How many of the first labels retention has cut. */
  incomplete: number;
  /** Series that the chart leaves out. */
  note: string | null;
  /** The total of all values, in words. */
  total?: string | null;
  /** Filters of the values, in words; a picture has them below its title. */
  filters?: string;
  /** Times of the labels of a line chart, by which marks are placed. */
  axis?: TimeAxis;
  /** A line across a line chart, and the stretches of labels in which its condition was met, ends included. */
  threshold?: { value: number; name: string; stretches: readonly (readonly [from: number, to: number])[] };
};

/** Writes a value, in compact form for the axis. */
export type Format = (value: number, isCompact: boolean) => string;
