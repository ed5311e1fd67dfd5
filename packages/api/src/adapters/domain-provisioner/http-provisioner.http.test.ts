import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { emptyPort } from '../../../test/empty-port.ts';
import { expireTimeoutOnce } from '../../../test/expire-timeout.ts';
import { startFakeTrafficServer, type Behaviour, type FakeTrafficServer } from '../../../test/fake-traffic-server.ts';
import { createSimulatedProvisioner, type DomainAction, type DomainRequest } from './domain-provisioner.ts';
import { createHttpProvisioner } from './http-provisioner.ts';

const token = 'token-of-the-edge-server-0001';
const tokenHash = createHash('sha256').update(token).digest();
const now = () => new Date('2026-11-20T10:11:12Z');
/** The traffic server of these tests runs on this machine. */
const networks = ['127.0.0.1'];
const never = new AbortController().signal;
let edge: FakeTrafficServer;

beforeAll(async () => {
  edge = await startFakeTrafficServer(token);
});
beforeEach(() => edge.reset());
afterAll(async () => edge.stop());

const request = (action: DomainAction, server: Partial<DomainRequest['server']> = {}): DomainRequest => ({
  action,
  domain: 'acme.example',
  onlyCloudflare: true,
  server: { id: 3, url: edge.url, tokenHash, ...server },
  id: `link-44-1-${action}`,
});
const perform = async (action: DomainAction, server: Partial<DomainRequest['server']> = {}, timeoutMilliseconds = 30_000) =>
  createHttpProvisioner({ now, networks, timeoutMilliseconds }).perform(request(action, server), never);

