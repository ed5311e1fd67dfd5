import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startConsole } from '../console/console-server.ts';
import { handInRows } from '../console/hand-in.ts';
import { engineOf } from '../console/processes.ts';
import { readRunState, type StoredSession } from '../console/run-state.ts';
import { expect, test as base } from './console-test.ts';
import { expectAccessible } from './expect-accessible.ts';

type OwnConsole = { url: string; enginePid: number; session: StoredSession };

const administrator = { email: 'admin@switchyard.local', password: 'Journeys-Admin-1' };
const serverToken = 'token-of-the-server-of-the-outage-0001';

/** The console's test over a console of its own, whose ClickHouse may hang, with an app that has three requests. */
const test = base.extend<object, { own: OwnConsole }>({
  own: [
    async ({ browserName }, provide) => {
      const dataDir = await mkdtemp(join(tmpdir(), `switchyard-outage-${browserName}-`));
      const { url, child, stop } = await startConsole({
        DATA_DIR: dataDir,
        EVENT_STORE_URL: `chdb:${join(dataDir, 'events')}`,
        ADMIN_PASSWORD: administrator.password,
        NODE_ENV: 'test',
        DEMO: '0',
      });
      const post = async (path: string, body: object, token = ''): Promise<string> => {
        const headers = { 'content-type': 'application/json', ...(token === '' ? {} : { authorization: `Bearer ${token}` }) };
        return (await fetch(`${url}/api/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).text();
      };
      const { data: session }: { data: StoredSession } = JSON.parse(await post('sanctum/login', administrator));
      const { accessToken } = session.token;
      await post('servers', { name: 'Outage', url: 'https://edge.example', token: serverToken }, accessToken);
      const form = { name: 'Goal Rush', bundle: 'com.goalrush.app', domain: 'goal-rush.example', vertical: 'bet' };
      await post('apps', form, accessToken);
      const date = new Date().toISOString();
      const rows = Array.from({ length: 3 }, () => ({ bundle: form.bundle, type: 'create', ip: '203.0.113.9', date }));
      await handInRows({ url, serverToken }, 'events', rows);
      const enginePid = engineOf(child.pid ?? 0);
      if (enginePid === null) throw new Error('The console has no ClickHouse.');
      await provide({ url, enginePid, session });
      await stop();
      await rm(dataDir, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  run: async ({ own }, provide) => provide({ ...readRunState(), url: own.url, session: own.session }),
});

test('[OUT-001, OUT-002, OUT-005] while ClickHouse hangs, Apps and Home say what is missing, and complete by themselves', async ({
  page: apps,
  context,
  own,
}) => {
  const home = await context.newPage();
  const requests = await context.newPage();
  await home.setViewportSize({ width: 390, height: 844 });
  const notice = 'Statistics are missing: the event store is unavailable';
  process.kill(own.enginePid, 'SIGSTOP');
  try {
    await apps.goto('/apps?isCache=0&orderBy=keyTodayCreate&orderDirection=desc');
    await expect(apps.getByText(notice)).toBeVisible();
    await expect(apps.getByText('The apps cannot be sorted by them')).toBeVisible();
    await expect(apps.getByRole('row', { name: /Goal Rush/ }).getByText('Missing', { exact: true })).toHaveCount(8);
    await expectAccessible(apps);
    await home.goto('/');
    await expect(home.getByText(notice)).toBeVisible();
    await expectAccessible(home);
    await requests.goto('/requests');
    await expect(requests.getByRole('main').getByText('The event store is unavailable, try again', { exact: true })).toBeVisible();
    for (const page of [apps, home]) await expect(page.getByTestId('notification')).toHaveCount(0);
  } finally {
    process.kill(own.enginePid, 'SIGCONT');
  }
  await expect(apps.getByText(notice)).toBeHidden();
  await expect(apps.getByRole('row', { name: /Goal Rush/ }).getByText('3 | 3')).toHaveCount(2);
  await expect(home.getByText(notice)).toBeHidden();
  await expect(requests.getByText('203.0.113.9').first()).toBeVisible();
});
