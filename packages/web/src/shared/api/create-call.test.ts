import { archiveApp, listApps } from '@switchyard/contract/apps';
import { defineEndpoint, publicAccess } from '@switchyard/contract/endpoint';
import { pageForm } from '@switchyard/contract/envelope';
import { getServerTime } from '@switchyard/contract/server-time';
import { signIn, signOut } from '@switchyard/contract/session';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { CallError, isForbidden, unknownOutcome, type Reaction } from './call-error.ts';
import { createCall, type CallOutcome, type Send } from './create-call.ts';
import { countRequest, requestCounter } from './connection.ts';

type SentCall = { url: string; init: RequestInit };

function api(answer: (call: SentCall) => Promise<Response> | Response, token: string | null = 'swy_1') {
  const calls: SentCall[] = [];
  const reactions: { reaction: Reaction; usedToken: string | null; key: string }[] = [];
  const successes: string[] = [];
  const outcomes: CallOutcome[] = [];
  const call = createCall({
    send: (url, init) => {
      calls.push({ url, init });
      return Promise.resolve(answer({ url, init }));
    },
    accessToken: () => token,
    count: countRequest,
    react: (reaction, usedToken, key) => reactions.push({ reaction, usedToken, key }),
    onSucceeded: (key) => successes.push(key),
    observe: (outcome) => outcomes.push(outcome),
  });
  return { call, calls, reactions, successes, outcomes };
}

const json = (body: unknown, status = 200): Response => Response.json(body, { status });
const time = { time: '2026-11-20 13:11', timezone: 'UTC', GMT: '+00:00' };
const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no failure',
    (error: unknown) => error,
  );

