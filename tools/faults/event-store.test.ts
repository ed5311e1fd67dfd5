import { randomInt } from 'node:crypto';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openDatabases } from '../../packages/api/src/database/connect.ts';
import { isEngineInstalled } from '@switchyard/traffic-store/clickhouse/start-engine';
import { type ConsoleProcesses, consoleProcesses, endOf } from '../../packages/api/test/console-process.ts';
import { createApp, type LoadedConsole, send, startConsole, startWriting, tell, type WrittenRows } from '../console/console-under-load.ts';
import { engineOf, signalAll } from '../console/processes.ts';
import { makeDisk, type SmallDisk, whyNoDisk } from './small-disk.ts';

/** How often each process is killed. */
const rounds = Number(process.env['FAULT_ROUNDS'] ?? 5);
let consoles: ConsoleProcesses;
const disks: SmallDisk[] = [];

beforeEach((context) => {
  if (!isEngineInstalled()) context.skip('the embedded ClickHouse is not installed (npm ci --prefix embedded-clickhouse)');
  consoles = consoleProcesses();
  return async () => {
    await consoles.cleanUp();
    for (const made of disks.splice(0)) made.remove();
  };
});

const onClickHouse = () => ({ EVENT_STORE_URL: `chdb:${join(consoles.folder, 'events')}` });

/** The app's events in the list, the counters, the download and the ledger; each equals `events` if nothing is lost or duplicated. */
async function countEverywhere({ url, staff }: LoadedConsole, appId: number, { events }: WrittenRows) {
  const list = JSON.parse((await send(url, `apps/${appId}/postbacks?limit=10`, staff)).text);
  const apps = JSON.parse((await send(url, 'apps?isCache=0&search=com.fault.first', staff)).text);
  const [header = '', ...lines] = (await send(url, `apps/${appId}/postbacks/download`, staff)).text.trimEnd().split('\r\n');
  const place = header.split(',').indexOf('uuid');
  const stored = new Set(lines.map((line) => line.split(',')[place]));
  const databases = openDatabases({ url: consoles.databaseUrl(), onError: () => undefined });
  const { rows } = await databases.pools.ops.query<{ requests: number; open: number }>(
    `select coalesce(sum(requests) filter (where state = 'stored'), 0)::integer as requests, (count(*) filter (where state = 'open'))::integer as open
     from event_batches`,
  );
  await databases.close();
  return {
    acknowledged: events.length,
    lost: events.filter((id) => !stored.has(id)).length,
    downloaded: lines.length,
    listed: list.pagination.total,
    counted: apps.data[0].statistics.all.all_time.create.all,
    ledger: rows[0]?.requests,
    open: rows[0]?.open,
  };
}

async function expectEverything(target: LoadedConsole, appId: number, writtenRows: WrittenRows): Promise<void> {
  const count = writtenRows.events.length;
  tell(`${writtenRows.apps.length} apps and ${count} events acknowledged`);
  expect(writtenRows.strange).toEqual([]);
  expect(count).toBeGreaterThan(100);
  expect(await countEverywhere(target, appId, writtenRows)).toEqual({
    acknowledged: count,
    lost: 0,
    downloaded: count,
    listed: count,
    counted: count,
    ledger: count,
    open: 0,
  });
}

/** Waits until some batches more were acknowledged, and then until a moment that nobody chose. */
async function midst(writtenRows: WrittenRows): Promise<void> {
  const before = writtenRows.events.length;
  await vi.waitFor(() => expect(writtenRows.events.length).toBeGreaterThan(before), { timeout: 60_000, interval: 20 });
  await wait(randomInt(50, 1000));
}

/** Calls that need no events, or answer without them. */
async function expectTheRest({ url, staff }: LoadedConsole, appId: number): Promise<void> {
  const paths = [
    'users',
    'log-viewer/logs',
    'apps',
    `apps/${appId}`,
    `apps/${appId}/pushes`,
    `apps/${appId}/conversions`,
    'home',
    '/readyz',
  ];
  for (const path of paths) expect([path, (await send(url, path, staff)).status]).toEqual([path, 200]);
}

describe('ClickHouse at startup', () => {
  it('[R3] unavailable: one line, without the password, and exit code 1', async () => {
    const { child, output } = consoles.launch({ EVENT_STORE_URL: 'http://switchyard:hush@127.0.0.1:9/events' });
    expect(await endOf(child)).toBe(1);
    const lastLine = output().trimEnd().split('\n').at(-1);
    expect(lastLine).toBe('EVENT_STORE_URL: ClickHouse cannot be used (connect ECONNREFUSED 127.0.0.1:9)');
    expect(output()).not.toContain('hush');
  });
});

