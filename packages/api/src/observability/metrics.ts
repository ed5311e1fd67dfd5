import type { Build } from '@switchyard/contract/settings';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { FinishedRequest } from '../build-api.ts';
import type { Databases } from '../database/connect.ts';
import type { Backlog } from '../database/read-backlog.ts';
import type { Storage } from './storage.ts';
import type { Limiter } from '../overload/limiter.ts';

/** Figures of the process for Prometheus (api [97]); labels hold no names, addresses or ids. */
export type Metrics = {
  requestFinished: (request: FinishedRequest) => void;
  /** Rows of an ingestion call by what became of them. */
  rowsIngested: (kind: string, result: { accepted: number; duplicates: number; rejected: number }) => void;
  /** A stream of events was opened; gives what to call when it is closed. */
  streamOpened: () => () => void;
  /** A mail could not be sent; `isFinal`: it is not tried again. */
  mailFailed: (isFinal: boolean) => void;
  /** An attempt to send messages of a channel failed; `isFinal`: they are not tried again. */
  channelFailed: (isFinal: boolean) => void;
  /** A call failed because a database has no room. */
  storageFull: () => void;
  /** The figures as Prometheus text, version 0.0.4. */
  text: () => Promise<string>;
};

/** Seconds; lists answer in milliseconds, exports take minutes. */
const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];

/** Defaults of the client that break the naming rules of Prometheus. The metrics without `_total` say more. */
const misnamedDefaults = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** A scrape waits so long at most for each database, and shares what was read so recently. */
export const scrapeLimits = { timeoutMs: 1000, cacheMs: 5000 } as const;

/** What traffic servers deliver. */
const ingestedKinds = ['events', 'pushes', 'conversions', 'streams'];
/** The database adds up the files of all its tables. */
const databaseBytesCacheMs = 60_000;

export type MetricSources = {
  build: Build;
  pools: Readonly<Record<string, Pick<Databases['pools']['ui'], 'totalCount' | 'idleCount' | 'waitingCount'>>>;
  /** Whether the event store answers; null if events are in PostgreSQL, whose readiness covers it. */
  eventStoreAnswers: (() => Promise<boolean>) | null;
  isReady: () => Promise<boolean>;
  readBacklog: () => Promise<Backlog>;
  /** Limiters by the kind of work. */
  limiters: Readonly<Record<string, Pick<Limiter, 'running' | 'waiting'>>>;
  sealProblems: () => number;
  logWriteErrors: () => number;
  storage: Pick<Storage, 'disks' | 'lastBackup'>;
  /** Bytes of the database, with its indexes. */
  databaseBytes: () => Promise<number>;
};

/** Metrics with a registry of their own, so that several APIs may live in one process. */
export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  for (const name of misnamedDefaults) registry.removeSingleMetric(name);
  const build = new Gauge({
    name: 'switchyard_build_info',
    help: 'The version that runs, and its commit; always 1',
    labelNames: ['version', 'commit'],
    registers,
  });
  build.set({ version: sources.build.version, commit: sources.build.commit ?? 'unknown' }, 1);
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests answered',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer a request',
    labelNames: ['method', 'route', 'status'],
    buckets: durationBuckets,
    registers,
  });
  const rows = new Counter({
    name: 'ingest_rows_total',
    help: 'Rows delivered by traffic servers',
    labelNames: ['kind', 'result'],
    registers,
  });
  const streams = new Gauge({ name: 'sse_connections', help: 'Open event streams', registers });
  const mailFailures = new Counter({
    name: 'switchyard_mail_failures_total',
    help: 'Attempts to send a mail that failed, by whether the mail is sent again or given up',
    labelNames: ['result'],
    registers,
  });
  const channelFailures = new Counter({
    name: 'switchyard_channel_failures_total',
    help: 'Attempts to send messages of a channel that failed, by whether they are sent again or given up',
    labelNames: ['result'],
    registers,
  });
  const storageFailures = new Counter({
    name: 'switchyard_storage_full_total',
    help: 'Calls that failed because a database has no room',
    registers,
  });
  // Rules see the first failure only if the series exists before it.
  for (const result of ['retried', 'given_up']) for (const failures of [mailFailures, channelFailures]) failures.inc({ result }, 0);
  for (const kind of ingestedKinds) for (const result of ['accepted', 'duplicate', 'rejected']) rows.inc({ kind, result }, 0);
  registerProcessState(registry, sources);
  registerStoredState(registry, sources);
  registerStorage(registry, sources);

  return {
    requestFinished({ method, route, status, seconds }) {
      const labels = { method, route, status: String(status) };
      requests.inc(labels);
      durations.observe(labels, seconds);
    },
    rowsIngested(kind, { accepted, duplicates, rejected }) {
      rows.inc({ kind, result: 'accepted' }, accepted);
      rows.inc({ kind, result: 'duplicate' }, duplicates);
      rows.inc({ kind, result: 'rejected' }, rejected);
    },
    streamOpened() {
      streams.inc();
      return () => streams.dec();
    },
    storageFull: () => storageFailures.inc(),
    mailFailed: (isFinal) => mailFailures.inc({ result: isFinal ? 'given_up' : 'retried' }),
    channelFailed: (isFinal) => channelFailures.inc({ result: isFinal ? 'given_up' : 'retried' }),
    text: () => registry.metrics(),
  };
}

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];
type ReadSamples = () => readonly Sample[] | Promise<readonly Sample[] | null>;

