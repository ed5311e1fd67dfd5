import { fromDate } from '@switchyard/contract/dates';
import { randomUUIDv7 } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { busyApps } from './load-events.ts';
import { percentile } from './sample.ts';
import { wireRow } from './traffic-rows.ts';

const tokens = z.array(z.string());
const overloadClients = z.object({
  url: z.string(),
  seconds: z.number(),
  /** Tokens, one for each client. */
  lists: tokens,
  exports: tokens,
  ingestion: tokens,
  prober: z.string(),
  /** Tokens of accounts that flood the console with scans, and of the one that reads lists meanwhile. */
  floods: tokens,
  reader: z.string(),
});
/** Orders to the process of the clients. */
export type OverloadClients = z.output<typeof overloadClients>;

// JSON knows no NaN, which a kind of call without answers would have.
const figure = z
  .number()
  .nullable()
  .transform((value) => value ?? Number.NaN);
const figures = z.object({ count: z.number(), p50: figure, p95: figure, p99: figure, max: z.number() });
const kindResult = z.object({
  /** Answered with what was asked for. */
  served: figures,
  /** Answered with 429 or 503 and a Retry-After header. */
  rejected: figures,
  /** Anything else, and rejections of calls that may not be rejected. */
  failed: z.number(),
  statuses: z.record(z.string(), z.number()),
});
/** Lists of one account alone and beside floods of others, and the scans of those. */
const fairnessResult = z.object({ idle: kindResult, beside: kindResult, scans: kindResult });
export type FairnessResult = z.output<typeof fairnessResult>;
export const overloadResult = z.object({
  fairness: fairnessResult,
  lists: kindResult,
  exports: kindResult,
  ingestion: kindResult,
  time: kindResult,
  liveness: kindResult,
});
/** Measurements of the clients. */
export type OverloadResult = z.output<typeof overloadResult>;

const rowsPerBatch = 200;
const probeMilliseconds = 50;
/** Templates of batches that are sent again and again with fresh ids. */
const templates = 20;
/** Durations of the first tenth of a run are not counted, as in the benchmark; failures are. */
const warmUpShare = 0.1;
/** Between the starts of two clients, so that they do not march in step. */
const stagger = 10;

type Answer = { status: number; milliseconds: number; retryAfter: number | null };

