import { anyPermission, defineEndpoint, publicAccess, sessionAccess, trafficServerAccess } from '@switchyard/contract/endpoint';
import { requiredText } from '@switchyard/contract/text-fields';
import { idParams, queryBoolean, searchText, single } from '@switchyard/contract/listing';
import type { FastifyInstance } from 'fastify';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { bearer, buildEndpointApi, knownTokens } from '../../test/endpoint-api.ts';
import { conflict, notFound, tooManyAttempts } from '../errors.ts';

const save = defineEndpoint({
  number: 1,
  method: 'PUT',
  path: 'things/{id}',
  summary: 'Save',
  access: anyPermission('manager_app_edit'),
  recentSignIn: null,
  params: idParams,
  body: z.strictObject({ name: requiredText(5), nested: z.strictObject({ code: z.int() }).optional() }),
  answer: { kind: 'data', status: 200, schema: z.object({ id: z.int(), name: z.string() }) },
});
const enter = defineEndpoint({
  number: 2,
  method: 'POST',
  path: 'enter',
  summary: 'Enter',
  access: publicAccess,
  body: z.strictObject({ email: requiredText(10), when: z.string().refine((text) => text === 'now', 'Invalid date string format') }),
  query: z.object({ fast: queryBoolean(), size: single(z.enum(['s', 'm']).optional()), note: searchText() }),
  answer: { kind: 'data', status: 201, schema: z.object({ email: z.string(), note: z.string().nullable() }) },
});
const leave = defineEndpoint({
  number: 3,
  method: 'DELETE',
  path: 'things/{id}',
  summary: 'Leave',
  access: sessionAccess,
  recentSignIn: null,
  params: idParams,
  answer: { kind: 'empty' },
});
const deliver = defineEndpoint({
  number: 4,
  method: 'POST',
  path: 'deliver',
  summary: 'Deliver',
  access: trafficServerAccess,
  answer: { kind: 'data', status: 200, schema: z.object({ server: z.string() }) },
});

let api: FastifyInstance;
let isBlocked = false;

beforeEach(async () => {
  isBlocked = false;
  api = await buildEndpointApi([save, enter, leave, deliver], (bind) => {
    bind(save, async ({ params, body }) => {
      if (params.id === 404) throw notFound();
      if (params.id === 409) throw conflict('An archived app cannot be changed');
      return { id: params.id, name: body.name };
    });
    bind(enter, async ({ body, query }) => ({ email: body.email, note: query.note ?? null }), {
      admit: async () => {
        if (isBlocked) throw tooManyAttempts(17);
      },
    });
    bind(leave, async () => undefined);
    bind(deliver, async ({ caller }) => ({ server: caller.serverName }));
  });
});

const brokenBody = { headers: { 'content-type': 'application/json' }, payload: '{"name":' };
const malformedAnswer = { success: false, message: 'Malformed request body' };

