import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { signInAs, signInAsServer } from '../../packages/api/test/sign-in-as.ts';
import { readCount } from './bench-arguments.ts';
import type { BenchContext } from './bench-context.ts';
import { type BenchPlan, runBench } from './bench-run.ts';
import { loadApps, loadEvents } from './load-events.ts';
import { type FairnessResult, type OverloadClients, overloadResult, type OverloadResult } from './overload-clients.ts';
import { limitMeasure, type Measure, printHead, printMeasure, shownMeasure, writeJson } from './report.ts';

const mebibyte = 2 ** 20;
/** A process that does not end its clients by itself would run for ever; nothing here takes longer than a call may. */
const graceMilliseconds = 90_000;
const longestSeconds = 3600;

/** Clients of each kind: 200 together. Every reader has an account of its own; four ingestion clients share a server. */
const clients = { lists: 100, exports: 40, ingestion: 60, perServer: 4 } as const;
/** Accounts that flood the console with scans while another one reads lists. */
const floods = 6;

/**
 * `npm run bench:overload -- --for S` (default 60) or `--minutes M`: 200 clients call the console as fast as it answers,
 * 100 of them lists, 40 exports and 60 ingestion, from a process of their own, while `GET time` and `/livez` are probed.
 * Before that, for as long, one account reads lists, alone and then beside six accounts with 60 parallel scans each.
 * `--events N` (default 200,000), `--json FILE` and `--keep FOLDER` as in the benchmark; `--profile FOLDER` writes a
 * processor profile of the console there.
 */
function plan(): BenchPlan {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ options: { for: text, minutes: text, events: text, json: text, keep: text, profile: text } });
  const total = readCount(values.events ?? '200000', '--events');
  const seconds = values.minutes === undefined ? Number(values.for ?? 60) : Number(values.minutes) * 60;
  if (!(seconds >= 1 && seconds <= longestSeconds)) throw new Error(`--for and --minutes must come to 1 to ${longestSeconds} seconds`);
  return {
    keep: values.keep ?? null,
    isQuick: false,
    ...(values.profile === undefined ? {} : { nodeFlags: ['--cpu-prof', `--cpu-prof-dir=${values.profile}`] }),
    async load([first, second], end) {
      await loadApps(first);
      await loadEvents([first, second], { total, end, onProgress: (doneEvents) => console.log(`${doneEvents} events loaded`) });
    },
    async measure(context) {
      const measures = await measureOverload(context, seconds);
      printHead();
      measures.forEach(printMeasure);
      if (values.json !== undefined) await writeJson(values.json, measures);
    },
  };
}

async function measureOverload(context: BenchContext, seconds: number): Promise<Measure[]> {
  const { api, databases } = context;
  const reader = async (): Promise<string> => (await signInAs(databases, { role: 'Super Admin' })).token;
  const readers = async (count: number): Promise<string[]> => Promise.all(Array.from({ length: count }, reader));
  const servers = Array.from({ length: clients.ingestion / clients.perServer }, async () => (await signInAsServer(databases)).token);
  const clientOptions: OverloadClients = {
    url: api.url,
    seconds,
    lists: await readers(clients.lists),
    exports: await readers(clients.exports),
    ingestion: (await Promise.all(servers)).flatMap((token) => Array.from({ length: clients.perServer }, () => token)),
    prober: await reader(),
    floods: await readers(floods),
    reader: await reader(),
  };
  const memory: number[] = [];
  const before = await api.processorTime();
  const sampling = setInterval(() => {
    api.memory().then(
      ({ now }) => memory.push(now / mebibyte),
      () => clearInterval(sampling),
    );
  }, 1000);
  try {
    const result = await runClients(clientOptions);
    const processorSeconds = (await api.processorTime()) - before;
    // Both parts take as long.
    const share = (100 * processorSeconds) / (2 * seconds);
    return [
      ...validateFairness(result.fairness),
      ...judgeCalls(result, seconds),
      ...judgeMemory(memory),
      shownMeasure('console_core_share', share, '%'),
    ];
  } finally {
    clearInterval(sampling);
  }
}

