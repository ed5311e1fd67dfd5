import type { ClickHouseClient } from '@clickhouse/client';
import { type BenchContext, engineOf } from './bench-context.ts';
import { type Cost, measureCost, middle, writtenBytes } from './measure-exports.ts';
import { askEngine } from './raw-events.ts';
import { leastMeasure, limitMeasure, type Measure, ratioMeasure, shownMeasure } from './report.ts';

const mebibyte = 2 ** 20;
const turns = 5;
/** So many rows of all apps are written in a turn. */
const rowsOfAll = 200_000;
const leastRate = 100_000;

/**
 * Exports over HTTP against a bare CSV of the same rows in the same order by the official client, in turns: rows a second, and
 * microseconds of processor time a row, because the clock also counts what else the machine does. Then what the memory of the
 * console grew by.
 */
export async function measureEngineExports(context: BenchContext): Promise<Measure[]> {
  const { api, admin, events, busiestApp, isQuick } = context;
  const { raw: engine, processorTime } = engineOf(context);
  const since = await startOfLast(engine);
  const [ofAll] = await askEngine<{ count: number }>(engine, `select count() as count from events where ${isSince}`, { since });
  const subjects = [
    {
      name: 'export_app',
      path: `apps/${busiestApp}/postbacks/download`,
      rows: await events.countOf(busiestApp),
      bare: async () => bareCsv(engine, 'app_id = {app:Int32}', { app: busiestApp }),
    },
    {
      name: 'export_search',
      path: `all-requests/download?search=0.0.0.0/0&startDate=${since}`,
      rows: ofAll?.count ?? 0,
      bare: async () => bareCsv(engine, isSince, { since }),
    },
  ];
  // The heap has its size from the first one on.
  await writtenBytes(await admin.open(`all-requests/download?search=0.0.0.0/0&startDate=${since}`));
  await api.forgetPeak();
  const before = (await api.memory()).now;
  const measures: Measure[] = [];
  for (const { name, path, rows, bare } of subjects) {
    const costs: Record<'product' | 'bare', Cost[]> = { product: [], bare: [] };
    for (let turn = 0; turn < (isQuick ? 1 : turns); turn += 1) {
      costs.product.push(
        await measureCost({ database: processorTime, console: async () => api.processorTime() }, async () =>
          writtenBytes(await admin.open(path)),
        ),
      );
      costs.bare.push(await measureCost({ database: processorTime, console: async () => 0 }, bare));
    }
    const [product, baseline] = [middle(costs.product), middle(costs.bare)];
    const each = (seconds: number) => (seconds / rows) * 1e6;
    measures.push(
      ratioMeasure(`${name}_rows_against_csv`, rows / product.seconds, 'rows/s', { baseline: rows / baseline.seconds, atLeast: 0.8 }),
      leastMeasure(`${name}_rows`, rows / product.seconds, 'rows/s', leastRate),
      shownMeasure(`${name}_engine_time`, each(product.database), 'µs/row'),
      shownMeasure(`${name}_engine_time_of_csv`, each(baseline.database), 'µs/row'),
      shownMeasure(`${name}_console_time`, each(product.console), 'µs/row'),
    );
  }
  const growth = (await api.memory()).peak - before;
  return [...measures, limitMeasure('export_memory_growth', growth / mebibyte, 'MiB', 64)];
}

const isSince = `occurred_at >= parseDateTime64BestEffort({since:String}, 6, 'UTC')`;

/** The rows as they are stored, newest first, as CSV. */
async function bareCsv(engine: ClickHouseClient, condition: string, values: Record<string, unknown>): Promise<void> {
  const result = await engine.query({
    query: `select row from events where ${condition} order by toStartOfHour(occurred_at) desc, occurred_at desc, id desc`,
    query_params: values,
    format: 'CSV',
    clickhouse_settings: { optimize_use_projections: 0, max_execution_time: 0 },
  });
  await writtenBytes(result.stream());
}

/** The instant since which there are about this number of events, or all. */
async function startOfLast(engine: ClickHouseClient): Promise<string> {
  const [row] = await askEngine<{ at: number }>(
    engine,
    `select toUnixTimestamp64Milli(min(occurred_at)) as at from events where id >= (select max(id) from events) - {rows:UInt64}`,
    { rows: rowsOfAll },
  );
  return new Date(row?.at ?? 0).toISOString();
}
