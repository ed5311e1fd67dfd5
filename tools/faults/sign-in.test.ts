import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPasswordHash } from '../../packages/api/src/adapters/password-hash.ts';
import { buildTestApi } from '../../packages/api/test/build-test-api.ts';
import { type ConsoleProcesses, consoleProcesses } from '../../packages/api/test/console-process.ts';
import { signInAs } from '../../packages/api/test/sign-in-as.ts';
import { createTestDatabase } from '../../packages/api/test/test-database.ts';
import { send, startConsole, tell } from '../console/console-under-load.ts';

const at = (times: readonly number[], part: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * part)] ?? Number.NaN;

describe('how long a rejection takes', () => {
  it('[S2] tells nobody whether an account exists: known, unknown, passwordless and barred ones differ by less than 5 ms', async () => {
    const { databases } = await createTestDatabase();
    // At the cost of the product: that of other tests would hide what a missing hash saves.
    const passwords = createPasswordHash();
    const api = await buildTestApi({ databases, passwords });
    const passwordHash = await passwords.hash('Correct-Horse-9');
    await signInAs(databases, { role: 'Admin', passwordHash, email: 'known@example.com' });
    await signInAs(databases, { role: 'Admin', email: 'passwordless@example.com' });
    await signInAs(databases, { role: 'Admin', passwordHash, hasAccess: false, email: 'barred@example.com' });
    const kinds = ['known', 'unknown', 'passwordless', 'barred'] as const;
    const times = new Map<string, number[]>(kinds.map((kind) => [kind, []]));
    const bodies = new Set<string>();
    for (let round = 0; round < 100; round += 1) {
      // Past both windows of the limits, which would answer instead.
      api.wait(1_000_000);
      for (const kind of kinds.toSorted(() => Math.random() - 0.5)) {
        // Work rather than time, which on a busy machine is chance; threads are counted too.
        const began = process.cpuUsage();
        const answer = await api.call('POST', '/api/sanctum/login', { body: { email: `${kind}@example.com`, password: 'Wrong-Horse-9' } });
        const { user, system } = process.cpuUsage(began);
        times.get(kind)?.push((user + system) / 1000);
        bodies.add(`${answer.status} ${JSON.stringify(answer.body)}`);
      }
    }
    await api.app.close();
    const medians = kinds.map((kind) => at(times.get(kind) ?? [], 0.5));
    tell(`median work of 100: ${kinds.map((kind, index) => `${kind} ${medians[index]?.toFixed(1)} ms`).join(', ')}`);
    expect([...bodies]).toEqual(['401 {"success":false,"message":"Invalid e-mail or password"}']);
    expect(Math.max(...medians) - Math.min(...medians)).toBeLessThan(5);
  });
});

describe('a flood of sign-ins', () => {
  let consoles: ConsoleProcesses;
  beforeEach(() => {
    consoles = consoleProcesses();
  });
  afterEach(() => consoles.cleanUp());

  it('[S3] leaves the console responsive for everybody else: 500 at once, and GET time answers meanwhile', async () => {
    const target = await startConsole(consoles);
    const calm: number[] = [];
    while (calm.length < 50) calm.push((await send(target.url, 'time', target.staff)).milliseconds);
    const life = { floods: true };
    const flood = Promise.all(
      Array.from({ length: 500 }, (_, index) =>
        send(target.url, 'sanctum/login', {}, { email: `nobody-${index}@example.com`, password: 'Wrong-Horse-9' }),
      ),
    ).finally(() => {
      life.floods = false;
    });
    const times: number[] = [];
    while (life.floods || times.length < 50) {
      const answer = await send(target.url, 'time', target.staff);
      expect(answer.status).toBe(200);
      times.push(answer.milliseconds);
    }
    const statuses = (await flood).map((answer) => answer.status);
    tell(
      `before: p99 ${Math.round(at(calm, 0.99))} ms; meanwhile: ${times.length} times of the server, p50 ${Math.round(at(times, 0.5))} ms, p99 ${Math.round(at(times, 0.99))} ms`,
    );
    expect(statuses.filter((status) => ![401, 429, 503].includes(status))).toEqual([]);
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(30);
    expect(at(times, 0.5)).toBeLessThan(200);
  });
});
