import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createMetrics } from '../../packages/api/src/observability/metrics.ts';
import { readExpressions } from '../console/monitoring-files.ts';

/** Runs promtool. Gives its exit code, and what it wrote unless that is 0. */
function promtool(args: readonly string[], input = ''): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' });
  return { status, output: status === 0 ? '' : `${stdout}${stderr}` };
}

const sound = { status: 0, output: '' };

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-monitoring-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

it('[MON-003] promtool accepts names, types and helps of all metrics', async () => {
  const metrics = createMetrics({
    build: { version: '1.2.3', commit: null },
    pools: { ui: { totalCount: 2, idleCount: 1, waitingCount: 0 } },
    eventStoreAnswers: async () => true,
    isReady: async () => true,
    readBacklog: async () => ({
      jobs: [{ queue: 'mails', waiting: 1, running: 0, failed: 0 }],
      sealAge: 60,
      unsealedEntries: 1,
      openBatches: 1,
      oldestOpenBatch: 1,
      placesOverdue: 1,
    }),
    limiters: { scans: { running: () => 1, waiting: () => 0 } },
    sealProblems: () => 0,
    logWriteErrors: () => 0,
    storage: { disks: async () => new Map([['data', { free: 1, size: 2 }]]), lastBackup: async () => 1 },
    databaseBytes: async () => 1,
  });
  metrics.requestFinished({ method: 'GET', route: 'time', status: 200, seconds: 0.1 });
  metrics.rowsIngested('events', { accepted: 1, duplicates: 0, rejected: 0 });
  expect(promtool(['check', 'metrics'], await metrics.text())).toEqual(sound);
});

it('[MON-004] promtool accepts the configuration with its alerts', () => {
  const folder = temporaryFolder();
  cpSync('deploy/monitoring', folder, { recursive: true });
  writeFileSync(join(folder, 'switchyard-token'), 'token');
  expect(promtool(['check', 'config', join(folder, 'prometheus.yml')])).toEqual(sound);
});

it('[MON-004] each alert fires on its fault and not without it', () => {
  expect(
    promtool(['test', 'rules', 'deploy/monitoring/switchyard-alerts.test.yml', 'deploy/monitoring/switchyard-alerts-days.test.yml']),
  ).toEqual(sound);
});

it('[MON-005] every expression of the dashboard parses', () => {
  const file = join(temporaryFolder(), 'dashboard.json');
  const rules = readExpressions().panels.map(({ expression }, at) => ({ record: `panel_${at}`, expr: expression }));
  expect(rules.length).toBeGreaterThan(25);
  // JSON is YAML, too.
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
  expect(promtool(['check', 'rules', '--lint=none', file])).toEqual(sound);
});