describe('the http provisioner', () => {
  it('[DOM-006] asks POST {url}/domains, signed with the hash of the token, never with the token', async () => {
    for (const action of ['add', 'bind', 'ssl', 'delete'] as const) await perform(action, { url: `${edge.url}/` });
    const common = { domain: 'acme.example', only_cloudflare: true, server_id: 3, isGenuine: true, path: 'POST /domains' };
    expect(edge.calls).toEqual(['add', 'bind', 'ssl', 'delete'].map((action) => ({ ...common, action, id: `link-44-1-${action}` })));
  });

  it('takes what a stage found out', async () => {
    edge.plan('add', { status: 200, body: { registrar: ' Gandi\u0000\n ', more: 1 } });
    edge.plan('ssl', { status: 201, body: { ssl_at: '2027-02-01T00:00:00+02:00', registrar: null } });
    expect(await perform('add')).toEqual({ kind: 'done', registrar: 'Gandi' });
    expect(await perform('ssl')).toEqual({ kind: 'done', sslAt: new Date('2027-01-31T22:00:00Z') });
    expect(await perform('bind')).toEqual({ kind: 'done' });
  });

  it('asks again later when the server is still at work', async () => {
    const waits: [Behaviour, number][] = [
      [{ status: 202, body: { retry_after: 20 } }, 20],
      [{ status: 202, body: { retry_after: 0.2 } }, 1],
      [{ status: 202, body: { retry_after: 9999 } }, 300],
      [{ status: 202, text: '' }, 15],
    ];
    for (const [behaviour, seconds] of waits) {
      edge.plan('ssl', behaviour);
      expect(await perform('ssl')).toEqual({ kind: 'pending', seconds });
    }
  });

  const unreachable = 'The server could not be reached: ';
  const failures: [string, Behaviour, string, boolean][] = [
    ['500', { status: 500, text: '<h1>Oops</h1>' }, 'The server answered 500', false],
    ['503 with a message', { status: 503, body: { message: 'warming\nup' } }, 'The server answered 503: warming up', false],
    ['429', { status: 429 }, 'The server answered 429', false],
    ['a refusal', { status: 422, body: { message: 'No A record' } }, 'The server answered 422: No A record', true],
    ['a wrong key', { status: 401 }, 'The server answered 401', true],
    ['broken JSON', { status: 200, text: '{"registrar":' }, 'The answer of the server cannot be read', false],
    ['JSON of another shape', { status: 200, body: { ssl_at: 'soon' } }, 'The answer of the server cannot be read', false],
    ['no JSON', { status: 200, text: 'OK' }, 'The answer of the server cannot be read', false],
    ['a redirect', { status: 302, headers: { location: 'https://evil.example/' } }, 'redirects elsewhere (302)', false],
    ['a cut connection', 'cut', `${unreachable}the connection broke off`, false],
    ['an answer that breaks off', 'cut midway', `${unreachable}the connection broke off`, false],
    ['silence', 'silent', 'The server did not answer within 0.3 seconds', false],
    ['a flood', { status: 200, text: `{"registrar":"${'x'.repeat(70_000)}"}` }, 'too long', false],
  ];
  it.each(failures)('[DOM-012] reports %s', async (_name, behaviour, message, isFinal) => {
    edge.plan('bind', behaviour);
    const times = behaviour === 'silent' ? expireTimeoutOnce(() => edge.calls.length > 0) : [];
    const outcome = await perform('bind', {}, behaviour === 'silent' ? 300 : 30_000);
    expect(times).toEqual(behaviour === 'silent' ? [300] : []);
    expect(outcome).toEqual({ kind: 'failed', message: expect.stringContaining(message), isFinal });
    expect(edge.calls).toHaveLength(1);
  });

  it('[DOM-012] reports an answer that never ends and a port without a listener', async () => {
    let drops = 0;
    edge.plan('bind', (response) => {
      response.writeHead(200);
      const drip = setInterval(() => {
        response.write(' ');
        drops += 1;
      }, 20);
      response.on('close', () => clearInterval(drip));
    });
    expireTimeoutOnce(() => drops > 5);
    const outcome = await perform('bind', {}, 300);
    expect(outcome).toEqual({ kind: 'failed', message: 'The server did not answer within 0.3 seconds', isFinal: false });
    vi.restoreAllMocks();
    expect(await perform('bind', { url: `http://127.0.0.1:${emptyPort}` })).toEqual({
      kind: 'failed',
      message: 'The server could not be reached: it refuses connections',
      isFinal: false,
    });
  });

  it('asks nothing of a server without a token that counts', async () => {
    expect(await perform('add', { tokenHash: null })).toMatchObject({ kind: 'failed', isFinal: true });
    expect(edge.calls).toEqual([]);
  });

  it('breaks off when the process stops', async () => {
    edge.plan('add', 'silent');
    const stop = new AbortController();
    const outcome = createHttpProvisioner({ now, networks, timeoutMilliseconds: 60_000 }).perform(request('add'), stop.signal);
    stop.abort(new Error('The process stops'));
    await expect(outcome).rejects.toThrow('The process stops');
  });

  it('[S40] keeps 200 printable characters of a message, and nothing of an answer that is no JSON', async () => {
    edge.plan('add', { status: 400, body: { message: `a\u0000\u001b[31m\u202eb\u200b${'é'.repeat(500)}` } });
    const keptText = `a [31m b ${'é'.repeat(191)}`;
    expect(keptText).toHaveLength(200);
    expect(await perform('add')).toEqual({ kind: 'failed', message: `The server answered 400: ${keptText}`, isFinal: true });
    edge.plan('add', { status: 400, text: 'secret of an inner service' });
    expect(await perform('add')).toEqual({ kind: 'failed', message: 'The server answered 400', isFinal: true });
  });
});

describe('the simulated provisioner', () => {
  it('goes through the stages, names itself, and contacts no server', async () => {
    const provisioner = createSimulatedProvisioner({ now });
    const outcomes = [];
    for (const action of ['add', 'bind', 'ssl', 'delete'] as const) outcomes.push(await provisioner.perform(request(action), never));
    expect(outcomes).toEqual([
      { kind: 'done', registrar: 'Simulated' },
      { kind: 'done' },
      { kind: 'done', sslAt: new Date('2027-02-18T10:11:12Z') },
      { kind: 'done' },
    ]);
    expect(edge.calls).toEqual([]);
  });
});
