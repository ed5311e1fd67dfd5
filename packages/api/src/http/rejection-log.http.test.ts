import { anyPermission, defineEndpoint, publicAccess } from '@switchyard/contract/endpoint';
import { idParams } from '@switchyard/contract/listing';
import { requiredText } from '@switchyard/contract/text-fields';
import { connect } from 'node:net';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { bearer, buildEndpointApi, knownTokens } from '../../test/endpoint-api.ts';
import { notFound, tooManyAttempts } from '../errors.ts';
import { createRejectionLog, linesPerMinute } from './rejection-log.ts';

const save = defineEndpoint({
  number: 1,
  method: 'PUT',
  path: 'things/{id}',
  summary: 'Save',
  access: anyPermission('manager_app_edit'),
  recentSignIn: null,
  params: idParams,
  body: z.strictObject({ name: requiredText(5) }),
  answer: { kind: 'data', status: 200, schema: z.object({ id: z.int() }) },
});
const enter = defineEndpoint({
  number: 2,
  method: 'POST',
  path: 'enter',
  summary: 'Enter',
  access: publicAccess,
  answer: { kind: 'empty' },
});

let lines: Record<string, unknown>[];
const logger = pino({ level: 'info' }, { write: (line) => lines.push(JSON.parse(line)) });
const build = async () =>
  buildEndpointApi(
    [save, enter],
    (bind) => {
      bind(save, async ({ params }) => {
        if (params.id === 404) throw notFound();
        return { id: params.id };
      });
      bind(enter, async () => undefined, {
        admit: async ({ authorization }) => {
          if (authorization === undefined) throw tooManyAttempts(5);
        },
      });
    },
    { logger },
  );

beforeEach(() => {
  lines = [];
});

describe('rejected calls', () => {
  it('[IDN-082, OPS-021] are logged with caller, call, address, status, reason and fields, and with nothing else of the request', async () => {
    const api = await build();
    const canary = 'canary-7f3a';
    const put = async (id: number, token: string, payload: object = { name: 'a' }) =>
      api.inject({ method: 'PUT', url: `/api/things/${id}?note=${canary}`, headers: bearer(token), payload, remoteAddress: '203.0.113.9' });
    const refusal = await put(1, `unknown-${canary}`);
    await put(1, knownTokens.powerless);
    await put(404, knownTokens.account);
    await put(1, knownTokens.account, { name: `${canary} is too long` });
    await api.inject({ method: 'POST', url: `/api/enter?${canary}`, remoteAddress: '2001:DB8::1' });
    await api.inject({ method: 'GET', url: `/api//things/${canary}` });
    await api.inject({ method: 'GET', url: `/api/things/${canary}%E0%A4%A` });
    const call = { method: 'PUT', route: 'things/{id}', ip: '203.0.113.9' };
    expect(lines).toMatchObject([
      { level: 30, msg: 'Call: rejected (not authenticated)', ...call, status: 401, reason: 'You are not authorized' },
      {
        level: 30,
        msg: 'Call: rejected (not permitted)',
        ...call,
        status: 403,
        account_id: 7,
        reason: 'You have no permission for this action',
      },
      { level: 30, msg: 'Call: rejected (not found)', ...call, status: 404, account_id: 7 },
      {
        level: 30,
        msg: 'Call: rejected (invalid input)',
        ...call,
        status: 422,
        account_id: 7,
        reason: 'The given data was invalid.',
        fields: ['name'],
      },
      { level: 40, msg: 'Call: rejected (past a limit)', method: 'POST', route: 'enter', ip: '2001:db8::1', status: 429 },
      { level: 40, msg: 'Call: rejected (suspicious request)', method: 'GET', route: 'unknown', status: 404 },
      { level: 40, msg: 'Call: rejected (suspicious request)', method: 'GET', status: 404 },
    ]);
    expect(lines[0]).toMatchObject({ request_id: refusal.headers['x-request-id'] });
    expect(lines[0]).not.toHaveProperty('account_id');
    expect(JSON.stringify(lines)).not.toContain(canary);
  });

  it('[IDN-082] are not logged for visitors without a token and for what succeeds', async () => {
    const api = await build();
    await api.inject({ method: 'PUT', url: '/api/things/1' });
    await api.inject({ method: 'PUT', url: '/api/things/1', headers: bearer(knownTokens.account), payload: { name: 'a' } });
    await api.inject({ method: 'GET', url: '/api/nothing' });
    expect(lines).toEqual([]);
  });

  it('[IDN-083] are counted beyond 30 of a kind in a minute, and the number is logged at the end of the process, too', async () => {
    const api = await build();
    for (let at = 0; at < linesPerMinute + 3; at += 1) await api.inject({ method: 'POST', url: '/api/enter' });
    expect(lines).toHaveLength(linesPerMinute);
    await api.close();
    expect(lines.slice(linesPerMinute)).toMatchObject([{ msg: 'Calls: further ones rejected (past a limit)', count: 3 }]);
  });

  it('[IDN-082] are logged when they are no HTTP', async () => {
    const api = await build();
    const url = new URL(await api.listen({ port: 0, host: '127.0.0.1' }));
    await new Promise((resolve) => {
      const socket = connect(Number(url.port), url.hostname, () => socket.write('GET /api/canary\x01 HTTP/1.1\r\n\r\n'));
      socket.resume().once('close', resolve);
    });
    expect(lines.slice(1)).toMatchObject([{ level: 40, msg: 'Call: rejected (suspicious request)', ip: '127.0.0.1', status: 400 }]);
    expect(JSON.stringify(lines)).not.toContain('canary');
  });
});

describe('the log of rejected calls', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('[IDN-083] has 30 lines of a kind in a minute, then one with the number of further ones', () => {
    const log = createRejectionLog(logger);
    const flood = (times: number): void => {
      for (let at = 0; at < times; at += 1)
        log.logBrokenRequest({ remoteAddress: '::ffff:203.0.113.9' }, { status: 400, reason: 'broken' });
    };
    flood(1_000);
    expect(lines).toHaveLength(linesPerMinute);
    vi.advanceTimersByTime(59_999);
    expect(lines).toHaveLength(30);
    vi.advanceTimersByTime(1);
    expect(lines.slice(30)).toMatchObject([{ level: 40, msg: 'Calls: further ones rejected (suspicious request)', count: 970 }]);
    // Nothing is said of a minute without further ones.
    flood(2);
    vi.advanceTimersByTime(60_000);
    expect(lines).toHaveLength(33);
    flood(31);
    log.flush();
    expect(lines.slice(63)).toMatchObject([{ count: 1 }]);
    vi.advanceTimersByTime(120_000);
    expect(lines).toHaveLength(64);
  });
});
