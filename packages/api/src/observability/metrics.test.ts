import { collectDefaultMetrics, Registry } from 'prom-client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { metricsPage, readScrape, type ScrapedMetric } from '../../test/metric-table.ts';
import type { Backlog } from '../database/read-backlog.ts';
import { createMetrics, type Metrics, type MetricSources, scrapeLimits } from './metrics.ts';

const idle: Backlog = { jobs: [], sealAge: null, unsealedEntries: 0, openBatches: 0, oldestOpenBatch: null, placesOverdue: 0 };
const busy: Backlog = {
  jobs: [{ queue: 'mails', waiting: 3, running: 1, failed: 2 }],
  sealAge: 61.5,
  unsealedEntries: 7,
  openBatches: 2,
  oldestOpenBatch: 40,
  placesOverdue: 12,
};

function build(sources: Partial<MetricSources> = {}): Metrics {
  return createMetrics({
    build: { version: '1.2.3', commit: 'c0ffee' },
    pools: { ui: { totalCount: 2, idleCount: 1, waitingCount: 0 } },
    eventStoreAnswers: null,
    isReady: async () => true,
    readBacklog: async () => busy,
    limiters: { scans: { running: () => 2, waiting: () => 5 } },
    sealProblems: () => 0,
    logWriteErrors: () => 0,
    storage: {
      disks: async () =>
        new Map([
          ['data', { free: 5, size: 100 }],
          ['logs', { free: 7, size: 70 }],
        ]),
      lastBackup: async () => 1_700_000_000,
    },
    databaseBytes: async () => 4096,
    ...sources,
  });
}

/** Values of the samples by name and labels, without those of Node.js. */
async function scrape(metrics: Metrics): Promise<Record<string, number>> {
  const lines = readScrape(await metrics.text()).flatMap(({ samples }) => samples);
  return Object.fromEntries(
    lines.filter((line) => !/^(process|nodejs)_/.test(line)).map((line) => [line.replace(/ \S+$/, ''), Number(line.split(' ').at(-1))]),
  );
}

const never = async () => new Promise<never>(() => undefined);
const fails = async () => Promise.reject(new Error('unavailable'));

afterEach(() => {
  vi.useRealTimers();
});

