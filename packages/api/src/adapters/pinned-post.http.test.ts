import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createHttpProvisioner } from './domain-provisioner/http-provisioner.ts';
import type { Resolve } from './pinned-post.ts';

const tokenHash = createHash('sha256').update('token-of-the-edge-server-0001').digest();
const blockedOutcome = {
  kind: 'failed',
  message: 'The url of the server leads to an address that is not public and not in PROVISIONER_NETWORKS',
  isFinal: true,
};
/** A service of the inner network, which must not be contacted. */
const inner = createServer((request, response) => {
  requests.push({ path: request.url, host: request.headers.host });
  response.writeHead(redirect === null ? 200 : 307, redirect === null ? {} : { location: redirect }).end('{}');
});
let requests: { path: string | undefined; host: string | undefined }[] = [];
let connections = 0;
let redirect: string | null = null;
let port = 0;

beforeAll(async () => {
  inner.on('connection', () => (connections += 1));
  inner.listen(0, '127.0.0.1');
  await once(inner, 'listening');
  const address = inner.address();
  port = typeof address === 'object' && address ? address.port : 0;
});
beforeEach(() => {
  requests = [];
  connections = 0;
  redirect = null;
});
afterAll(async () => {
  inner.closeAllConnections();
  inner.close();
  await once(inner, 'close');
});

type CallOptions = { networks?: readonly string[]; resolve?: Resolve };
const ask = async (url: string, { networks = [], resolve }: CallOptions = {}) =>
  createHttpProvisioner({ now: () => new Date(), networks, ...(resolve ? { resolve } : {}) }).perform(
    { action: 'add', domain: 'acme.example', onlyCloudflare: false, server: { id: 3, url, tokenHash }, id: 'link-44-1-add' },
    new AbortController().signal,
  );

describe('[S40] the http provisioner', () => {
  it.each([
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    'localhost',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '192.168.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '[fe80::1]',
    '[fd00::1]',
    '[ff02::1]',
  ])('contacts nobody at %s', async (host) => {
    expect(await ask(`http://${host}:${port}`)).toEqual(blockedOutcome);
    expect(connections).toBe(0);
  });

  it('contacts nobody when any address of a name is not public', async () => {
    for (const addresses of [['127.0.0.1'], ['8.8.8.8', '127.0.0.1'], ['::ffff:127.0.0.1']])
      expect(await ask(`http://edge.example:${port}`, { resolve: async () => addresses })).toEqual(blockedOutcome);
    expect(connections).toBe(0);
  });

  it('connects to the address it checked, whatever the name server says next, and names the host', async () => {
    const answers = [['127.0.0.1'], ['127.0.0.2']];
    let lookupCount = 0;
    const resolve = async () => answers[lookupCount++] ?? [];
    const url = `http://edge.example:${port}/base/`;
    expect(await ask(url, { networks: ['127.0.0.1/32'], resolve })).toEqual({ kind: 'done' });
    expect({ lookupCount, requests }).toEqual({ lookupCount: 1, requests: [{ path: '/base/domains', host: `edge.example:${port}` }] });
    expect(await ask(url, { networks: ['127.0.0.1/32'], resolve })).toEqual(blockedOutcome);
    expect({ lookupCount, connections }).toEqual({ lookupCount: 2, connections: 1 });
  });

  it.each(['127.0.0.1', '127.0.0.0/8', '10.0.0.0/8,127.0.0.1/32'])(
    'contacts an inner server that PROVISIONER_NETWORKS=%s allows',
    async (list) => {
      expect(await ask(`http://localhost:${port}`, { networks: list.split(','), resolve: async () => ['127.0.0.1'] })).toEqual({
        kind: 'done',
      });
      expect(await ask(`http://127.0.0.1:${port}`, { networks: list.split(',') })).toEqual({ kind: 'done' });
      expect(connections).toBe(2);
      expect(await ask(`http://192.168.7.7:${port}`, { networks: list.split(',') })).toEqual(blockedOutcome);
    },
  );

  it('follows no redirect', async () => {
    redirect = `http://127.0.0.1:${port}/admin`;
    const outcome = await ask(`http://127.0.0.1:${port}`, { networks: ['127.0.0.1'] });
    expect(outcome).toEqual({ kind: 'failed', message: 'The server redirects elsewhere (307), which is not followed', isFinal: false });
    expect(requests.map(({ path }) => path)).toEqual(['/domains']);
  });

  it.each(['/admin?x=', '/admin#', '?', '/a?b#c'])('rejects a stored url whose end %s would swallow the path', async (end) => {
    expect(await ask(`http://127.0.0.1:${port}${end}`, { networks: ['127.0.0.1'] })).toEqual({
      kind: 'failed',
      message: 'The url of the server must be http(s)://host[:port][/path]; change it under Servers',
      isFinal: true,
    });
    expect(connections).toBe(0);
  });

  it('reports a name without addresses', async () => {
    const outcome = await ask('http://edge.example', { resolve: async () => [] });
    expect(outcome).toEqual({ kind: 'failed', message: 'The server could not be reached: its name is unknown', isFinal: false });
  });
});
