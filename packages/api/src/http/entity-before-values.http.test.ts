import { allEndpoints } from '@switchyard/contract/all-endpoints';
import { z } from 'zod';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildTestApi, type TestApi } from '../../test/build-test-api.ts';
import { createApp } from '../../test/factories/app.ts';
import { signInAs, type SignedIn } from '../../test/sign-in-as.ts';
import { createTestDatabase } from '../../test/test-database.ts';

const { databases } = await createTestDatabase();
let api: TestApi;
let reader: SignedIn;
let appId: number;

beforeAll(async () => {
  api = await buildTestApi({ databases });
  reader = await signInAs(databases, { role: 'Super Admin', since: api.now() });
  appId = (await createApp(databases)).id;
  return async () => api.app.close();
});

const hasDates = (query: z.ZodType | undefined) =>
  query !== undefined && JSON.stringify(z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' })).includes('"startDate"');
const ofApps = allEndpoints.filter(({ path, query }) => path.startsWith('apps/{id}/') && hasDates(query));

describe('values of the query on calls on an app (api 0.3)', () => {
  it('are those of all lists, files, streams and histograms of an app', () => {
    expect(ofApps.map(({ number }) => number)).toEqual(expect.arrayContaining([24, 25, 26, 27, 29, 30]));
  });

  // A missing parameter is an error of the query's shape, which comes first.
  const requiredQueries: Readonly<Record<number, string>> = { 149: 'field=type&' };
  it.each(ofApps.map(({ path, number }) => [path, requiredQueries[number] ?? ''] as const))(
    '%s looks for the app before it validates dates',
    async (path, extraQuery) => {
      const ask = async (id: number, query: string) => {
        const { status, body } = await api.call('GET', `/api/${path.replace('{id}', String(id))}?${extraQuery}${query}`, reader);
        return [status, body.errors ?? body.message];
      };
      expect(await ask(999_999_999, 'startDate=soon&endDate=2026-13-01')).toEqual([404, 'Not found']);
      expect(await ask(999_999_999, 'startDate=2026-11-20&endDate=2026-11-19')).toEqual([404, 'Not found']);
      expect(await ask(appId, 'startDate=soon')).toEqual([422, { startDate: ['Invalid date string format'] }]);
      expect(await ask(appId, 'startDate=2026-11-20&endDate=2026-11-19')).toEqual([
        422,
        { startDate: ['The startDate must not be after endDate.'] },
      ]);
    },
  );
});
