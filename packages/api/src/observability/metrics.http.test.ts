import { expect, it, onTestFinished } from 'vitest';
import { openBreakableProxy } from '../../test/breakable-proxy.ts';
import { buildTestApi, loadTestAuditKeys, type TestApi } from '../../test/build-test-api.ts';
import { readScrape } from '../../test/metric-table.ts';
import { soon } from '../../test/soon.ts';
import { createTestDatabase } from '../../test/test-database.ts';
import { openDatabases } from '../database/connect.ts';
import { readBacklog } from '../database/read-backlog.ts';
import { recordAudit, transaction } from '../database/transaction.ts';
import { sealEntries } from '../features/audit-seals/seal-entries.ts';
import { createJobQueue } from '../jobs/job-queue.ts';

const { databases, url } = await createTestDatabase();
const { ops } = databases.pools;
const read = async () => readBacklog(ops, 30_000);

async function open(options: Partial<Parameters<typeof buildTestApi>[0]> = {}): Promise<TestApi> {
  const api = await buildTestApi({ databases, ...options });
  onTestFinished(async () => {
    await api.app.close();
  });
  return api;
}

const samples = async (api: TestApi): Promise<string[]> =>
  readScrape(String((await api.call('GET', '/metrics')).body)).flatMap((metric) => metric.samples);

async function writeEntries(count: number): Promise<void> {
  const event = { actor: null, entity: 'role', action: 'create', id: 1, label: 'v' } as const;
  for (let nth = 0; nth < count; nth++)
    await transaction(databases.db, async (tx) =>
      recordAudit(tx, { ...event, request: { ip: '10.0.0.1', requestId: 'r', guardWrite: null } }),
    );
}

it('[MON-001] counts entries after the newest seal, and measures its age', async () => {
  expect(await read()).toEqual({ jobs: [], sealAge: null, unsealedEntries: 0, openBatches: 0, oldestOpenBatch: null, placesOverdue: 0 });
  await writeEntries(3);
  expect(await read()).toMatchObject({ sealAge: null, unsealedEntries: 3 });
  const minuteAgo = () => new Date(Date.now() - 60_000);
  await sealEntries({ databases, loadKeys: loadTestAuditKeys, now: minuteAgo }, { anchor: null, isLossAcknowledged: false });
  await writeEntries(2);
  const { sealAge, unsealedEntries } = await read();
  expect(unsealedEntries).toBe(2);
  expect(sealAge).toBeGreaterThanOrEqual(59);
  expect(sealAge).toBeLessThan(600);
});

it('[MON-001] counts batches of events that are open, with the number of the oldest', async () => {
  await ops.query(`select open_event_batch('{1}', '2026-11-20', '2026-11-21', 5) from generate_series(1, 3)`);
  await ops.query(`update event_batches set state = 'void', settled_at = now() where seq = 1`);
  expect(await read()).toMatchObject({ openBatches: 2, oldestOpenBatch: 2 });
});

it('[MON-001] measures since when the oldest check of places is due', async () => {
  await ops.query(`insert into place_checks (kind, app_id, first_id, last_id, round, due_at)
    select 'push', 1, 1, 1, 0, now() + seconds * interval '1 second' from unnest('{-60,600}'::integer[]) as seconds`);
  const { placesOverdue } = await read();
  expect(placesOverdue).toBeGreaterThanOrEqual(60);
  expect(placesOverdue).toBeLessThan(600);
});

it('[MON-001] counts jobs by queue and state, mails among them', async () => {
  const timings = { pollSeconds: 3600, expireSeconds: 3600, superviseSeconds: 1 };
  const queue = createJobQueue({ pools: databases.pools, onFault: () => undefined, timings });
  await queue.start([{ queue: 'mails', run: async () => undefined }]);
  onTestFinished(async () => queue.stop());
  await databases.jobsDb.transaction().execute(async (tx) => {
    for (let nth = 0; nth < 3; nth++) await queue.send(tx, { queue: 'mails', data: {}, afterSeconds: 3600 });
  });
  await ops.query(`update jobs.job set state = 'failed' where id = (select id from jobs.job where name = 'mails' limit 1)`);
  await expect.poll(async () => (await read()).jobs, soon).toEqual([{ queue: 'mails', waiting: 2, running: 0, failed: 1 }]);
  const api = await open();
  // A scrape goes on without the counts where the database takes its time.
  await expect.poll(async () => samples(api), soon).toContain('switchyard_jobs{queue="mails",state="waiting"} 2');
});

it('[MON-001] reports what the audit trail, the log and the limiters of the process say', async () => {
  const api = await open({ logWriteErrors: () => 3 });
  await api.maintain();
  expect(await samples(api)).toContain('switchyard_audit_seal_problems 0');
  await ops.query(`update audit_entries set entity_label = 'other' where id = 1`);
  await api.maintain();
  const lines = await samples(api);
  expect(lines).toEqual(
    expect.arrayContaining(['switchyard_audit_seal_problems 1', 'switchyard_log_write_errors_total 3', 'switchyard_ready 1']),
  );
  const kinds = lines.flatMap((line) => /^switchyard_slots_in_use\{kind="(\w+)"/.exec(line)?.[1] ?? []);
  expect(kinds).toEqual(['database', 'scans', 'files', 'public', 'ingestion', 'download_checks', 'downloads']);
});

it('[MON-002] answers a scrape while PostgreSQL hangs, without what PostgreSQL knows', async () => {
  const proxy = await openBreakableProxy(Number(new URL(url).port));
  const behind = openDatabases({ url: Object.assign(new URL(url), { port: String(proxy.port) }).href, onError: () => undefined });
  const api = await buildTestApi({ databases: behind });
  onTestFinished(async () => {
    proxy.resume();
    await api.app.close();
    await behind.close();
    await proxy.close();
  });
  proxy.hang();
  const lines = await samples(api);
  expect(lines).toContain('switchyard_ready 0');
  expect(lines).toContain('sse_connections 0');
  expect(lines.filter((line) => /^switchyard_(audit_unsealed|jobs)/.test(line))).toEqual([]);
});