describe('metrics', () => {
  it('[MON-001, OPS-006] say what waits in the database, and what this process does', async () => {
    const metrics = build({ sealProblems: () => 4, logWriteErrors: () => 9, eventStoreAnswers: async () => true });
    metrics.mailFailed(true);
    metrics.channelFailed(false);
    metrics.storageFull();
    expect(await scrape(metrics)).toMatchObject({
      'switchyard_build_info{version="1.2.3",commit="c0ffee"}': 1,
      switchyard_ready: 1,
      event_store_up: 1,
      'switchyard_jobs{queue="mails",state="waiting"}': 3,
      'switchyard_jobs{queue="mails",state="running"}': 1,
      'switchyard_jobs{queue="mails",state="failed"}': 2,
      'switchyard_mail_failures_total{result="given_up"}': 1,
      'switchyard_mail_failures_total{result="retried"}': 0,
      'switchyard_channel_failures_total{result="given_up"}': 0,
      'switchyard_channel_failures_total{result="retried"}': 1,
      switchyard_audit_last_seal_age_seconds: 61.5,
      switchyard_storage_full_total: 1,
      'switchyard_disk_free_bytes{folder="data"}': 5,
      'switchyard_disk_size_bytes{folder="logs"}': 70,
      switchyard_database_bytes: 4096,
      switchyard_last_backup_timestamp_seconds: 1_700_000_000,
      switchyard_audit_unsealed_entries: 7,
      switchyard_places_overdue_seconds: 12,
      switchyard_audit_seal_problems: 4,
      switchyard_event_batches_open: 2,
      switchyard_log_write_errors_total: 9,
      'switchyard_slots_in_use{kind="scans"}': 2,
      'switchyard_calls_waiting{kind="scans"}': 5,
    });
  });

  it('[MON-001] leave out the age of a seal that there is not, and batches where ClickHouse is not used', async () => {
    const names = Object.keys(await scrape(build({ readBacklog: async () => idle })));
    expect(names).toContain('switchyard_audit_unsealed_entries');
    expect(names).toContain('switchyard_places_overdue_seconds');
    expect(names.filter((name) => /last_seal|event_/.test(name))).toEqual([]);
  });

  it('[MON-001] count a log error once, however often they are read', async () => {
    const metrics = build({ logWriteErrors: () => 2 });
    await metrics.text();
    expect((await scrape(metrics))['switchyard_log_write_errors_total']).toBe(2);
  });

  it('[MON-001] measure how long the oldest batch has been open, and begin again with the next', async () => {
    vi.useFakeTimers();
    const readBacklog = vi.fn(async () => busy);
    const metrics = build({ readBacklog, eventStoreAnswers: async () => true });
    const lag = async () => (await scrape(metrics))['switchyard_event_batches_lag_seconds'];
    expect(await lag()).toBe(0);
    vi.advanceTimersByTime(30_000);
    expect(await lag()).toBe(30);
    readBacklog.mockResolvedValue({ ...busy, oldestOpenBatch: 41 });
    vi.advanceTimersByTime(30_000);
    expect(await lag()).toBe(0);
    readBacklog.mockResolvedValue(idle);
    vi.advanceTimersByTime(30_000);
    expect(await lag()).toBe(0);
  });

  it('[MON-002] read the database once in five seconds, however many scrapes come', async () => {
    vi.useFakeTimers();
    const readBacklog = vi.fn(async () => busy);
    const isReady = vi.fn(async () => true);
    const metrics = build({ readBacklog, isReady });
    await Promise.all([metrics.text(), metrics.text(), metrics.text()]);
    vi.advanceTimersByTime(scrapeLimits.cacheMs - 1);
    await metrics.text();
    expect([readBacklog.mock.calls.length, isReady.mock.calls.length]).toEqual([1, 1]);
    vi.advanceTimersByTime(1);
    await metrics.text();
    expect([readBacklog.mock.calls.length, isReady.mock.calls.length]).toEqual([2, 2]);
  });

  it('[MON-002] answer without these figures when the database fails, and have them again afterwards', async () => {
    vi.useFakeTimers();
    const readBacklog = vi.fn(async () => busy);
    const metrics = build({ readBacklog });
    expect(Object.keys(await scrape(metrics))).toContain('switchyard_audit_unsealed_entries');
    readBacklog.mockImplementation(fails);
    vi.advanceTimersByTime(scrapeLimits.cacheMs);
    const names = Object.keys(await scrape(metrics));
    expect(names.filter((name) => /jobs|unsealed|last_seal/.test(name))).toEqual([]);
    expect(names).toContain('db_pool_connections{pool="ui",state="open"}');
    readBacklog.mockResolvedValue(busy);
    vi.advanceTimersByTime(scrapeLimits.cacheMs);
    expect((await scrape(metrics))['switchyard_audit_unsealed_entries']).toBe(7);
  });

  it('[MON-002] wait a second at most for databases that hang, and do not ask again meanwhile', async () => {
    vi.useFakeTimers();
    const readBacklog = vi.fn(never);
    const metrics = build({ readBacklog, isReady: never, eventStoreAnswers: never });
    for (let nth = 0; nth < 2; nth++) {
      const samples = scrape(metrics);
      await vi.advanceTimersByTimeAsync(scrapeLimits.timeoutMs);
      expect(await samples).toMatchObject({ switchyard_ready: 0, event_store_up: 0 });
      vi.advanceTimersByTime(scrapeLimits.cacheMs);
    }
    expect(readBacklog).toHaveBeenCalledOnce();
  });
});

it('[MON-003] docs/metrics.md lists every metric of a scrape', async () => {
  const active = build({ eventStoreAnswers: async () => true });
  active.requestFinished({ method: 'GET', route: 'time', status: 200, seconds: 0.01 });
  active.rowsIngested('events', { accepted: 1, duplicates: 0, rejected: 0 });
  const all = readScrape(await active.text());
  const sampleNames = async (metrics: Metrics): Promise<Set<string>> =>
    new Set(readScrape(await metrics.text()).flatMap(({ name, samples }) => (samples.length > 0 ? [name] : [])));
  const [fresh, failing, postgres] = await Promise.all([
    sampleNames(build({ eventStoreAnswers: async () => true })),
    sampleNames(build({ readBacklog: fails, isReady: fails, eventStoreAnswers: fails })),
    sampleNames(build()),
  ]);
  const presence = (name: string): string => {
    const conditions = [
      ...(fresh.has(name) || !all.some((metric) => metric.name === name) ? [] : ['after the first']),
      ...(fresh.has(name) && !failing.has(name) ? ['PostgreSQL'] : []),
      ...(fresh.has(name) && !postgres.has(name) ? ['ClickHouse'] : []),
    ];
    return conditions.join(', ') || 'always';
  };
  const labelsOf = defaultLabels();
  const metrics = all.map((metric): ScrapedMetric => ({ ...metric, labels: labelsOf.get(metric.name) ?? metric.labels }));
  await expect(metricsPage(metrics, presence)).toMatchFileSnapshot('../../../../docs/metrics.md');
});

/** Labels that the client of Node.js declares. Some have a value only after a garbage collection. */
function defaultLabels(): Map<string, string[]> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const declaredMetrics = z.array(z.object({ name: z.string(), labelNames: z.array(z.string()).default([]) }));
  const metricList = declaredMetrics.parse(registry.getMetricsAsArray());
  registry.clear();
  return new Map(metricList.map(({ name, labelNames }) => [name, labelNames]));
}
