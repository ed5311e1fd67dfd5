import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { logEntriesQuery } from '@switchyard/contract/log-viewer';
import { createLogReader, type LogReader } from '../../packages/api/src/adapters/log-files/log-reader.ts';
import { searchLogDays } from '../../packages/api/src/adapters/log-files/search-log-days.ts';
import { rareWord, vainWord, writeLogFile } from './log-file.ts';
import { limitMeasure, type Measure, printHead, printMeasure, ratioMeasure, shownMeasure } from './report.ts';
import { percentile } from './sample.ts';

const run = promisify(execFile);
const mebibyte = 1_048_576;
const rounds = 20;

/** `--gb N`, default 1: how large a log to write. It is deleted again. */
const { values } = parseArgs({ options: { gb: { type: 'string', default: '1' } } });
const gigabytes = Number(values.gb);
if (!(gigabytes > 0 && gigabytes <= 64)) throw new Error('--gb must be a number of gigabytes, at most 64');

const queryOf = (query: Record<string, string>) =>
  logEntriesQuery.parse(Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value]])));

async function timeOf<T>(work: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const startedAt = performance.now();
  const value = await work();
  return { value, ms: performance.now() - startedAt };
}

function atLeast(name: string, value: number, unit: string, limit: number): Measure {
  return { name, value, unit, baseline: null, ratio: null, target: `≥ ${limit} ${unit}`, pass: value >= limit };
}

/** Asks for a page of another file again and again, as a second viewer would, until the work is done; gives how long each took. */
async function beside(reader: LogReader, path: string, work: Promise<unknown>): Promise<number[]> {
  const durations: number[] = [];
  const state = { isDone: false };
  const end = work.finally(() => (state.isDone = true));
  while (!state.isDone) {
    durations.push((await timeOf(() => reader.page(path, queryOf({})))).ms);
    await pause(20);
  }
  await end;
  return durations;
}

async function median(work: () => Promise<unknown>): Promise<number> {
  const durations: number[] = [];
  for (let round = 0; round < rounds; round += 1) durations.push((await timeOf(work)).ms);
  return percentile(durations, 0.5);
}

/** Searches across days: of a text, of an expression with a word that it requires, and of one without. */
const daySearches = [
  { name: 'across days, a rare word', query: rareWord, isRegex: false, target: 250 },
  { name: 'across days, an expression with a rare word', query: String.raw`\b${rareWord.slice(0, -1)}.`, isRegex: true, target: 250 },
  { name: 'across days, an expression without a word', query: String.raw`[0-9]{3}-[0-9]{4}-[xyz]`, isRegex: true, target: null },
] as const;