describe('order of checks (api 0.3)', () => {
  it('[API-085] an unknown path, a bad id and an unknown method are 404 before the token is asked for', async () => {
    for (const [method, url] of [
      ['GET', '/api/nothing'],
      ['PUT', '/api/things/abc'],
      ['PUT', '/api/things/0'],
      ['PUT', '/api/things/01'],
      ['PUT', '/api/things/1234567890'],
      ['PATCH', '/api/things/1'],
      ['GET', '/api/things/1'],
      ['OPTIONS', '/api/enter'],
    ] as const) {
      const answer = await api.inject({ method, url, ...(method === 'GET' || method === 'OPTIONS' ? {} : brokenBody) });
      expect([method, url, answer.statusCode, answer.json()]).toEqual([method, url, 404, { success: false, message: 'Not found' }]);
    }
    const head = await api.inject({ method: 'HEAD', url: '/api/enter' });
    expect(head.statusCode).toBe(404);
  });

  it('[API-085] the token is asked for before the body is read', async () => {
    const answer = await api.inject({ method: 'PUT', url: '/api/things/1', ...brokenBody });
    expect(answer.statusCode).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect(answer.json()).toEqual({ success: false, message: 'You are not authorized' });
    const oddType = await api.inject({ method: 'PUT', url: '/api/things/1', headers: { 'content-type': 'x' }, payload: 'x' });
    expect(oddType.statusCode).toBe(401);
  });

  it('[API-086] the permission is asked for before the body is read', async () => {
    const answer = await api.inject({
      method: 'PUT',
      url: '/api/things/1',
      ...brokenBody,
      headers: { ...brokenBody.headers, ...bearer(knownTokens.powerless) },
    });
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toEqual({ success: false, message: 'You have no permission for this action' });
  });

  it('[API-003] reads the body before it validates its shape, and validates that before it looks for the entity', async () => {
    const headers = { ...brokenBody.headers, ...bearer(knownTokens.account) };
    const unread = await api.inject({ method: 'PUT', url: '/api/things/404', headers, payload: brokenBody.payload });
    expect([unread.statusCode, unread.json()]).toEqual([400, malformedAnswer]);
    const misshapen = await api.inject({ method: 'PUT', url: '/api/things/404', headers, payload: {} });
    const errors = { name: ['The name field is required.'] };
    expect([misshapen.statusCode, misshapen.json()]).toEqual([
      422,
      { success: false, message: 'The given data was invalid.', errors, data: { errors } },
    ]);
    const missing = await api.inject({ method: 'PUT', url: '/api/things/404', headers, payload: { name: 'a' } });
    expect([missing.statusCode, missing.json()]).toEqual([404, { success: false, message: 'Not found' }]);
    const rejection = await api.inject({ method: 'PUT', url: '/api/things/409', headers, payload: { name: 'a' } });
    expect([rejection.statusCode, rejection.json()]).toEqual([409, { success: false, message: 'An archived app cannot be changed' }]);
    const saveAnswer = await api.inject({ method: 'PUT', url: '/api/things/5', headers, payload: { name: 'a' } });
    expect([saveAnswer.statusCode, saveAnswer.json()]).toEqual([200, { success: true, data: { id: 5, name: 'a' } }]);
    expect(saveAnswer.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('[AUTH-017] the sign-in limit comes before everything but the route', async () => {
    isBlocked = true;
    const answer = await api.inject({ method: 'POST', url: '/api/enter', ...brokenBody });
    expect([answer.statusCode, answer.headers['retry-after'], answer.json()]).toEqual([
      429,
      '17',
      { success: false, message: 'Too many attempts. Try again later' },
    ]);
  });

  it('[ERR-015] one answer names every failing field of query and body, shape and value together', async () => {
    const answer = await api.inject({
      method: 'POST',
      url: '/api/enter?fast=maybe&size=xl&unknown=1',
      payload: { email: '', when: 'later', id: 1 },
    });
    expect(answer.statusCode).toBe(422);
    expect(answer.json().errors).toEqual({
      fast: ['The selected fast is invalid.'],
      size: ['The selected size is invalid.'],
      email: ['The email field is required.'],
      when: ['Invalid date string format'],
      id: ['Unknown field.'],
    });
  });

  it('[API-003] a query is read whole, question marks and all, and the last of a repeated single value counts', async () => {
    const url = '/api/enter?note=first&note=a%3Fb?c%20%C3%BC&fast=1';
    const answer = await api.inject({ method: 'POST', url, payload: { email: 'a', when: 'now' } });
    expect([answer.statusCode, answer.json()]).toEqual([201, { success: true, data: { email: 'a', note: 'a?b?c ü' } }]);
  });

  it('[ERR-015] unknown keys are named with their path, and prototypes of a body are never reached', async () => {
    const headers = { ...brokenBody.headers, ...bearer(knownTokens.account) };
    const unknown = await api.inject({
      method: 'PUT',
      url: '/api/things/5',
      headers,
      payload: { name: 'a', nested: { code: 1, deep: 2 } },
    });
    expect(unknown.json().errors).toEqual({ 'nested.deep': ['Unknown field.'] });
    for (const payload of ['{"name":"a","__proto__":{"x":1}}', '{"name":"a","constructor":{"prototype":{"x":1}}}']) {
      const answer = await api.inject({ method: 'PUT', url: '/api/things/5', headers, payload });
      expect([answer.statusCode, answer.json()]).toEqual([400, malformedAnswer]);
    }
  });

  it('[API-004] an empty answer has status 204 and no body, and a call without a body rejects unknown keys', async () => {
    const headers = bearer(knownTokens.powerless);
    const deletion = await api.inject({ method: 'DELETE', url: '/api/things/5', headers });
    expect([deletion.statusCode, deletion.body, deletion.headers['content-type']]).toEqual([204, '', undefined]);
    const withKeys = await api.inject({ method: 'DELETE', url: '/api/things/5', headers, payload: { force: true } });
    expect([withKeys.statusCode, withKeys.json().errors]).toEqual([422, { force: ['Unknown field.'] }]);
  });

  it('[API-085] tokens of accounts and of traffic servers are two worlds', async () => {
    const status = async (method: 'POST' | 'DELETE', url: string, token: string) =>
      (await api.inject({ method, url, headers: bearer(token) })).statusCode;
    expect(await status('POST', '/api/deliver', knownTokens.server)).toBe(200);
    expect(await status('POST', '/api/deliver', knownTokens.account)).toBe(401);
    expect(await status('DELETE', '/api/things/5', knownTokens.server)).toBe(401);
    expect(await status('DELETE', '/api/things/5', 'something')).toBe(401);
    expect((await api.inject({ method: 'DELETE', url: `/api/things/5?token=${knownTokens.account}` })).statusCode).toBe(401);
    expect((await api.inject({ method: 'DELETE', url: '/api/things/5', headers: { authorization: knownTokens.account } })).statusCode).toBe(
      401,
    );
  });
});
