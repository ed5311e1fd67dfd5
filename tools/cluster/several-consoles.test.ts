import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { endOf } from '../../packages/api/test/console-process.ts';
import { startFakeTrafficServer } from '../../packages/api/test/fake-traffic-server.ts';
import { soon } from '../../packages/api/test/soon.ts';
import { createApp, handInMany, missingFrom, nothingMissing, send, startWriting, tell } from '../console/console-under-load.ts';
import { follow, handInOneByOne, readLists } from '../console/clients.ts';
import { type ConsoleCluster, startCluster } from './console-cluster.ts';
import { databaseUrl, type PostgresServer, startPrimary } from '../console/postgres-pair.ts';

let postgres: PostgresServer;
let cluster: ConsoleCluster;
let appId: number;

beforeAll(async () => {
  postgres = await startPrimary();
  cluster = await startCluster(databaseUrl(postgres.port), {
    env: { DOMAIN_PROVISIONER: 'http', PROVISIONER_NETWORKS: '127.0.0.0/8' },
  });
  appId = await createApp(cluster.target);
  return async () => {
    await cluster.stop();
    await postgres.stop();
  };
});

/** Number of calls of a path that HAProxy passed to each console. */
function callsByConsole(path: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [, name = '', calledPath = ''] of cluster.proxy.log().matchAll(/ consoles\/(console-\d) .* "\w+ (\S+) HTTP/g))
    if (calledPath.startsWith(path)) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** A client of the installation who creates an own app, because load of many apps slows lists down. */
async function appOf(name: string): Promise<number> {
  const form = { name, bundle: `com.cluster.${name}`, domain: `${name}.example`, vertical: 'bet' };
  const { status, text } = await send(cluster.target.url, 'apps', cluster.target.staff, form);
  expect([status, text]).toEqual([201, text]);
  return JSON.parse(text).data.id;
}

async function expectAllUp(): Promise<void> {
  const before = Object.keys(callsByConsole('/api/time')).length;
  expect(before).toBeLessThanOrEqual(3);
  const mark = cluster.proxy.log().length;
  await vi.waitFor(async () => {
    for (let call = 0; call < 6; call += 1) await send(cluster.target.url, 'time', {});
    const names = [
      ...cluster.proxy
        .log()
        .slice(mark)
        .matchAll(/ consoles\/(console-\d) /g),
    ].map(([, name]) => name);
    expect(new Set(names).size).toBe(3);
  }, soon);
}

describe('three consoles behind HAProxy over one database', () => {
  it('[R24] take the session of one another, and each list is the same', async () => {
    await expectAllUp();
    const lists = await Promise.all(Array.from({ length: 12 }, () => send(cluster.target.url, 'apps', cluster.target.staff)));
    expect(new Set(lists.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(lists[0]?.status).toBe(200);
    await vi.waitFor(() => expect(Object.keys(callsByConsole('/api/apps')).length).toBe(3), soon);
  });

  it('[R24] follow live what any of them ingests', async () => {
    const streams = await Promise.all(
      cluster.consoles.map(async ({ url }) => {
        const stream = follow({ ...cluster.target, url }, appId);
        onTestFinished(() => stream.stop());
        await vi.waitFor(() => expect(stream.connections).toBe(1), soon);
        return stream;
      }),
    );
    const writers = cluster.consoles.map(({ url }) => handInOneByOne({ ...cluster.target, url }, appId));
    await vi.waitFor(() => expect(Math.min(...writers.map(({ storedIds }) => storedIds.length))).toBeGreaterThan(20), soon);
    await Promise.all(writers.map(({ stop }) => stop()));
    const writtenIds = writers.flatMap((writer) => writer.storedIds).toSorted();
    for (const stream of streams) await vi.waitFor(() => expect(stream.uuids.toSorted()).toEqual(writtenIds), soon);
  });

  it('[R24] run each job once', async () => {
    const token = 'cluster-tests-token-of-an-edge-server-0001';
    const edge = await startFakeTrafficServer(token);
    onTestFinished(() => edge.stop());
    const { url, staff } = cluster.target;
    const creation = await send(url, 'servers', staff, { name: 'Edge', url: edge.url, token });
    expect([creation.status, creation.text]).toEqual([201, creation.text]);
    const serverId: number = JSON.parse(creation.text).data.id;
    const domains: string[] = [];
    for (let at = 0; at < 6; at += 1) {
      const name = `job${at}`;
      await appOf(name);
      const linking = await send(url, 'app/add-domain', staff, { domain: `${name}.example`, serverId, isOnlyCF: 0 });
      expect([linking.status, linking.text]).toEqual([200, linking.text]);
      domains.push(`${name}.example`);
    }
    await vi.waitFor(async () => expect(await postgres.query(`select from check_domains where status <> 'ok'`)).toEqual([]), {
      timeout: 60_000,
      interval: 100,
    });
    expect(await postgres.query('select from check_domains')).toHaveLength(6);
    expect(
      edge.calls
        .filter(({ action }) => action === 'add')
        .map(({ domain }) => domain)
        .toSorted(),
    ).toEqual(domains);
    expect(new Set(edge.calls.map(({ id }) => id)).size).toBe(edge.calls.length);
    const statements = [...new Set(edge.calls.map(({ action }) => action))];
    tell(`${edge.calls.length} calls (${statements.join(', ')}) for 6 domains`);
  });

  it('[R25] one is killed under load: no acknowledged write is lost or doubled, clients go on, and a download of another ends whole', async () => {
    const { target } = cluster;
    const followedApp = await appOf('followed');
    const downloadedApp = await appOf('downloaded');
    await handInMany(target, { appId: downloadedApp, rows: 30_000 });
    const stream = follow(target, followedApp);
    await vi.waitFor(() => expect(stream.connections).toBe(1), soon);
    const oneByOne = handInOneByOne(target, followedApp);
    const lists = [readLists(target), readLists(target)];
    const writing = startWriting(target, { writers: 8, appId });
    await vi.waitFor(() => expect(writing.writtenRows.events.length).toBeGreaterThan(500), soon);
    for (const at of [2, 1]) {
      const survivor = cluster.consoles[0]?.url ?? '';
      const download = await fetch(`${survivor}/api/apps/${downloadedApp}/postbacks/download`, { headers: target.staff });
      const killedConsole = cluster.consoles[at];
      if (killedConsole) await endOf(killedConsole.child, 'SIGKILL');
      expect((await download.text()).trimEnd().split('\n')).toHaveLength(30_001);
      await wait(2000);
      await cluster.startAgain(at);
      await expectAllUp();
    }
    await Promise.all([writing.stop(), oneByOne.stop(), ...lists.map(({ stop }) => stop())]);
    await vi.waitFor(() => expect(stream.uuids.toSorted()).toEqual(oneByOne.storedIds.toSorted()), soon);
    await stream.stop();
    const { events, apps, strange, slowestBatch } = writing.writtenRows;
    tell(
      `${events.length} events and ${apps.length} apps acknowledged; longest gap: lists ${Math.max(...lists.map(({ gap }) => gap.longest()))} ms, ` +
        `single events ${oneByOne.gap.longest()} ms, slowest batch ${Math.round(slowestBatch)} ms, stream ${stream.gap.longest()} ms (${stream.connections} connections)`,
    );
    tell(
      `statuses of lists ${JSON.stringify(lists.map(({ statuses }) => statuses))}, of single events ${JSON.stringify(oneByOne.statuses)}`,
    );
    expect(strange).toEqual([]);
    expect(stream.gaps).toBe(0);
    expect(new Set(stream.uuids).size).toBe(stream.uuids.length);
    // Reads are repeated by HAProxy: at most a stream of responses that had begun breaks.
    for (const { statuses } of lists) expect(Object.keys(statuses)).toEqual(['200']);
    expect(await missingFrom(databaseUrl(postgres.port), writing.writtenRows)).toEqual(nothingMissing);
  });

  it('[R26] one is stopped under load: its readiness probe fails first, and no call fails', async () => {
    const { target } = cluster;
    await expectAllUp();
    const followedApp = await appOf('drained');
    const stream = follow(target, followedApp);
    // Only what is stored after a stream has opened is promised to it.
    await vi.waitFor(() => expect(stream.connections).toBe(1), soon);
    const oneByOne = handInOneByOne(target, followedApp);
    const lists = [readLists(target), readLists(target)];
    const stoppedConsole = cluster.consoles[0];
    await vi.waitFor(() => expect(oneByOne.storedIds.length).toBeGreaterThan(20), soon);
    const signalledAt = performance.now();
    stoppedConsole?.child.kill('SIGTERM');
    await vi.waitFor(async () => expect((await send(stoppedConsole?.url ?? '', '/readyz', {})).status).toBe(503), soon);
    // It serves calls as long as HAProxy may still send some.
    expect((await send(stoppedConsole?.url ?? '', 'time', target.staff)).status).toBe(200);
    expect(stoppedConsole && (await endOf(stoppedConsole.child))).toBe(0);
    const seconds = (performance.now() - signalledAt) / 1000;
    await cluster.startAgain(0);
    await expectAllUp();
    await Promise.all([oneByOne.stop(), ...lists.map(({ stop }) => stop())]);
    await vi.waitFor(() => expect(stream.uuids.toSorted()).toEqual(oneByOne.storedIds.toSorted()), soon);
    await stream.stop();
    tell(
      `ended ${seconds.toFixed(1)} s after the signal; ${oneByOne.storedIds.length} events; longest gap: lists ` +
        `${Math.max(...lists.map(({ gap }) => gap.longest()))} ms, events ${oneByOne.gap.longest()} ms, stream ${stream.gap.longest()} ms`,
    );
    for (const { statuses } of [...lists, oneByOne]) expect(Object.keys(statuses)).toEqual(['200']);
    expect(stream.gaps).toBe(0);
  });

  it('[IDN-124] a tab is reloaded twenty times: its list is live each time, and a tab whose stream was replaced says so', async () => {
    const { target } = cluster;
    await expectAllUp();
    // Nothing is stored there: HAProxy learns only with the second heartbeat that a client has closed a quiet stream.
    const path = `apps/${await appOf('reloaded')}/postbacks`;
    async function openStream(signal: AbortSignal): Promise<{ text: () => string }> {
      const answer = await fetch(`${target.url}/api/${path}/stream`, { headers: target.staff, signal });
      expect(answer.status).toBe(200);
      let text = '';
      const read = async (): Promise<void> => {
        for await (const part of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) text += part;
      };
      void read().catch(() => undefined);
      await vi.waitFor(() => expect(text).toContain('\nid: '), soon);
      return { text: () => text };
    }
    const left = new AbortController();
    onTestFinished(() => left.abort());
    const otherTab = await openStream(left.signal);
    const began = performance.now();
    for (let reload = 0; reload < 20; reload += 1) {
      const page = new AbortController();
      const calls = await Promise.all(['sanctum/user', 'apps', path].map((call) => send(target.url, call, target.staff)));
      expect(calls.map(({ status }) => status)).toEqual([200, 200, 200]);
      await openStream(page.signal);
      page.abort();
    }
    tell(`20 reloads in ${((performance.now() - began) / 1000).toFixed(1)} s`);
    await vi.waitFor(() => expect(otherTab.text()).toMatch(/\n\nevent: end\ndata: {"reason":"replaced"}\n\n$/), soon);
  });
});
