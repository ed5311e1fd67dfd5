import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { buildEndpointApi } from '../../test/endpoint-api.ts';
import { createAppHosts } from '../app-hosts.ts';

const { addressOf } = createAppHosts('https://{domain}');
const queryFrame = { addressOf, consoleOrigin: 'https://console.example' };

/** A folder that looks like the built console, with or without the page of the frame. */
function consoleFolder(hasFrame: boolean): string {
  const root = mkdtempSync(join(tmpdir(), 'switchyard-frame-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'assets'));
  writeFileSync(join(root, 'index.html'), '<!doctype html><title>Console</title>');
  if (hasFrame)
    writeFileSync(join(root, 'query-frame.html'), '<meta name="a" content="%QUERY_ADDRESS%"><meta name="o" content="%CONSOLE_ORIGIN%">');
  return root;
}

const build = (hasFrame = true, frame: typeof queryFrame | null = queryFrame) =>
  buildEndpointApi([], () => undefined, { webRoot: consoleFolder(hasFrame), queryFrame: frame });
const frameOf = (domain: string) => `/dev-frame/query?domain=${encodeURIComponent(domain)}`;
const policyOf = (headers: Record<string, unknown>): string[] => String(headers['content-security-policy']).split('; ');

describe('frame of the developer page', () => {
  it('[DEV-007, S20] may run its own script and call the one address of its app, nothing else', async () => {
    const { statusCode, headers, body } = await (await build()).inject(frameOf('acme-bet.example'));
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(body).toBe('<meta name="a" content="https://acme-bet.example/api/dev"><meta name="o" content="https://console.example">');
    expect(policyOf(headers)).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      'connect-src https://acme-bet.example/api/dev',
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'self'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
      'sandbox allow-scripts allow-same-origin',
    ]);
    expect(headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'cross-origin-embedder-policy': 'credentialless',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
  });

  it('[DEV-007, S31] has no page for what is no host, whatever the name holds', async () => {
    const api = await build();
    for (const domain of [
      '',
      ' ',
      '"><script>',
      "a.example; script-src 'unsafe-inline'",
      'a.example/x',
      'a,b',
      '*',
      'a.example:1',
      'x@y',
      '\r\n',
    ])
      expect([domain, (await api.inject(frameOf(domain))).statusCode]).toEqual([domain, 404]);
    expect((await api.inject('/dev-frame/query')).statusCode).toBe(404);
    expect((await api.inject({ method: 'POST', url: frameOf('a.example') })).statusCode).toBe(404);
  });

  it("[S20] leaves the console's own policy at connections to itself; only the developer page lets it frame", async () => {
    const shownPolicy = policyOf((await (await build()).inject('/index.html')).headers);
    expect(shownPolicy).toContain("connect-src 'self'");
    expect(shownPolicy).toContain("frame-src 'self' blob:");
    const hiddenFrame = await build(true, null);
    const policy = policyOf((await hiddenFrame.inject('/index.html')).headers);
    expect(policy.join()).not.toContain('frame-src');
    expect(policy).toEqual(shownPolicy.filter((part) => !part.startsWith('frame-src')));
  });

  it('[DEV-002] does not exist where the page is hidden, or was not built', async () => {
    for (const api of [await build(true, null), await build(false)]) expect((await api.inject(frameOf('a.example'))).statusCode).toBe(404);
  });
});
