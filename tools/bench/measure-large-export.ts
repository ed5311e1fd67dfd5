import type { BenchContext } from './bench-context.ts';
import { limitMeasure, type Measure, shownMeasure } from './report.ts';

const mebibyte = 2 ** 20;
const sampleMilliseconds = 250;
const recordEnd = '\r\n';

/**
 * The file of all requests of the busiest app, read to its end: how many rows, how fast, and what the memory of the
 * console came to meanwhile; ten figures of it are printed in their order. Fails when rows are missing.
 */
export async function measureLargeExport({ admin, api, raw, busiestApp }: BenchContext): Promise<Measure[]> {
  const { rows: storedRows } = await raw.query<{ requests: number }>(
    'select sum(requests)::bigint as requests from traffic_totals where app_id = $1',
    [busiestApp],
  );
  const expected = storedRows[0]?.requests ?? 0;
  const file = `apps/${busiestApp}/postbacks/download`;
  // The heap has the size that any export gives it from the first one on.
  await readFile(await admin.open(`${file}?startDate=${dayBefore()}`));
  await api.forgetPeak();
  const before = (await api.memory()).now;
  const samples: number[] = [];
  const watch = setInterval(() => void api.memory().then(({ now }) => samples.push(now)), sampleMilliseconds);
  const startedAt = performance.now();
  const { rows, bytes } = await readFile(await admin.open(file));
  const seconds = (performance.now() - startedAt) / 1000;
  clearInterval(watch);
  if (rows !== expected) throw new Error(`${expected} rows are stored, but the file has ${rows}`);
  const tenths = Array.from({ length: 10 }, (_, index) => samples[Math.floor((samples.length / 10) * index)] ?? before);
  console.log(`memory over time: ${tenths.map((size) => `${(size / mebibyte).toFixed(0)} MiB`).join(', ')}`);
  const { peak } = await api.memory();
  return [
    shownMeasure('large_export_rows', rows, 'rows'),
    shownMeasure('large_export_size', bytes / mebibyte, 'MiB'),
    shownMeasure('large_export_time', seconds, 's'),
    shownMeasure('large_export_rate', rows / seconds, 'rows/s'),
    shownMeasure('large_export_memory_before', before / mebibyte, 'MiB'),
    limitMeasure('large_export_memory_peak', peak / mebibyte, 'MiB', 256),
    limitMeasure('large_export_memory_growth', (peak - before) / mebibyte, 'MiB', 64),
  ];
}

/** Reads a file to its end: its size, and its records without the head. No cell of the benchmark holds CR LF. */
async function readFile(file: AsyncIterable<Buffer>): Promise<{ rows: number; bytes: number }> {
  let bytes = 0;
  let records = 0;
  let isCarriageReturnLast = false;
  for await (const part of file) {
    bytes += part.length;
    if (isCarriageReturnLast && part[0] === 10) records += 1;
    for (let at = part.indexOf(recordEnd); at !== -1; at = part.indexOf(recordEnd, at + 2)) records += 1;
    isCarriageReturnLast = part.at(-1) === 13;
  }
  return { rows: records - 1, bytes };
}

function dayBefore(): string {
  return new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
}