/** Makes a function that adds a gauge whose samples are read at each scrape; null: unknown, so there are none. */
function gaugesOf(registry: Registry) {
  return (name: string, help: string, labelNames: string[], read: ReadSamples): void => {
    const gauge = new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const samples = await read();
        gauge.reset();
        // Without labels, a reset gauge is 0, which would pass for a figure.
        gauge.remove({});
        for (const [labels, value] of samples ?? []) gauge.set(labels, value);
      },
    });
  };
}

/** Figures that this process knows without asking. */
function registerProcessState(registry: Registry, { pools, limiters, sealProblems, logWriteErrors }: MetricSources): void {
  const addGauge = gaugesOf(registry);
  addGauge('db_pool_connections', 'Connections to the database, and calls that wait for one', ['pool', 'state'], () =>
    Object.entries(pools).flatMap(([pool, { totalCount, idleCount, waitingCount }]): Sample[] => [
      [{ pool, state: 'open' }, totalCount],
      [{ pool, state: 'idle' }, idleCount],
      [{ pool, state: 'waiting' }, waitingCount],
    ]),
  );
  addGauge('switchyard_slots_in_use', 'Calls that hold a slot of this process, by kind of work', ['kind'], () =>
    Object.entries(limiters).map(([kind, limiter]) => [{ kind }, limiter.running()]),
  );
  addGauge('switchyard_calls_waiting', 'Calls that wait for a slot of this process, by kind of work', ['kind'], () =>
    Object.entries(limiters).map(([kind, limiter]) => [{ kind }, limiter.waiting()]),
  );
  addGauge('switchyard_audit_seal_problems', 'Differences between the audit trail and its seals that this process found', [], () => [
    [{}, sealProblems()],
  ]);
  const logErrors: Counter = new Counter({
    name: 'switchyard_log_write_errors_total',
    help: 'Lines that could not be written to the log of this process',
    registers: [registry],
    collect() {
      logErrors.reset();
      logErrors.inc(logWriteErrors());
    },
  });
}