/** The clients run apart, so that their own work delays no answer of the console and no figure of theirs. */
async function runClients(clientOptions: OverloadClients): Promise<OverloadResult> {
  const child = fork(join(import.meta.dirname, 'overload-clients.ts'));
  const overdue = setTimeout(() => child.kill(), 2 * clientOptions.seconds * 1000 + graceMilliseconds);
  try {
    child.send(clientOptions);
    const clientsEnd = once(child, 'exit').then(() => Promise.reject(new Error('the clients ended without a result')));
    const [result] = await Promise.race([once(child, 'message'), clientsEnd]);
    return overloadResult.parse(result);
  } finally {
    clearTimeout(overdue);
    child.kill();
  }
}

function validateFairness({ idle, beside, scans }: FairnessResult): Measure[] {
  return [
    shownMeasure('fair_lists_idle_p50', idle.served.p50, 'ms'),
    shownMeasure('fair_lists_beside_p50', beside.served.p50, 'ms'),
    limitMeasure('fair_lists_p50_ratio', beside.served.p50 / idle.served.p50, 'times', 3),
    limitMeasure('fair_lists_p95', beside.served.p95, 'ms', 1000),
    limitMeasure('fair_lists_failed', idle.failed + beside.failed, 'calls', 0),
    shownMeasure('fair_scans_served', scans.served.count, 'calls'),
    shownMeasure('fair_scans_rejected', scans.rejected.count, 'calls'),
    limitMeasure('fair_scans_failed', scans.failed, 'calls', 0),
  ];
}

function judgeCalls({ lists, exports, ingestion, time, liveness }: OverloadResult, seconds: number): Measure[] {
  return [
    limitMeasure('lists_failed', lists.failed, 'calls', 0),
    shownMeasure('lists_rate', lists.served.count / seconds, 'req/s'),
    shownMeasure('lists_p50', lists.served.p50, 'ms'),
    limitMeasure('lists_p95', lists.served.p95, 'ms', 1000),
    shownMeasure('lists_p99', lists.served.p99, 'ms'),
    limitMeasure('time_failed', time.failed, 'calls', 0),
    shownMeasure('time_p50', time.served.p50, 'ms'),
    limitMeasure('time_p99', time.served.p99, 'ms', 200),
    limitMeasure('liveness_failed', liveness.failed, 'calls', 0),
    limitMeasure('liveness_p99', liveness.served.p99, 'ms', 200),
    shownMeasure('exports_rate', exports.served.count / seconds, 'files/s'),
    shownMeasure('exports_p95', exports.served.p95, 'ms'),
    shownMeasure('exports_rejected', exports.rejected.count, 'calls'),
    limitMeasure('exports_failed', exports.failed, 'calls', 0),
    shownMeasure('batches_rate', ingestion.served.count / seconds, 'batches/s'),
    shownMeasure('batches_p95', ingestion.served.p95, 'ms'),
    shownMeasure('batches_rejected', ingestion.rejected.count, 'calls'),
    limitMeasure('batches_rejected_max', ingestion.rejected.max, 'ms', 1000),
    limitMeasure('batches_failed', ingestion.failed, 'calls', 0),
    ...Object.entries({ lists, exports, ingestion, time, liveness }).flatMap(([kind, { statuses }]) =>
      Object.entries(statuses).map(([status, count]) => shownMeasure(`${kind}: ${status}`, count, 'answers')),
    ),
  ];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** The peak, and how much more memory the last third of the run took than the one in the middle: warmed up, it must not grow. */
function judgeMemory(samples: readonly number[]): Measure[] {
  const third = Math.floor(samples.length / 3);
  const growth = mean(samples.slice(-third)) - mean(samples.slice(third, 2 * third));
  return [limitMeasure('memory_peak', Math.max(0, ...samples), 'MiB', 640), limitMeasure('memory_growth', growth, 'MiB', 32)];
}

await runBench(plan);
