import { to as copyTo } from 'pg-copy-streams';
import { requestExportColumns } from '@switchyard/contract/requests';
import type { BenchContext } from './bench-context.ts';
import { processorTimeOf } from './processor-time.ts';
import { type Measure, limitMeasure, ratioMeasure, shownMeasure } from './report.ts';
import { median } from './sample.ts';

const mebibyte = 2 ** 20;
const turns = 5;
/** So many rows of all apps are written in a turn. */
const rowsOfAll = 200_000;

/** The time of an export: seconds by the clock, and seconds of processor time of the database and of the console. */
export type Cost = { seconds: number; database: number; console: number };
type Costs = Record<keyof Cost, number>;

/** One export and the bare statement for the same rows. */
type Subject = { name: string; rows: number; path: string; where: string; values: readonly [number] | readonly [string] };

/**
 * Exports over HTTP against a bare `COPY` of the same rows, columns and names in the same order, read by the raw driver,
 * in turns: rows a second, and microseconds of processor time a row, because the clock also counts what else the machine
 * does. Of one app, and of all by a search that every row fits. Then what the memory of the console grew by.
 */
export async function measureExports(context: BenchContext): Promise<Measure[]> {
  const { api, admin, busiestApp, isQuick } = context;
  const since = await startOfLast(context, rowsOfAll);
  const subjects: Subject[] = [
    {
      name: 'export_app',
      rows: await count(context, 'app_id = $1', [busiestApp]),
      path: `apps/${busiestApp}/postbacks/download`,
      where: 'app_id = $1',
      values: [busiestApp],
    },
    {
      name: 'export_search',
      rows: await count(context, 'occurred_at >= $1::timestamptz', [since]),
      path: `all-requests/download?search=0.0.0.0/0&startDate=${since}`,
      where: 'occurred_at >= $1::timestamptz',
      values: [since],
    },
  ];
  // The heap has its size from the first one on.
  await writtenBytes(await admin.open(subjects[0]?.path ?? ''));
  await api.forgetPeak();
  const before = (await api.memory()).now;
  const measures: Measure[] = [];
  for (const subject of subjects) {
    const costs: { product: Cost[]; bare: Cost[] } = { product: [], bare: [] };
    for (let turn = 0; turn < (isQuick ? 1 : turns); turn += 1) {
      costs.product.push(await exportAll(context, subject));
      costs.bare.push(await copyAll(context, subject));
    }
    measures.push(...compare(subject, middle(costs.product), middle(costs.bare)));
  }
  const growth = (await api.memory()).peak - before;
  return [...measures, limitMeasure('export_memory_growth', growth / mebibyte, 'MiB', 64)];
}

function compare({ name, rows }: Subject, product: Costs, bare: Costs): Measure[] {
  const each = (seconds: number) => (seconds / rows) * 1e6;
  return [
    ratioMeasure(`${name}_rows`, rows / product.seconds, 'rows/s', { baseline: rows / bare.seconds, atLeast: 0.8 }),
    ratioMeasure(`${name}_database_time`, each(product.database), 'µs/row', { baseline: each(bare.database), atMost: 1.25 }),
    shownMeasure(`${name}_console_time`, each(product.console), 'µs/row'),
  ];
}

/** The whole file through the API; what its connection to the database cost is found by the name it gives itself. */
async function exportAll({ admin, api, raw }: BenchContext, { path }: Subject): Promise<Cost> {
  const { rows } = await raw.query<{ pid: number }>(`select pid from pg_stat_activity where application_name = 'switchyard exports'`);
  const database = async () => sum(await Promise.all(rows.map(({ pid }) => processorTimeOf(pid))));
  return measureCost({ database, console: async () => api.processorTime() }, async () => writtenBytes(await admin.open(path)));
}

/** Reads the rows of an export by the raw driver; it reads and forgets them. */
async function copyAll({ databases }: BenchContext, { where, values: [value] }: Subject): Promise<Cost> {
  const client = await databases.pools.exports.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const condition = where.replace('$1', typeof value === 'number' ? String(value) : client.escapeLiteral(value));
    const database = async () => sum(await Promise.all(rows.map(({ pid }) => processorTimeOf(pid))));
    return await measureCost({ database, console: async () => 0 }, async () => writtenBytes(client.query(copyTo(bareCopy(condition)))));
  } finally {
    client.release();
  }
}

/** The stored columns behind `requestExportColumns`. */
function bareCopy(condition: string): string {
  const columns = requestExportColumns.map((name) => sources[name] ?? `events.${name}`).join(', ');
  return `copy (select ${columns} from events left join apps on apps.id = events.app_id
    left join streams on streams.uid = events.stream_uid and streams.app_id = events.app_id
    where events.${condition} order by events.occurred_at desc, events.id desc) to stdout (format csv)`;
}

const sources: Partial<Record<(typeof requestExportColumns)[number], string>> = {
  app_bundle: 'apps.bundle',
  stream_name: 'streams.name',
  date_utc: 'events.occurred_at',
};

/** Costs of a piece of work. */
export async function measureCost(
  meters: Record<'database' | 'console', () => Promise<number>>,
  work: () => Promise<unknown>,
): Promise<Cost> {
  const [database, console] = [await meters.database(), await meters.console()];
  const startedAt = performance.now();
  await work();
  const seconds = (performance.now() - startedAt) / 1000;
  return { seconds, database: between(database, await meters.database()), console: between(console, await meters.console()) };
}

/** Durations below a hundredth of a second cannot be measured. */
function between(start: number, end: number): number {
  return Math.max(0.01, end - start);
}

/** Reads a file to its end and forgets it. */
export async function writtenBytes(file: AsyncIterable<{ length: number }>): Promise<number> {
  let bytes = 0;
  for await (const part of file) bytes += part.length;
  return bytes;
}

/** The medians of several turns. */
export function middle(costs: readonly Cost[]): Costs {
  const of = (key: keyof Cost) => median(costs.map((cost) => cost[key]));
  return { seconds: of('seconds'), database: of('database'), console: of('console') };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

async function count({ raw }: BenchContext, where: string, values: readonly unknown[]): Promise<number> {
  const { rows } = await raw.query<{ count: number }>(`select count(*) as count from events where ${where}`, [...values]);
  return rows[0]?.count ?? 0;
}

/** The instant since which there are about this number of requests, or all. */
async function startOfLast({ raw }: BenchContext, wantedRows: number): Promise<string> {
  const { rows } = await raw.query<{ at: Date }>(
    `select occurred_at as at from events where id >= (select max(id) from events) - $1::bigint order by id limit 1`,
    [wantedRows],
  );
  return (rows[0]?.at ?? new Date(0)).toISOString();
}
