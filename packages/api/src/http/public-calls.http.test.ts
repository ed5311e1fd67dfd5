import { allEndpoints } from '@switchyard/contract/all-endpoints';
import type { Endpoint } from '@switchyard/contract/endpoint';
import { describe, expect, it } from 'vitest';
import { afterFile } from '../../test/after-file.ts';
import { buildTestApi } from '../../test/build-test-api.ts';
import { createTestDatabase } from '../../test/test-database.ts';

const keys = (count: number, value: string): string => `{${Array.from({ length: count }, (_, index) => `"k${index}":${value}`).join(',')}}`;
const hostileBodies = [
  keys(90_000, '1'),
  keys(990, '{"a":[1,2,3]}'),
  `{"email":${'['.repeat(500_000)}${']'.repeat(500_000)}}`,
  `{"email":[${'1,'.repeat(9000)}1]}`,
  ...['\u0301a@'.repeat(60_000), `a${' '.repeat(50_000)}a`, `a${'1'.repeat(50_000)}a`].map((text) =>
    JSON.stringify(Object.fromEntries(['email', 'password', 'token', 'code'].map((field) => [field, text]))),
  ),
  JSON.stringify(Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`${index}`.repeat(20_000), { ['k'.repeat(20_000)]: 1 }]))),
];

/** Milliseconds of this thread's processor time that something takes. */
async function costOf(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

const marks = '\u0301a@'.repeat(60_000);
/** Work of the kind that hostile texts make, and its milliseconds on the machine of docs/performance.md at rest. */
const usualWork = { run: () => JSON.stringify(marks.normalize('NFC').replaceAll(/\p{M}/gu, '')), milliseconds: 5 };

const publicCalls = allEndpoints.filter(
  ({ access, method, bodyForm }) => access.kind === 'public' && method !== 'GET' && bodyForm === undefined,
);

describe('calls that anybody can make', async () => {
  const { databases } = await createTestDatabase();
  const api = await buildTestApi({ databases });
  afterFile(async () => api.app.close());

  const inject = async (method: Endpoint['method'], path: string, payload: string, from: number) =>
    api.app.inject({
      method,
      url: `/api/${path.replaceAll(/\{\w+\}/g, '1')}`,
      headers: { 'content-type': 'application/json' },
      payload,
      remoteAddress: `192.0.2.${from}`,
    });

  it.each(publicCalls)(
    '[API-089, API-090, DATA-006] $method $path answers hostile bodies with little work and few bytes',
    async ({ method, path }) => {
      for (let turn = 0; turn < 5; turn += 1) await inject(method, path, '{}', 200 + turn);
      for (const [index, body] of hostileBodies.entries()) {
        const times: number[] = [];
        // The first calls compile code.
        for (let turn = 0; turn < 3; turn += 1) {
          let answer: Awaited<ReturnType<typeof inject>> | undefined;
          const cost = await costOf(async () => (answer = await inject(method, path, body, index * 3 + turn + 1)));
          // On a machine that is slower, or has other work, everything takes more.
          const usual = [await costOf(usualWork.run), await costOf(usualWork.run), await costOf(usualWork.run)];
          const slowness = Math.min(...usual) / usualWork.milliseconds;
          times.push(cost / Math.max(1, slowness));
          expect(answer?.statusCode).toBeGreaterThanOrEqual(400);
          expect(answer?.rawPayload.length).toBeLessThan(65_536);
        }
        expect(Math.min(...times), `body ${index}`).toBeLessThan(50);
      }
    },
  );
});