describe('each event is stored, listed, counted and downloaded once', () => {
  it('[R1] when the console is killed between the steps of its inserts, again and again', async () => {
    const target = await startConsole(consoles, onClickHouse());
    const appId = await createApp(target);
    const { writtenRows, stop } = startWriting(target, { writers: 12, appId });
    for (let round = 0; round < rounds; round += 1) {
      await midst(writtenRows);
      await endOf(target.process.child, 'SIGKILL');
      target.process = await consoles.start({ ...onClickHouse(), PORT: new URL(target.url).port });
    }
    await stop();
    await expectEverything(target, appId, writtenRows);
  });

  it('[R2] when ClickHouse is killed: batches wait, the rest works, and the console starts it again', async () => {
    const target = await startConsole(consoles, onClickHouse());
    const appId = await createApp(target);
    const { writtenRows, stop } = startWriting(target, { writers: 12, appId });
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await midst(writtenRows);
      const killed = engineOf(target.process.child.pid ?? 0);
      signalAll(killed === null ? [] : [killed], 'SIGKILL');
      const began = performance.now();
      await expectTheRest(target, appId);
      const list = await send(target.url, `apps/${appId}/postbacks`, target.staff);
      if (list.status !== 200)
        expect([list.status, JSON.parse(list.text).message]).toEqual([503, 'The event store is unavailable, try again']);
      await vi.waitFor(async () => expect((await send(target.url, `apps/${appId}/postbacks`, target.staff)).status).toBe(200), {
        timeout: 30_000,
        interval: 50,
      });
      times.push(Math.round(performance.now() - began));
      expect(engineOf(target.process.child.pid ?? 0)).not.toBe(killed);
    }
    await stop();
    tell(`lists again after ${times.join(', ')} ms`);
    expect(target.process.output().match(/Embedded ClickHouse: ended unexpectedly, restarting \(SIGKILL\)/g)).toHaveLength(rounds);
    await expectEverything(target, appId, writtenRows);
  });

  it('[R2] when PostgreSQL is killed while ClickHouse is up', async () => {
    const target = await startConsole(consoles, onClickHouse());
    const appId = await createApp(target);
    const { writtenRows, stop } = startWriting(target, { writers: 12, appId });
    for (let round = 0; round < rounds; round += 1) {
      await midst(writtenRows);
      const postmaster = consoles.postmaster();
      process.kill(postmaster, 'SIGKILL');
      await vi.waitFor(
        async () => {
          expect(consoles.postmaster()).not.toBe(postmaster);
          expect((await send(target.url, 'time', target.staff)).status).toBe(200);
        },
        { timeout: 30_000, interval: 20 },
      );
    }
    await stop();
    expect(target.process.child.exitCode).toBeNull();
    // A batch that a lost connection left open is settled by the next batch of the app.
    const last = startWriting(target, { writers: 2, appId });
    await midst(last.writtenRows);
    await last.stop();
    writtenRows.events.push(...last.writtenRows.events);
    await expectEverything(target, appId, writtenRows);
  });
});

describe('the disk of ClickHouse is full', () => {
  beforeEach((context) => {
    const reason = whyNoDisk();
    if (reason !== null) context.skip(reason);
  });

  it('[R15] batches are rejected with the reason, reads and everything else go on, and it recovers alone', async () => {
    const small = makeDisk(96);
    disks.push(small);
    mkdirSync(join(small.folder, 'events'));
    symlinkSync(join(small.folder, 'events'), join(consoles.folder, 'events'));
    const target = await startConsole(consoles, onClickHouse());
    const appId = await createApp(target);
    const { writtenRows, stop } = startWriting(target, { writers: 6, appId });
    await vi.waitFor(() => expect(writtenRows.events.length).toBeGreaterThan(100), { timeout: 60_000 });
    small.fill();
    const refused = async () =>
      send(target.url, 'ingest/events', target.server, {
        events: [{ app_id: appId, type: 'track', date: new Date().toISOString(), ip: '203.0.113.9' }],
      });
    await vi.waitFor(
      async () => {
        small.fill();
        const { status, text } = await refused();
        expect([status, JSON.parse(text).message]).toEqual([503, 'Storage is full']);
      },
      { timeout: 60_000, interval: 100 },
    );
    expect((await send(target.url, `apps/${appId}/postbacks`, target.staff)).status).toBe(200);
    await expectTheRest(target, appId);
    small.free();
    const before = writtenRows.events.length;
    await vi.waitFor(() => expect(writtenRows.events.length).toBeGreaterThan(before), { timeout: 60_000 });
    await stop();
    expect(target.process.output()).not.toContain('Embedded ClickHouse: ended');
    const { lost, ...counts } = await countEverywhere(target, appId, writtenRows);
    tell(JSON.stringify(counts));
    expect([lost, counts.open]).toEqual([0, 0]);
    expect([counts.listed, counts.ledger]).toEqual([counts.downloaded, counts.downloaded]);
  });
});