describe('call', () => {
  it('[AUTH-067, AUTH-017] carries the bearer token and the body as JSON', async () => {
    const { call, calls } = api(() => json({ success: false, message: 'no' }, 401));
    await failureOf(call(signIn, { body: { email: 'a@b.c', password: 'x' } }));
    expect(calls[0]).toMatchObject({
      url: '/api/sanctum/login',
      init: {
        method: 'POST',
        body: '{"email":"a@b.c","password":"x"}',
        headers: { authorization: 'Bearer swy_1', 'content-type': 'application/json' },
      },
    });
  });

  it('[PUSHF-004] sends a form as the browser encodes it, also in the way of the caller', async () => {
    const { call, calls } = api(() => json({ success: true, data: 5 }));
    const upload = defineEndpoint({
      number: 999,
      method: 'POST',
      path: 'upload',
      summary: 'For this test',
      access: publicAccess,
      bodyForm: 'multipart',
      answer: { kind: 'data', status: 200, schema: z.int() },
    });
    const body = new FormData();
    body.append('appId', '5');
    const send = vi.fn<Send>().mockResolvedValue(json({ success: true, data: 7 }));
    expect(await call(upload, { body, send })).toEqual({ data: 7 });
    const [, init] = send.mock.calls[0] ?? [];
    expect([calls, init?.body]).toEqual([[], body]);
    expect(init?.headers).not.toHaveProperty('content-type');
  });

  it('[API-002] names the version it may overwrite (api 0.9)', async () => {
    const { call, calls } = api(() => new Response(null, { status: 204 }));
    await call(archiveApp, { params: { id: 5 }, ifMatch: 4 });
    expect(calls[0]).toMatchObject({ init: { headers: { 'if-match': '"v4"' } } });
  });

  it('[API-002] unwraps data, and data with pagination for a list', async () => {
    const pagination = pageForm({ total: 0, count: 0, limit: 20, page: 1 });
    const { call, calls } = api(({ url }) =>
      json(url.includes('apps') ? { success: true, data: [], pagination } : { success: true, data: time }),
    );
    expect(await call(getServerTime)).toEqual({ data: time });
    expect(await call(listApps, { query: { page: 2, isCache: false } })).toEqual({ data: [], pagination });
    expect(calls[1]?.url).toBe('/api/apps?page=2&isCache=0');
  });

  it('[ERR-031, AMB-065] answers Done! for a 204', async () => {
    const { call, calls } = api(() => new Response(null, { status: 204 }));
    expect(await call(archiveApp, { params: { id: 5 } })).toEqual({ data: 'Done!' });
    expect(calls[0]).toMatchObject({ url: '/api/apps/5', init: { method: 'DELETE' } });
  });

  it('[API-005, AMB-066] gives back what is no JSON as it is', async () => {
    const { call } = api(() => new Response('a;b', { headers: { 'content-type': 'text/csv' } }));
    expect(await call(getServerTime)).toEqual({ data: 'a;b' });
  });

  it('[ERR-001] rejects with the server body after the policy has acted', async () => {
    const body = { success: false, message: 'Database is unavailable, try again' };
    const { call, reactions } = api(() => json(body, 503));
    const error = await failureOf(call(getServerTime));
    expect(error).toBeInstanceOf(CallError);
    expect(error).toMatchObject({ status: 503, body, message: body.message });
    expect(reactions).toMatchObject([{ reaction: { toast: body.message }, usedToken: 'swy_1' }]);
  });

  it('[ERR-012] names a write by its method and address, so that a success takes back the failure before it', async () => {
    let status = 503;
    const { call, reactions, successes } = api(() => (status === 503 ? json({ message: 'No' }, status) : new Response(null, { status })));
    await failureOf(call(archiveApp, { params: { id: 7 } }));
    expect(reactions).toMatchObject([{ key: 'DELETE /api/apps/7' }]);
    expect(successes).toEqual([]);
    status = 204;
    await call(archiveApp, { params: { id: 7 } });
    expect(successes).toEqual(['DELETE /api/apps/7']);
  });

  it('[ERR-012] names a read in the same way', async () => {
    let status = 503;
    const { call, reactions, successes } = api(() => json(status === 503 ? { message: 'No' } : { success: true, data: time }, status));
    await failureOf(call(getServerTime));
    expect(successes).toEqual([]);
    status = 200;
    await call(getServerTime);
    expect(successes).toEqual([reactions[0]?.key]);
  });

  it('[ERR-012, OUT-005] reports that the event store is unavailable once, until the call succeeds', async () => {
    let status = 503;
    const message = 'The event store is unavailable, try again';
    const { call, reactions } = api(() => json(status === 503 ? { success: false, message } : { success: true, data: time }, status));
    await failureOf(call(getServerTime));
    expect(await failureOf(call(getServerTime))).toMatchObject({ status: 503, message });
    expect(reactions).toMatchObject([{ reaction: { toast: message } }]);
    status = 200;
    await call(getServerTime);
    status = 503;
    await failureOf(call(getServerTime));
    expect(reactions).toHaveLength(2);
  });

  it('[ERR-003] treats a network failure as no response', async () => {
    const { call, reactions } = api(() => Promise.reject(new TypeError('Failed to fetch')));
    expect(await failureOf(call(getServerTime))).toMatchObject({ status: null, message: 'Something went wrong, response is UNDEFINED' });
    expect(reactions).toHaveLength(1);
  });

  it('[SHELL-082] does not say that a write without an answer was not carried out', async () => {
    const { call, reactions } = api(() => Promise.reject(new TypeError('Failed to fetch')));
    expect(await failureOf(call(signOut))).toMatchObject({ status: null, message: unknownOutcome });
    expect(reactions).toMatchObject([{ reaction: { toast: 'Something went wrong, response is UNDEFINED' } }]);
  });

  it('[ERR-002] takes an answer that breaks the contract for a failure', async () => {
    const { call, reactions } = api(() => json({ success: true, data: { time: 5 } }));
    expect(await failureOf(call(getServerTime))).toMatchObject({ message: 'Something went wrong' });
    expect(reactions).toHaveLength(1);
  });

  it('[SHELL-040] shows nothing when the caller itself broke the call off', async () => {
    const { call, reactions } = api(({ init }) => Promise.reject(init.signal?.reason));
    const stop = new AbortController();
    stop.abort(new Error('left the page'));
    expect(await failureOf(call(getServerTime, { signal: stop.signal }))).toMatchObject({ message: 'left the page' });
    expect(reactions).toEqual([]);
  });

  it('[SHELL-040, SHELL-041] counts running calls, those that fail too, and leaves silent ones out', async () => {
    const retries: number[] = [];
    const { call } = api(() => {
      retries.push(requestCounter.get());
      return json({ success: false, message: 'no' }, 500);
    });
    await Promise.all([failureOf(call(getServerTime)), failureOf(call(getServerTime)), failureOf(call(getServerTime, { isSilent: true }))]);
    expect(retries).toEqual([1, 2, 2]);
    expect(requestCounter.get()).toBe(0);
  });

  it('[IDN-016] repeats a call after readers confirmed their identity, and fails when they did not', async () => {
    const data = { reauthentication: { methods: ['totp', 'password'] } };
    const bodies: unknown[] = [];
    const questions: unknown[] = [];
    let isConfirmed = false;
    const call = createCall({
      send: (_url, init) => {
        bodies.push(init.body);
        if (isConfirmed) return Promise.resolve(new Response(null, { status: 204 }));
        return Promise.resolve(json({ success: false, message: 'Confirm that it is you', data }, 403));
      },
      accessToken: () => 'swy_1',
      count: countRequest,
      react: () => undefined,
      confirmIdentity: (methods) => {
        questions.push(methods);
        isConfirmed = questions.length === 2;
        return Promise.resolve(isConfirmed);
      },
      observe: () => undefined,
    });
    const error = await failureOf(call(archiveApp, { params: { id: 5 } }));
    expect([error, isForbidden(error)]).toMatchObject([{ status: 403 }, false]);
    expect(await call(archiveApp, { params: { id: 5 } })).toEqual({ data: 'Done!' });
    expect([bodies.length, questions]).toEqual([
      3,
      [
        ['totp', 'password'],
        ['totp', 'password'],
      ],
    ]);
  });

  it('[IDN-032] repeats a call that waited for a second factor, and fails without one', async () => {
    const due = { success: false, message: 'Set up a second factor first', data: { second_factor: 'set_up' } };
    const answers = [json(due, 403), json(due, 403), new Response(null, { status: 204 })];
    const outcomes = [false, true];
    const call = createCall({
      send: () => Promise.resolve(answers.shift() ?? json({}, 500)),
      accessToken: () => 'swy_1',
      count: countRequest,
      react: () => undefined,
      setUpFactor: () => Promise.resolve(outcomes.shift() ?? false),
      observe: () => undefined,
    });
    expect(await failureOf(call(archiveApp, { params: { id: 5 } }))).toMatchObject({ status: 403 });
    expect(await call(archiveApp, { params: { id: 5 } })).toEqual({ data: 'Done!' });
    expect([answers, outcomes]).toEqual([[], []]);
  });

  it('[SHELL-047] repeats a call after the sign-in over its page, with the new token, and fails when the page is left', async () => {
    const tokens: unknown[] = [];
    const outcomes = [false, true];
    let token = 'swy_1';
    const call = createCall({
      send: (_url, { headers }) => {
        tokens.push(headers['authorization']);
        return Promise.resolve(token === 'swy_2' ? new Response(null, { status: 204 }) : json({ message: 'no' }, 401));
      },
      accessToken: () => token,
      count: countRequest,
      react: () => undefined,
      signInAgain: () => {
        const isSignedIn = outcomes.shift() ?? false;
        if (isSignedIn) token = 'swy_2';
        return Promise.resolve(isSignedIn);
      },
      observe: () => undefined,
    });
    const archive = { params: { id: 5 } };
    expect(await failureOf(call(archiveApp, archive))).toMatchObject({ status: 401 });
    expect(await call(archiveApp, archive)).toEqual({ data: 'Done!' });
    expect(tokens).toEqual(['Bearer swy_1', 'Bearer swy_1', 'Bearer swy_2']);
    token = 'swy_1';
    outcomes.push(true);
    const own = [{ asToken: 'swy_3' }, { showsFailureItself: (status: number | null) => status === 401 }];
    for (const options of own) expect(await failureOf(call(archiveApp, { ...archive, ...options }))).toMatchObject({ status: 401 });
    expect(outcomes).toEqual([true]);
  });

  it('[AMB-062] distinguishes missing access from other failures', async () => {
    const { call } = api(() => json({ success: false, message: 'You have no permission for this action' }, 403));
    expect(isForbidden(await failureOf(call(getServerTime)))).toBe(true);
    expect(isForbidden(new Error('other'))).toBe(false);
  });
});
