import { writeFile } from 'node:fs/promises';

/** One figure of a run. A ratio compares it with a baseline measured in the same run on the same data. */
export type Measure = {
  name: string;
  value: number;
  unit: string;
  baseline: number | null;
  ratio: number | null;
  /** The limit of docs/decisions/0004-traffic-store.md in words; null: shown for information. */
  target: string | null;
  pass: boolean | null;
  /** Why there is no figure. */
  error?: string;
};

type Against = { baseline: number; atMost?: number | undefined; atLeast?: number };

/** A figure that is checked by its ratio to a baseline: at most this multiple (durations), or at least (throughput). */
export function ratioMeasure(name: string, value: number, unit: string, { baseline, atMost, atLeast }: Against): Measure {
  const ratio = value / baseline;
  if (atMost !== undefined) return { name, value, unit, baseline, ratio, target: `ratio ≤ ${atMost}`, pass: ratio <= atMost };
  if (atLeast !== undefined) return { name, value, unit, baseline, ratio, target: `ratio ≥ ${atLeast}`, pass: ratio >= atLeast };
  return { name, value, unit, baseline, ratio, target: null, pass: null };
}

/** A figure that is checked by itself. */
export function limitMeasure(name: string, value: number, unit: string, limit: number): Measure {
  return { name, value, unit, baseline: null, ratio: null, target: `≤ ${limit} ${unit}`, pass: value <= limit };
}

/** A throughput that is checked by itself. */
export function leastMeasure(name: string, value: number, unit: string, least: number): Measure {
  return { name, value, unit, baseline: null, ratio: null, target: `≥ ${least} ${unit}`, pass: value >= least };
}

/** A figure shown for information. */
export function shownMeasure(name: string, value: number, unit: string): Measure {
  return { name, value, unit, baseline: null, ratio: null, target: null, pass: null };
}

/** A measure whose call or group failed. It has no figure. */
export function failedMeasure(name: string, error: string): Measure {
  return { name, value: Number.NaN, unit: '', baseline: null, ratio: null, target: null, pass: false, error };
}

/** The first line of an error's message. */
export function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
}

function cell(value: number | null): string {
  if (value === null) return '';
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2);
}

/** Prints a measure as a line of the table. */
export function printMeasure(measure: Measure): void {
  if (measure.error !== undefined) {
    console.log(`${measure.name.padEnd(34)} FAILED: ${measure.error}`);
    return;
  }
  const outcome = measure.pass === null ? '' : measure.pass ? 'pass' : 'MISSED';
  const cells = [measure.name.padEnd(34), `${cell(measure.value)} ${measure.unit}`.padStart(16), cell(measure.baseline).padStart(10)];
  console.log([...cells, cell(measure.ratio).padStart(7), (measure.target ?? '').padStart(14), outcome.padStart(7)].join(' '));
}

/** Head of the table. */
export function printHead(): void {
  const head = ['measure'.padEnd(34), 'value'.padStart(16), 'baseline'.padStart(10), 'ratio'.padStart(7), 'target'.padStart(14), ''];
  console.log(head.join(' '));
}

/** Writes `{"<measure>": {"value", "unit", "baseline", "ratio", "target", "pass"}}`; a failed measure has null as `value` and an `error`. */
export async function writeJson(file: string, measures: readonly Measure[]): Promise<void> {
  const byName = Object.fromEntries(measures.map(({ name, ...figures }) => [name, figures]));
  await writeFile(file, `${JSON.stringify(byName, null, 2)}\n`);
}
