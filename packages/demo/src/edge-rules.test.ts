import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createEdgeRules } from './edge-rules.ts';

it('obeys the black list and the bans, asks again with its etag, and goes on with what it knew when there is no answer', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'edge-'));
  onTestFinished(async () => rm(folder, { recursive: true }));
  const registry = [join(folder, 'v4.csv'), join(folder, 'v6.csv')];
  await writeFile(join(folder, 'v4.csv'), '3.80.0.0,3.80.255.255,14618,"Amazon.com, Inc."\n9.0.0.0,9.0.0.255,7,Other\n');
  await writeFile(join(folder, 'v6.csv'), '2001:db8::,2001:db8::ffff,14618,"Amazon.com, Inc."\n');
  const data = {
    server: { id: 1, name: 'edge-1' },
    apps: [],
    black_list: ['10.0.0.1', '2001:db8:1::1'],
    black_networks: ['10.7.0.0/16'],
    asns: { create: [14618], receive: [7] },
  };
  const calls: Headers[] = [];
  const answers = [
    () => new Response(JSON.stringify({ success: true, data }), { headers: { etag: '"one"' } }),
    () => new Response(null, { status: 304 }),
    () => {
      throw new TypeError('fetch failed');
    },
    () => new Response('{}', { status: 200 }),
  ];
  const rules = createEdgeRules({
    url: 'http://console',
    registry,
    fetch: async (_url, init) => {
      calls.push(new Headers(init?.headers));
      return answers[calls.length - 1]?.() ?? new Response(null, { status: 500 });
    },
  });
  expect(rules.lets({ ip: '10.0.0.1', type: 'track' })).toBe(true);
  for (const _ of answers) {
    await rules.poll('token');
    const rejectedPairs = [
      ['10.0.0.1', 'track'],
      ['10.7.255.9', 'track'],
      ['2001:DB8:1::1', 'static'],
      ['3.80.1.1', 'create'],
      ['2001:db8::7', 'create'],
      ['9.0.0.9', 'receive'],
    ] as const;
    for (const [ip, type] of rejectedPairs) expect([ip, rules.lets({ ip, type })]).toEqual([ip, false]);
    const letIn = [
      ['3.80.1.1', 'receive'],
      ['3.80.1.1', 'token'],
      ['9.0.0.9', 'create'],
      ['10.0.0.2', 'create'],
    ] as const;
    for (const [ip, type] of letIn) expect([ip, rules.lets({ ip, type })]).toEqual([ip, true]);
  }
  expect(calls.map((headers) => [headers.get('authorization'), headers.get('if-none-match')])).toEqual([
    ['Bearer token', ''],
    ['Bearer token', '"one"'],
    ['Bearer token', '"one"'],
    ['Bearer token', '"one"'],
  ]);
});
