import { beforeAll, describe, expect, it, vi } from 'vitest';
import { soon } from '../../packages/api/test/soon.ts';
import { createApp, missingFrom, nothingMissing, send, startWriting, tell } from '../console/console-under-load.ts';
import { follow, handInOneByOne, readLists } from '../console/clients.ts';
import { type ConsoleCluster, startCluster } from './console-cluster.ts';
import { postgresProxy } from './load-balancer.ts';
import { freePort } from '../console/free-port.ts';
import { databaseUrl, type PostgresServer, startPrimary, startStandby } from '../console/postgres-pair.ts';

let primary: PostgresServer;
let standby: PostgresServer;
let cluster: ConsoleCluster;
let appId: number;

beforeAll(async () => {
  primary = await startPrimary();
  standby = await startStandby(primary);
  const port = await freePort();
  cluster = await startCluster(databaseUrl(port), { databases: [postgresProxy(port, [primary, standby])] });
  appId = await createApp(cluster.target);
  return async () => {
    await cluster.stop();
    await Promise.all([primary.stop(), standby.stop()]);
  };
});

/** Milliseconds of the calls that a person and a traffic server make, until one of each succeeds. */
async function recovery(since: number, isReached: () => Promise<boolean>): Promise<number> {
  await vi.waitFor(async () => expect(await isReached().catch(() => false)).toBe(true), { timeout: 60_000, interval: 20 });
  return Math.round(performance.now() - since);
}

describe('PostgreSQL with a synchronous standby', () => {
  it('[R27] the primary dies under load, the standby is promoted: nothing acknowledged is lost or doubled, and no console restarts', async () => {
    const { target } = cluster;
    const processes = cluster.consoles.map(({ child }) => child.pid);
    const stream = follow(target, appId);
    await vi.waitFor(() => expect(stream.connections).toBe(1), soon);
    const oneByOne = handInOneByOne(target, appId);
    const lists = readLists(target);
    const form = { name: 'Load', bundle: 'com.cluster.load', domain: 'load.example', vertical: 'bet' };
    const loadApp: number = JSON.parse((await send(target.url, 'apps', target.staff, form)).text).data.id;
    const writing = startWriting(target, { writers: 8, appId: loadApp });
    await vi.waitFor(() => expect(writing.writtenRows.events.length).toBeGreaterThan(1000), soon);

    const killedAt = performance.now();
    await primary.kill();
    await standby.promote();
    const promotedAfter = Math.round(performance.now() - killedAt);
    const storedCount = oneByOne.storedIds.length;
    const heardCount = stream.uuids.length;
    const [writes, reads, live] = await Promise.all([
      recovery(killedAt, async () => oneByOne.storedIds.length > storedCount),
      recovery(killedAt, async () => (await send(target.url, 'apps', target.staff)).status === 200),
      recovery(killedAt, async () => stream.uuids.length > heardCount),
    ]);
    tell(`promoted after ${promotedAfter} ms; from the kill on: first write ${writes} ms, first list ${reads} ms, live stream ${live} ms`);

    const before = writing.writtenRows.events.length;
    await vi.waitFor(() => expect(writing.writtenRows.events.length).toBeGreaterThan(before + 1000), soon);
    await Promise.all([writing.stop(), oneByOne.stop(), lists.stop()]);
    await vi.waitFor(() => expect(stream.uuids.toSorted()).toEqual(oneByOne.storedIds.toSorted()), soon);
    await stream.stop();
    const { events, apps, strange, slowestBatch } = writing.writtenRows;
    tell(
      `${events.length} events and ${apps.length} apps acknowledged; longest gap: lists ${lists.gap.longest()} ms, single events ` +
        `${oneByOne.gap.longest()} ms, slowest batch ${Math.round(slowestBatch)} ms, stream ${stream.gap.longest()} ms (${stream.connections} connections)`,
    );
    tell(`statuses of lists ${JSON.stringify(lists.statuses)}, of single events ${JSON.stringify(oneByOne.statuses)}`);
    expect(Math.max(writes, reads, live)).toBeLessThan(10_000);
    expect(strange).toEqual([]);
    expect(stream.gaps).toBe(0);
    expect(new Set(stream.uuids).size).toBe(stream.uuids.length);
    expect(cluster.consoles.map(({ child }) => [child.pid, child.exitCode, child.signalCode])).toEqual(
      processes.map((pid) => [pid, null, null]),
    );
    expect(await missingFrom(databaseUrl(standby.port), writing.writtenRows)).toEqual(nothingMissing);
  });
});
