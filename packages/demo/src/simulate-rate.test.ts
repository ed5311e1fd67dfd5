import { createServer } from 'node:http';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { simulateRate } from './simulate-rate.ts';

it('[OPS-041] a simulation ends at its time, also while the console does not answer', async () => {
  // A port at which nothing listens any more.
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  server.close();
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  const said: string[] = [];
  const sent = await simulateRate({
    url: `http://127.0.0.1:${port}`,
    tokens: ['token'],
    apps: [{ bundle: 'com.example', domain: 'simulated.example', weight: 1, streams: [] }],
    rate: 20,
    seconds: 0.5,
    signal: ending.signal,
    say: (line) => said.push(line),
  });
  expect(sent).toEqual({ accepted: 0, duplicates: 0, rejected: 0 });
  expect(said.at(-1)).toMatch(/^Done in .* s: 0 accepted, 0 duplicates, 0 rejected, \d+ given up, 0 a second\.$/);
});
