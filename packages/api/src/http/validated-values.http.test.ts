import { anyPermission, defineEndpoint } from '@switchyard/contract/endpoint';
import { idParams, queryBoolean, searchText } from '@switchyard/contract/listing';
import { filterDate } from '@switchyard/contract/requests';
import { choice, plainText, requiredText } from '@switchyard/contract/text-fields';
import type { FastifyInstance } from 'fastify';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { bearer, buildEndpointApi, knownTokens } from '../../test/endpoint-api.ts';
import { notFound, stale } from '../errors.ts';

const thing = z.object({ id: z.int(), name: z.string(), version: z.int() });
const body = z.strictObject({
  name: requiredText(5),
  code: plainText(9)
    .refine((text) => text !== 'odd', 'The code is odd.')
    .optional(),
  size: choice(['s', 'm']).optional(),
});
const make = defineEndpoint({
  number: 1,
  method: 'POST',
  path: 'things',
  summary: 'Make',
  access: anyPermission('manager_app_edit'),
  recentSignIn: null,
  body,
  validatesValues: true,
  answer: { kind: 'data', status: 201, schema: thing },
});
const save = defineEndpoint({
  number: 2,
  method: 'PUT',
  path: 'things/{id}',
  summary: 'Save',
  access: anyPermission('manager_app_edit'),
  recentSignIn: null,
  params: idParams,
  body,
  validatesValues: true,
  answer: { kind: 'data', status: 200, schema: thing, etag: true },
});
const find = defineEndpoint({
  number: 3,
  method: 'GET',
  path: 'things/by/{field}',
  summary: 'Find',
  access: anyPermission('manager_app_edit'),
  params: z.object({ field: z.enum(['name', 'code']) }),
  query: z.object({ search: searchText(3) }),
  answer: { kind: 'data', status: 200, schema: z.string() },
});

const look = defineEndpoint({
  number: 4,
  method: 'GET',
  path: 'things/{id}/parts',
  summary: 'Look',
  access: anyPermission('manager_app_edit'),
  params: idParams,
  query: z.object({ since: filterDate, size: queryBoolean() }),
  answer: { kind: 'data', status: 200, schema: z.array(z.string()) },
});

let api: FastifyInstance;

beforeEach(async () => {
  const validate = (fields: { name?: string | undefined }): Record<string, string> =>
    fields.name === 'taken' ? { name: 'The name is taken.' } : {};
  api = await buildEndpointApi([make, save, find, look], (bind) => {
    bind(make, async ({ body: draft }) => ({ id: 1, version: 1, name: draft.validate(validate(draft.fields)).name }));
    bind(save, async ({ params, body: draft, matchesIfMatch }) => {
      if (params.id === 404) throw notFound();
      const current = { id: params.id, name: 'old', version: 4 };
      if (!matchesIfMatch(current.version)) throw stale(current);
      return { ...current, name: draft.validate(validate(draft.fields)).name, version: 5 };
    });
    bind(find, async ({ params }) => params.field);
    bind(look, async ({ query }) => [query.since ?? 'always'], {
      requireEntity: async ({ params }) => {
        if (params.id === 404) throw notFound();
      },
    });
  });
});

const send = async (method: 'POST' | 'PUT' | 'GET', url: string, payload?: object, headers: Record<string, string> = {}) => {
  const answer = await api.inject({
    method,
    url,
    headers: { ...bearer(knownTokens.account), ...headers },
    ...(payload === undefined ? {} : { payload }),
  });
  return { status: answer.statusCode, body: answer.json(), etag: answer.headers['etag'] };
};

describe('values that the handler validates (api 0.3, 0.4)', () => {
  it('[ERR-015] without an entity one answer names shapes, values of the schema and values of the handler', async () => {
    const { status, body: answer } = await send('POST', '/api/things', { name: 'taken', code: 'odd', size: 'xl', extra: 1 });
    expect([status, answer.errors]).toEqual([
      422,
      {
        name: ['The name is taken.'],
        code: ['The code is odd.'],
        size: ['The selected size is invalid.'],
        extra: ['Unknown field.'],
      },
    ]);
    expect(answer.data.errors).toEqual(answer.errors);
  });

  it('on an entity shapes come alone, then the entity, then its version, then all values together', async () => {
    const values = { name: 'taken', code: 'odd' };
    const shapes = await send('PUT', '/api/things/404', { ...values, size: '' }, { 'if-match': '"v3"' });
    expect([shapes.status, shapes.body.errors]).toEqual([422, { size: ['The selected size is invalid.'] }]);
    expect((await send('PUT', '/api/things/404', values, { 'if-match': '"v3"' })).status).toBe(404);
    const old = await send('PUT', '/api/things/7', values, { 'if-match': '"v3"' });
    expect([old.status, old.body]).toEqual([
      412,
      { success: false, message: 'Changed by someone else', data: { current: { id: 7, name: 'old', version: 4 } } },
    ]);
    const validation = await send('PUT', '/api/things/7', values, { 'if-match': '"v4"' });
    expect([validation.status, validation.body.errors]).toEqual([422, { name: ['The name is taken.'], code: ['The code is odd.'] }]);
  });

  it('the error of a field itself takes precedence over that of the handler', async () => {
    const { body: answer } = await send('POST', '/api/things', { name: 'taken!' });
    expect(answer.errors).toEqual({ name: ['The name field must not be longer than 5 characters.'] });
  });

  it('the answer of an entity carries its version as etag', async () => {
    const saveAnswer = await send('PUT', '/api/things/7', { name: 'new' }, { 'if-match': 'W/"v4"' });
    expect([saveAnswer.status, saveAnswer.etag, saveAnswer.body.data]).toEqual([200, '"v5"', { id: 7, name: 'new', version: 5 }]);
    expect((await send('POST', '/api/things', { name: 'new' })).etag).toBeUndefined();
  });

  it('a word in the path that is none of its words is a field error beside those of the query', async () => {
    const { status, body: answer } = await send('GET', '/api/things/by/id?search=long');
    expect([status, answer.errors]).toEqual([
      422,
      { field: ['The selected field is invalid.'], search: ['The search field must not be longer than 3 characters.'] },
    ]);
    expect((await send('GET', '/api/things/by/code')).body.data).toBe('code');
  });

  it('of a query shapes come first, then the entity, then values', async () => {
    const messagesFrom = async (url: string) => {
      const { status, body: answer } = await send('GET', url);
      return [status, answer.errors ?? answer.data ?? answer.message];
    };
    expect(await messagesFrom('/api/things/404/parts?since=soon&size=xl')).toEqual([422, { size: ['The selected size is invalid.'] }]);
    expect(await messagesFrom('/api/things/404/parts?since=soon')).toEqual([404, 'Not found']);
    expect(await messagesFrom('/api/things/7/parts?since=soon')).toEqual([422, { since: ['Invalid date string format'] }]);
    expect(await messagesFrom('/api/things/7/parts?since=2026-11-20')).toEqual([200, ['2026-11-20']]);
  });
});
