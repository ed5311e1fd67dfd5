import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { FinishedRequest } from './build-api.ts';
import type { Databases } from './database/connect.ts';

/** Figures of the process for Prometheus (api [97]); labels hold no names, addresses or ids. */
export type Metrics = {
  requestFinished: (request: FinishedRequest) => void;
  /** Rows of an ingestion call by what became of them. */
  rowsIngested: (kind: string, result: { accepted: number; duplicates: number; rejected: number }) => void;
  /** A stream of events was opened; gives what to call when it is closed. */
  streamOpened: () => () => void;
  /** The figures as Prometheus text, version 0.0.4. */
  text: () => Promise<string>;
};

/** Seconds; lists answer in milliseconds, exports take minutes. */
const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];

type Sources = {
  /** The version that runs. */
  version: string;
  pools: Databases['pools'];
  /** Whether the event store answers; null where events are in PostgreSQL, as readiness tells then. */
  eventStoreAnswers?: (() => Promise<boolean>) | null;
};

/** Metrics with a registry of their own, so that several APIs may live in one process. */
export function createMetrics({ version, pools, eventStoreAnswers = null }: Sources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const build = new Gauge({ name: 'switchyard_build_info', help: 'The version that runs; always 1', labelNames: ['version'], registers });
  build.set({ version }, 1);
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
  const connections = new Gauge({
    name: 'db_pool_connections',
    help: 'Connections to the database, and calls that wait for one',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries(pools)) {
        connections.set({ pool, state: 'open' }, totalCount);
        connections.set({ pool, state: 'idle' }, idleCount);
        connections.set({ pool, state: 'waiting' }, waitingCount);
      }
    },
  });
  if (eventStoreAnswers) {
    const up: Gauge = new Gauge({
      name: 'event_store_up',
      help: 'Whether ClickHouse answers (1) or not (0)',
      registers,
      collect: async () => up.set((await eventStoreAnswers()) ? 1 : 0),
    });
  }

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
    text: () => registry.metrics(),
  };
}