function call(agent: Agent, url: string, options: { token: string; method?: string; body?: string }): Promise<Answer> {
  const began = performance.now();
  const headers = {
    authorization: `Bearer ${options.token}`,
    'accept-encoding': 'gzip, deflate, br',
    ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  return new Promise((resolve, reject) => {
    const clientRequest = request(url, { method: options.method ?? 'GET', agent, headers }, (answer) => {
      answer.on('error', reject);
      answer.on('end', () => {
        const retryAfter = answer.headers['retry-after'];
        resolve({
          status: answer.statusCode ?? 0,
          milliseconds: performance.now() - began,
          retryAfter: retryAfter === undefined ? null : Number(retryAfter),
        });
      });
      answer.resume();
    });
    clientRequest.on('error', reject);
    clientRequest.end(options.body);
  });
}

function summarize(samples: readonly number[]) {
  return {
    count: samples.length,
    p50: percentile(samples, 0.5),
    p95: percentile(samples, 0.95),
    p99: percentile(samples, 0.99),
    max: samples.reduce((most, value) => Math.max(most, value), 0),
  };
}

/** Collects what the calls of one kind were answered. */
function createTally({ mayReject, from }: { mayReject: boolean; from: number }) {
  const servedTimes: number[] = [];
  const rejectedTimes: number[] = [];
  const statuses: Record<string, number> = {};
  let failures = 0;
  return {
    /** Makes a call and gives how many milliseconds its sender has to pause. */
    async count(make: () => Promise<Answer>): Promise<number> {
      const isCounted = performance.now() >= from;
      const answer = await make().catch(() => ({ status: 0, milliseconds: 0, retryAfter: null }));
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      if (answer.status === 200) {
        if (isCounted) servedTimes.push(answer.milliseconds);
        return 0;
      }
      const isRejection = answer.retryAfter !== null && (answer.status === 503 || answer.status === 429);
      if (isRejection && isCounted) rejectedTimes.push(answer.milliseconds);
      if (!isRejection || !mayReject) failures += 1;
      return (answer.retryAfter ?? 1) * 1000;
    },
    result: () => ({ served: summarize(servedTimes), rejected: summarize(rejectedTimes), failed: failures, statuses }),
  };
}

function createBatches(): () => string {
  const now = fromDate(new Date());
  const rows = Array.from({ length: templates }, () =>
    Array.from({ length: rowsPerBatch }, () => {
      const { id: _id, ...row } = wireRow(now - Math.floor(Math.random() * 3.6e9));
      return JSON.stringify(row).slice(1);
    }),
  );
  let next = 0;
  return () => {
    next = (next + 1) % templates;
    const events = (rows[next] ?? []).map((row) => `{"id":"${randomUUIDv7()}",${row}`);
    return `{"events":[${events.join(',')}]}`;
  };
}

const anApp = (): number => 1 + Math.floor(busyApps * Math.random());
/** Calls of a person at a list, in this order. */
const paths = [
  () => 'all-requests',
  () => `apps/${anApp()}/postbacks`,
  () => `apps/${anApp()}/postbacks/histogram`,
  () => 'apps?status=all',
  () => `apps/${anApp()}/postbacks?type=create`,
];

const listPath = (turn: number): string => paths[turn % paths.length]?.() ?? '';

/** Parallel calls of each account that floods, half of them reports and half of them searches. */
const scansPerFlood = 60;
/** Scans of all apps, for `since` 90 days ago. */
const scans = [
  (since: string) => `reports?startDate=${since}&groupBy=app,hour`,
  () => 'all-requests/top?field=country&search=1.0.0.0/10',
  (since: string) => `reports?startDate=${since}&groupBy=stream,country`,
  () => `apps/${anApp()}/postbacks?search=1.`,
];

/** Reads lists of one account alone for a third of the time, then beside accounts that flood the console with scans. */
async function runFairness({ url, seconds, floods, reader }: OverloadClients) {
  const agent = new Agent({ keepAlive: true });
  const reading = new Agent({ keepAlive: true });
  const startedAt = performance.now();
  const ends = { idle: startedAt + (seconds * 1000) / 3, beside: startedAt + seconds * 1000 };
  const since = new Date(Date.now() - 89 * 86_400_000).toISOString().slice(0, 10);
  const tallies = {
    idle: createTally({ mayReject: false, from: startedAt }),
    beside: createTally({ mayReject: false, from: ends.idle }),
    scans: createTally({ mayReject: true, from: ends.idle }),
  };
  const loop = async (until: number, path: (turn: number) => string, token: string, by: Agent, tally: ReturnType<typeof createTally>) => {
    for (let turn = 0; performance.now() < until; turn += 1) {
      const rest = await tally.count(() => call(by, `${url}/api/${path(turn)}`, { token }));
      if (rest > 0) await wait(Math.min(rest, Math.max(0, until - performance.now())));
    }
  };
  await loop(ends.idle, listPath, reader, reading, tallies.idle);
  await Promise.all([
    loop(ends.beside, listPath, reader, reading, tallies.beside),
    ...floods.flatMap((token) =>
      Array.from({ length: scansPerFlood }, async (_, at) =>
        loop(ends.beside, (turn) => scans[(at + turn) % scans.length]?.(since) ?? '', token, agent, tallies.scans),
      ),
    ),
  ]);
  agent.destroy();
  reading.destroy();
  return Object.fromEntries(Object.entries(tallies).map(([kind, tally]) => [kind, tally.result()]));
}

async function runAll({ url, seconds, lists, exports, ingestion, prober }: OverloadClients) {
  const agent = new Agent({ keepAlive: true });
  // A new connection that finds the queue of the system full waits for seconds, which says nothing of the console.
  const probing = new Agent({ keepAlive: true });
  const from = performance.now() + seconds * 1000 * warmUpShare;
  const until = performance.now() + seconds * 1000;
  const tallies = {
    lists: createTally({ mayReject: false, from }),
    exports: createTally({ mayReject: true, from }),
    ingestion: createTally({ mayReject: true, from }),
    time: createTally({ mayReject: false, from }),
    liveness: createTally({ mayReject: false, from }),
  };
  const batch = createBatches();
  let people = 0;
  const loop = async (make: (turn: number) => Promise<Answer>, tally: ReturnType<typeof createTally>, pause = 0): Promise<void> => {
    people += 1;
    await wait(people * stagger);
    for (let turn = people; performance.now() < until; turn += 1) {
      const rest = Math.max(pause, await tally.count(() => make(turn)));
      if (rest > 0) await wait(Math.min(rest, Math.max(0, until - performance.now())));
    }
  };
  const get = (path: string, token: string, by = agent): Promise<Answer> => call(by, `${url}${path}`, { token });
  await Promise.all([
    ...lists.map((token) => loop((turn) => get(`/api/${listPath(turn)}`, token), tallies.lists)),
    ...exports.map((token) => loop(() => get(`/api/apps/${anApp()}/postbacks/download`, token), tallies.exports)),
    ...ingestion.map((token) =>
      loop(() => call(agent, `${url}/api/ingest/events`, { token, method: 'POST', body: batch() }), tallies.ingestion),
    ),
    loop(() => get('/api/time', prober, probing), tallies.time, probeMilliseconds),
    loop(() => get('/livez', prober, probing), tallies.liveness, probeMilliseconds),
  ]);
  agent.destroy();
  probing.destroy();
  return Object.fromEntries(Object.entries(tallies).map(([kind, tally]) => [kind, tally.result()]));
}

// Imported for its types and schemas by the process that starts this one.
if (process.send !== undefined && process.argv[1] === import.meta.filename) {
  process.once('disconnect', () => process.exit(1));
  process.once('message', (message) => {
    const clients = overloadClients.parse(message);
    void runFairness(clients)
      .then(async (fairness) => ({ fairness, ...(await runAll(clients)) }))
      .then((result) => process.send?.(result));
  });
}
