import type { BenchContext } from './bench-context.ts';
import { failedMeasure, type Measure, messageOf, printHead, printMeasure } from './report.ts';

/** Groups of measurements by name, in the order in which they are made. */
export type Groups = Readonly<Record<string, (context: BenchContext) => Promise<Measure[]>>>;

/**
 * Makes the measurements of the groups and prints each group as soon as it is measured. A group that throws counts as one failed measure,
 * and the others go on. `isStopping`: the run was interrupted, so that calls fail.
 */
export async function measureGroups(groups: Groups, context: BenchContext, isStopping: () => boolean): Promise<Measure[]> {
  const measures: Measure[] = [];
  printHead();
  for (const [name, measure] of Object.entries(groups)) {
    const result = await measure(context).catch((error: unknown) => [failedMeasure(name, messageOf(error))]);
    if (isStopping()) break;
    result.forEach(printMeasure);
    measures.push(...result);
  }
  return measures;
}

/** Throws an error that names the failed measures, if there are any. */
export function rejectFailed(measures: readonly Measure[]): void {
  const failed = measures.filter(({ error }) => error !== undefined).map(({ name }) => name);
  if (failed.length > 0) throw new Error(`${failed.length} of ${measures.length} measures failed: ${failed.join(', ')}`);
}
