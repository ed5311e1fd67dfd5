import { allEndpoints } from '@switchyard/contract/all-endpoints';
import { beforeAll, expect, it } from 'vitest';
import { buildTestApi, type TestApi } from '../../test/build-test-api.ts';
import { createApp } from '../../test/factories/app.ts';
import { signInAs, type SignedIn } from '../../test/sign-in-as.ts';
import { createTestDatabase } from '../../test/test-database.ts';

let api: TestApi;
let admin: SignedIn;
beforeAll(async () => {
  api = await buildTestApi({ databases: (await createTestDatabase()).databases });
  admin = await signInAs(api.databases, { role: 'Super Admin' });
  return async () => api.app.close();
});

const files = allEndpoints.filter(({ answer }) => answer.kind === 'raw' && answer.contentType === 'text/csv');

it('[LIST-007] every CSV file begins with a byte order mark for Excel, and otherwise with its header', async () => {
  const app = await createApp(api.databases);
  expect(files).toHaveLength(10);
  for (const { path, number } of files) {
    const url = `/api/${path.replace('{id}', String(app.id)).replace('{uid}', 'c-1').replace('{ip}', '203.0.113.9')}?search=x`;
    const read = async (query: string) => {
      const { statusCode, rawPayload } = await api.app.inject({ method: 'GET', url: url + query, headers: admin.headers });
      return { status: statusCode, text: rawPayload.toString() };
    };
    const plain = await read('');
    expect({ number, ...plain }).toMatchObject({ number, status: 200, text: expect.stringMatching(/^[a-z]/) });
    expect(await read('&format=csv')).toEqual(plain);
    expect(await read('&format=excel')).toEqual({ status: 200, text: `\uFEFF${plain.text}` });
    expect(await read('&format=xls')).toMatchObject({ status: 422, text: expect.stringContaining('"format"') });
  }
});
