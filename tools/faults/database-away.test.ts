import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Databases, openDatabases } from '../../packages/api/src/database/connect.ts';
import { type ConsoleProcesses, consoleProcesses } from '../../packages/api/test/console-process.ts';
import { soon } from '../../packages/api/test/soon.ts';
import { type Answer, createApp, handInMany, type LoadedConsole, send, startConsole, tell } from '../console/console-under-load.ts';
import { childrenOf, signalAll } from '../console/processes.ts';

let consoles: ConsoleProcesses;
let target: LoadedConsole;

beforeEach(async () => {
  consoles = consoleProcesses();
  target = await startConsole(consoles);
});
afterEach(() => consoles.cleanUp());

const away = { success: false, message: 'Database is unavailable, try again' };
const time = (): Promise<Answer> => send(target.url, 'time', target.staff);

/** Connections of the test's own. */
function openAside(): Databases {
  const databases = openDatabases({ url: consoles.databaseUrl(), onError: () => undefined });
  onTestFinished(() => databases.close());
  return databases;
}

async function expectRecovery(milliseconds: number): Promise<void> {
  const began = performance.now();
  await vi.waitFor(
    async () => {
      const answers = await Promise.all([time(), send(target.url, '/readyz', {})]);
      expect(answers.map((answer) => answer.status)).toEqual([200, 200]);
    },
    { timeout: milliseconds, interval: 20 },
  );
  tell(`answers again ${Math.round(performance.now() - began)} ms later`);
  expect(target.process.child.exitCode).toBeNull();
}

describe('the database becomes unavailable and recovers', () => {
  it('[R3] stopped at once: calls return 503 within 2.5 s, the probes say so, and it recovers alone', async () => {
    const postmaster = consoles.postmaster();
    process.kill(postmaster, 'SIGQUIT');
    const [call, live] = await Promise.all([time(), send(target.url, '/livez', {})]);
    expect(live).toMatchObject({ status: 200, text: 'ok' });
    // A call that came before the end of the server or after its return is answered.
    if (call.status !== 200) expect([call.status, JSON.parse(call.text)]).toEqual([503, away]);
    expect(call.milliseconds).toBeLessThan(2500);
    // Until then the server that is stopping answered.
    await vi.waitFor(() => expect(consoles.postmaster()).not.toBe(postmaster), { timeout: 15_000, interval: 20 });
    await expectRecovery(15_000);
  });

  it('[R3] hanging: no call waits, the probes say so, and it recovers alone', async () => {
    await Promise.all(Array.from({ length: 12 }, time));
    // The first of all makes no more of them.
    signalAll([consoles.postmaster()], 'SIGSTOP');
    const pids = [consoles.postmaster(), ...childrenOf(consoles.postmaster())];
    signalAll(pids, 'SIGSTOP');
    try {
      const answers = await Promise.all([...Array.from({ length: 30 }, time), send(target.url, '/readyz', {})]);
      const live = await send(target.url, '/livez', {});
      expect([live.status, live.milliseconds < 500]).toEqual([200, true]);
      tell(`hung calls are refused after ${Math.round(Math.max(...answers.map((answer) => answer.milliseconds)))} ms at most`);
      for (const answer of answers) {
        expect(answer.status).toBe(503);
        expect(answer.milliseconds).toBeLessThan(10_000);
      }
      // Hanging connections were abandoned. New ones time out after two seconds.
      const later = await time();
      expect([later.status, JSON.parse(later.text)]).toEqual([503, away]);
      expect(later.milliseconds).toBeLessThan(2500);
    } finally {
      signalAll(pids, 'SIGCONT');
    }
    await expectRecovery(15_000);
  });

  it('[R3] every connection is cut: the process keeps running, and calls succeed at once', async () => {
    await Promise.all(Array.from({ length: 12 }, time));
    const aside = openAside();
    const { rows } = await aside.pools.ops.query<{ ended: boolean }>(
      'select pg_terminate_backend(pid) as ended from pg_stat_activity where pid <> pg_backend_pid() and usename = current_user',
    );
    expect(rows.length).toBeGreaterThan(3);
    await expectRecovery(5000);
  });

  it('[R4] a locked table delays only calls that need it, and none for ever', async () => {
    const appId = await createApp(target);
    const aside = openAside();
    const client = await aside.pools.exports.connect();
    await client.query('begin');
    await client.query('lock table apps in access exclusive mode');
    const slow = Array.from({ length: 200 }, () => send(target.url, `apps/${appId}`, target.staff));
    const times: Answer[] = [];
    // Long enough for most of them to wait until they get the error that the database is too busy.
    for (const began = performance.now(); performance.now() - began < 4000;) times.push(await time());
    await client.query('rollback');
    client.release();
    const answers = await Promise.all(slow);
    const sortedTimes = times.map((answer) => answer.milliseconds).toSorted((one, other) => one - other);
    const at = (part: number): number => Math.round(sortedTimes[Math.floor((sortedTimes.length - 1) * part)] ?? Number.NaN);
    const rejections = answers.filter((answer) => answer.status === 503);
    const slowest = Math.round(Math.max(...rejections.map((answer) => answer.milliseconds)));
    tell(
      `${times.length} times of the server: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms; ${rejections.length} of 200 locked out, after ${slowest} ms at most`,
    );
    expect(new Set(times.map((answer) => answer.status))).toEqual(new Set([200]));
    expect(at(0.99)).toBeLessThan(200);
    for (const answer of answers) expect([200, 503]).toContain(answer.status);
    expect(rejections.length).toBeGreaterThan(150);
    expect(slowest).toBeLessThan(4000);
  });

  it('[R6] breaks in the middle of a download: the reader sees the error, every time', async () => {
    const appId = await createApp(target);
    await handInMany(target, { appId, rows: 60_000 });
    const aside = openAside();
    // Not the registry, which a console reads again whose connections were cut.
    const exporting = `from pg_stat_activity where application_name = 'switchyard exports' and state = 'active' and query like 'copy (select event.%'`;
    for (let tries = 0; tries < 5; tries += 1) {
      const answer = await fetch(`${target.url}/api/apps/${appId}/postbacks/download`, { headers: target.staff });
      expect(answer.status).toBe(200);
      const reader = answer.body?.getReader();
      await reader?.read();
      const endedQueries = await aside.pools.ops.query(`select pg_terminate_backend(pid) ${exporting}`);
      expect(endedQueries.rowCount).toBe(1);
      const readOn = async (): Promise<void> => {
        while ((await reader?.read())?.done === false);
      };
      await expect(readOn()).rejects.toThrow();
      await vi.waitFor(async () => expect((await aside.pools.ops.query(`select 1 ${exporting}`)).rowCount).toBe(0), soon);
    }
    await expectRecovery(5000);
  });
});