/** Figures that the databases know. Those of a database that is unavailable or slow are left out, except whether it is. */
function registerStoredState(registry: Registry, { eventStoreAnswers, isReady, readBacklog }: MetricSources): void {
  const addGauge = gaugesOf(registry);
  const readiness = shareRecent(isReady);
  addGauge('switchyard_ready', 'Whether this process can serve calls (1) or not (0), as at /readyz', [], async () => [
    [{}, (await readiness()) === true ? 1 : 0],
  ]);

  const backlog = shareRecent(readBacklog);
  const addStored = (name: string, help: string, labelNames: string[], samplesOf: (latest: Backlog) => readonly Sample[]): void =>
    addGauge(name, help, labelNames, async () => {
      const latest = await backlog();
      return latest && samplesOf(latest);
    });
  addStored('switchyard_jobs', 'Jobs of all processes by queue, as counted in the last ten seconds', ['queue', 'state'], ({ jobs }) =>
    jobs.flatMap(({ queue, ...counts }) => Object.entries(counts).map(([state, count]): Sample => [{ queue, state }, count])),
  );
  addStored('switchyard_audit_last_seal_age_seconds', 'Time since the newest seal of the audit trail', [], ({ sealAge }) =>
    sealAge === null ? [] : [[{}, sealAge]],
  );
  addStored('switchyard_audit_unsealed_entries', 'Entries after the newest seal, 100000 at most', [], ({ unsealedEntries }) => [
    [{}, unsealedEntries],
  ]);
  addStored('switchyard_places_overdue_seconds', 'Time since the oldest check of places of deliveries was due', [], ({ placesOverdue }) => [
    [{}, placesOverdue],
  ]);
  if (eventStoreAnswers === null) return;

  const answers = withTimeout(eventStoreAnswers);
  addGauge('event_store_up', 'Whether ClickHouse answers (1) or not (0)', [], async () => [[{}, (await answers()) === true ? 1 : 0]]);
  addStored('switchyard_event_batches_open', 'Batches of events whose insert into ClickHouse is not settled', [], ({ openBatches }) => [
    [{}, openBatches],
  ]);
  let oldest: { batch: number; since: number } | null = null;
  addStored(
    'switchyard_event_batches_lag_seconds',
    'Time since this process first saw the oldest open batch',
    [],
    ({ oldestOpenBatch }) => {
      if (oldestOpenBatch === null) oldest = null;
      else if (oldest?.batch !== oldestOpenBatch) oldest = { batch: oldestOpenBatch, since: performance.now() };
      return [[{}, oldest === null ? 0 : (performance.now() - oldest.since) / 1000]];
    },
  );
}

/** Room for stored data. What cannot be read is left out. */
function registerStorage(registry: Registry, { storage, databaseBytes }: MetricSources): void {
  const addGauge = gaugesOf(registry);
  const disks = shareRecent(storage.disks);
  const ofDisks = (figure: 'free' | 'size') => async (): Promise<Sample[]> =>
    Array.from((await disks()) ?? [], ([folder, disk]): Sample => [{ folder }, disk[figure]]);
  addGauge('switchyard_disk_free_bytes', 'Free bytes of the disk that holds the folder', ['folder'], ofDisks('free'));
  addGauge('switchyard_disk_size_bytes', 'Size of the disk that holds the folder', ['folder'], ofDisks('size'));
  const bytes = shareRecent(databaseBytes, databaseBytesCacheMs);
  addGauge('switchyard_database_bytes', 'Bytes of the database with its indexes', [], async () => {
    const size = await bytes();
    return size === null ? [] : [[{}, size]];
  });
  const lastBackup = shareRecent(storage.lastBackup);
  addGauge('switchyard_last_backup_timestamp_seconds', 'When the last backup from the data folder ended', [], async () => {
    const at = await lastBackup();
    return at === null ? [] : [[{}, at]];
  });
}

/** Null if the work fails or takes too long for a scrape. */
function withTimeout<Result>(work: () => Promise<Result>): () => Promise<Result | null> {
  return async () => {
    const deadline = Promise.withResolvers<null>();
    const timer = setTimeout(() => deadline.resolve(null), scrapeLimits.timeoutMs);
    return Promise.race([work().catch(() => null), deadline.promise]).finally(() => clearTimeout(timer));
  };
}

/** Reads at most once in so many milliseconds, and never twice at the same time, however many ask. */
function shareRecent<Result>(read: () => Promise<Result>, cacheMs: number = scrapeLimits.cacheMs): () => Promise<Result | null> {
  let last: Promise<Result> | null = null;
  let isReading = false;
  let readAt = -Infinity;
  return withTimeout(async () => {
    if (last === null || (!isReading && performance.now() - readAt >= cacheMs)) {
      isReading = true;
      readAt = performance.now();
      last = read().finally(() => {
        isReading = false;
      });
    }
    return last;
  });
}
