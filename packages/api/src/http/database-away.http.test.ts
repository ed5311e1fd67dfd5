import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { buildTestApi, type TestApi } from '../../test/build-test-api.ts';
import { emptyPort } from '../../test/empty-port.ts';
import { livedMilliseconds } from '../../test/lived-time.ts';
import { openDatabases } from '../database/connect.ts';

const unavailableBody = { success: false, message: 'Database is unavailable, try again' };
const failedChecks = { status: 'unavailable', checks: { database: 'failed', migrations: 'failed' } };
const headers = { authorization: `Bearer swy_${'x'.repeat(43)}` };

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** The API over a database at this port of the local machine. */
async function apiOver(port: number): Promise<TestApi> {
  const databases = openDatabases({ url: `postgres://nobody:x@127.0.0.1:${port}/none`, onError: () => undefined });
  const api = await buildTestApi({ databases, isAway: true });
  onTestFinished(async () => {
    await api.app.close();
    void databases.close();
  });
  return api;
}

/** A port where connections are accepted and never answered. */
async function portOf(server: Server): Promise<number> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function expectAway(api: TestApi): Promise<void> {
  const answers = Promise.all([
    api.call('GET', '/api/time', { headers }),
    api.call('POST', '/api/sanctum/login', { body: { email: 'a@example.com', password: 'x' } }),
    api.call('GET', '/readyz'),
    api.call('GET', '/livez'),
  ]);
  // Each waits two seconds once; two and a half in all are tested without load (tools/faults/database-away.test.ts).
  expect(await livedMilliseconds(() => answers)).toBeLessThan(3900);
  const [call, signIn, ready, live] = await answers;
  expect([call.status, call.headers['retry-after'], call.body]).toEqual([503, '2', unavailableBody]);
  expect([signIn.status, signIn.body]).toEqual([503, unavailableBody]);
  expect([ready.status, ready.body]).toEqual([503, failedChecks]);
  expect([live.status, live.body]).toEqual([200, 'ok']);
}

describe('an unavailable database (R3)', () => {
  it('[ERR-012] refused connections: 503 with a message, and the probes say so', async () => {
    await expectAway(await apiOver(emptyPort));
  });

  it('[ERR-012] a hanging server: the same, within two and a half seconds', async () => {
    await expectAway(await apiOver(await portOf(createServer())));
  });
});