/** Measures the reader of logs in a process of its own, whose main loop has nothing else to do, on a file that was just written. */
async function measure(folder: string): Promise<void> {
  const path = join(folder, 'console-2026-11-20.log');
  const other = join(folder, 'console-2026-11-19.log');
  await writeLogFile(path, gigabytes * 1e9);
  await writeLogFile(other, 1);
  const { size } = await stat(path);
  const megabytes = size / 1e6;
  const reader = createLogReader({ indexDir: join(folder, 'index') });
  await reader.page(other, queryOf({}));
  const lag = monitorEventLoopDelay({ resolution: 5 });
  let peak = 0;
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20);
  const before = process.memoryUsage().rss;
  lag.enable();

  async function readWholePage() {
    const logPage = await reader.page(path, queryOf({}));
    if (!logPage) throw new Error('The log went away');
    return logPage;
  }
  async function search(query: string): Promise<number> {
    for (;;) {
      const logPage = await reader.page(path, queryOf({ query }));
      if (!logPage?.stopped) return logPage?.total ?? 0;
    }
  }
  async function index(): Promise<void> {
    while ((await readWholePage()).indexing) await pause(20);
  }

  const startedAt = performance.now();
  const usedBefore = process.cpuUsage();
  const first = await timeOf(readWholePage);
  if (first.value.entries.length !== 50) throw new Error('The first page is not full');
  printMeasure(limitMeasure('first page, nothing indexed yet', first.ms, 'ms', 500));
  const besideIndex = await beside(reader, other, index());
  const indexingSpeed = megabytes / ((performance.now() - startedAt) / 1000);
  const processorUse = process.cpuUsage(usedBefore);
  printMeasure(atLeast('index', indexingSpeed, 'MB/s', 250));
  printMeasure(shownMeasure('index, by processor time', megabytes / ((processorUse.user + processorUse.system) / 1e6), 'MB/s'));
  printMeasure(limitMeasure('another page while indexing, p95', percentile(besideIndex, 0.95), 'ms', 500));

  const { total } = await readWholePage();
  printMeasure(limitMeasure('first page', await median(readWholePage), 'ms', 500));
  const last = queryOf({ page: String(Math.ceil(total / 50)) });
  printMeasure(limitMeasure('last page', await median(() => reader.page(path, last)), 'ms', 500));

  const grep = (word: string, ...more: string[]) => run('grep', ['-c', '-F', ...more, word, path]).catch(() => undefined);
  await grep(rareWord);
  const byGrep = megabytes / ((await timeOf(() => grep(rareWord))).ms / 1000);
  const byGrepAnyCase = megabytes / ((await timeOf(() => grep(rareWord, '-i'))).ms / 1000);
  const rareSearch = await timeOf(() => search(rareWord));
  if (rareSearch.value !== 1) throw new Error('The rare word was not found once');
  const speed = megabytes / (rareSearch.ms / 1000);
  printMeasure({ ...ratioMeasure('search of a rare word', speed, 'MB/s', { baseline: byGrep }), target: '≥ 200 MB/s', pass: speed >= 200 });
  printMeasure(ratioMeasure('the same against grep -i', speed, 'MB/s', { baseline: byGrepAnyCase }));
  const again = await timeOf(() => search(rareWord));
  printMeasure(shownMeasure('the same search again', again.ms, 'ms'));
  // With the interval at which a search across days can be cancelled.
  async function searchDays(query: string, isRegex: boolean): Promise<number> {
    const days = searchLogDays(reader, {
      dir: folder,
      startDate: '2026-11-20',
      endDate: undefined,
      query: { term: { query, isRegex }, levels: null, secrets: false },
      cursor: undefined,
      limits: { entries: 1000, milliseconds: 10_000 },
      signal: new AbortController().signal,
      beforeDay: async () => undefined,
    });
    let seen = 0;
    for await (const line of days)
      seen = 'progress' in line ? line.progress.bytes : 'end' in line && line.end.cursor === null ? size : seen;
    return seen;
  }
  for (const { name, query, isRegex, target } of daySearches) {
    const found = await timeOf(() => searchDays(query, isRegex));
    const daysSpeed = found.value / 1000 / found.ms;
    printMeasure(target === null ? shownMeasure(name, daysSpeed, 'MB/s') : atLeast(name, daysSpeed, 'MB/s', target));
  }
  const vain = { started: performance.now(), seen: 0 };
  const besideSearch = await beside(
    reader,
    other,
    reader.page(path, queryOf({ query: vainWord })).then((answer) => (vain.seen = answer?.stopped?.bytes ?? size)),
  );
  printMeasure(shownMeasure('search that reads every entry', vain.seen / 1000 / (performance.now() - vain.started), 'MB/s'));
  printMeasure(limitMeasure('another page while searching, p95', percentile(besideSearch, 0.95), 'ms', 500));

  clearInterval(watch);
  lag.disable();
  printMeasure(limitMeasure('memory growth', (peak - before) / mebibyte, 'MiB', 64));
  printMeasure(limitMeasure('lag of the main loop, p99', lag.percentile(99) / 1e6, 'ms', 50));
  printMeasure(shownMeasure('lag of the main loop, longest', lag.max / 1e6, 'ms'));
  await reader.close();
}

const folder = await mkdtemp(join(tmpdir(), 'switchyard-logs-'));
const load = () => `load average ${loadavg()[0]?.toFixed(1)}`;
try {
  console.log(`${gigabytes} GB, ${availableParallelism()} cores, Node ${process.version}, ${load()}`);
  printHead();
  await measure(folder);
  console.log(load());
} finally {
  await rm(folder, { recursive: true, force: true });
}
