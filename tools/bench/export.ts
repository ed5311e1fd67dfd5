import { parseArgs } from 'node:util';
import { readCount } from './bench-arguments.ts';
import { type BenchPlan, runBench } from './bench-run.ts';
import { loadApps, loadEvents } from './load-events.ts';
import { measureLargeExport } from './measure-large-export.ts';
import { printHead, printMeasure, writeJson } from './report.ts';

/**
 * `npm run bench:export -- --rows N` (default 10,000,000): one app with N requests, its whole file through the API, and the memory
 * of the console from its first byte to its last. `--json FILE` and `--keep FOLDER` as in the benchmark.
 */
function plan(): BenchPlan {
  const { values } = parseArgs({ options: { rows: { type: 'string' }, json: { type: 'string' }, keep: { type: 'string' } } });
  const total = readCount(values.rows ?? '10000000', '--rows');
  return {
    keep: values.keep ?? null,
    isQuick: false,
    async load(clients, end) {
      await loadApps(clients[0]);
      await loadEvents(clients, { total, end, isOneApp: true, onProgress: (doneEvents) => console.log(`${doneEvents} events loaded`) });
    },
    async measure(context) {
      const measures = await measureLargeExport(context);
      printHead();
      measures.forEach(printMeasure);
      if (values.json !== undefined) await writeJson(values.json, measures);
    },
  };
}

await runBench(plan);
