import fc from 'fast-check';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { listenForTest, openAnswer } from '../../../test/listening-api.ts';
import { signInAs, signInAsServer, type SignedIn } from '../../../test/sign-in-as.ts';
import { soon } from '../../../test/soon.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import type { Databases } from '../../database/connect.ts';

let databases: Databases;
/** Two processes over one database. */
let one: TestApi;
let other: TestApi;
let server: Pick<SignedIn, 'headers'>;
let appsMade = 0;

beforeAll(async () => {
  ({ databases } = await createTestDatabase());
  one = await buildTestApi({ databases });
  other = await buildTestApi({ databases });
  await one.maintain();
  server = await signInAsServer(databases);
});
afterAll(async () => {
  await Promise.all([one.app.close(), other.app.close()]);
});

/** Whole events of a stream that have reached a client, and the id that it resumes after. */
type Client = { rows: string[]; others: string[]; lastId: string | undefined };

/** Takes the whole events of a text, and returns the rest. */
function take(client: Client, text: string): string {
  const blocks = text.split('\n\n');
  const rest = blocks.pop() ?? '';
  for (const block of blocks) {
    const field = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
    const data: ReturnType<typeof JSON.parse> = JSON.parse(field('data') ?? 'null');
    if (field('event') === 'rows') client.rows.push(...data.map((row: { client_uid: string }) => row.client_uid));
    else if (data !== null) client.others.push(`${field('event')} ${JSON.stringify(data)}`);
    client.lastId = field('id') ?? client.lastId;
  }
  return rest;
}

/** Follows the requests of a new app, and stores some at a time in the order of their client ids. */
async function openFollowed() {
  const { id } = await createApp(databases, { bundle: `com.followed${(appsMade += 1)}` });
  const { headers } = await signInAs(databases, { role: 'Super Admin', since: one.now() });
  const client: Client = { rows: [], others: [], lastId: undefined };
  const stored: string[] = [];
  return {
    client,
    stored,
    headers,
    /** Opens a stream where the client was. Bytes after the given number never arrive. */
    connect: async ({ app }: Pick<TestApi, 'app'>, bytes = Infinity): Promise<IncomingMessage> => {
      const resumed = client.lastId === undefined ? {} : { 'last-event-id': client.lastId };
      const answer = await openAnswer(`${await listenForTest(app)}/api/apps/${id}/postbacks/stream`, { ...headers, ...resumed });
      let rest = '';
      let left = bytes;
      answer.on('data', (part: Buffer) => {
        // The rows are ASCII.
        rest = take(client, rest + part.subarray(0, left).toString('latin1'));
        left -= part.length;
        if (left <= 0) answer.destroy();
      });
      return answer;
    },
    store: async (count: number): Promise<void> => {
      const events = Array.from({ length: count }, () => {
        const place = stored.push(String(stored.length));
        // Rows of a batch come in the order of their times.
        return { app_id: id, type: 'create', date: one.now().getTime() + place, ip: '203.0.113.9', client_uid: String(place - 1) };
      });
      const { status } = await one.call('POST', '/api/ingest/events', { headers: server.headers, body: { events } });
      expect(status).toBe(200);
    },
  };
}

it('[IDN-125] a stream that ends as soon as a client sees it open misses nothing when it resumes', async () => {
  const { client, connect, store, stored } = await openFollowed();
  const answer = await connect(one);
  await once(answer, 'data');
  answer.destroy();
  await store(1);
  await connect(other);
  await vi.waitFor(() => expect(client.rows).toEqual(stored), soon);
});

it('[R25, API-083] a stream that is cut after any byte, in any process, tells each row once and in order', async () => {
  const cut = fc.record({ rows: fc.integer({ min: 1, max: 4 }), bytes: fc.integer({ min: 1, max: 4000 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(cut, { minLength: 8, maxLength: 8 }), async (cuts) => {
      const { client, connect, store, stored } = await openFollowed();
      const first = await connect(one);
      await vi.waitFor(() => expect(client.lastId).toBeDefined(), soon);
      first.destroy();
      for (const [at, { rows, bytes }] of cuts.entries()) {
        const answer = await connect(at % 2 === 0 ? other : one, bytes);
        await store(rows);
        await vi.waitFor(() => expect(answer.destroyed || client.rows.length === stored.length).toBe(true), soon);
        answer.destroy();
      }
      await connect(other);
      await vi.waitFor(() => expect(client.rows).toEqual(stored), soon);
      expect(client.others).toEqual([]);
    }),
    { numRuns: 5 },
  );
});

it('[R26, IDN-124] a stream that the console ends while rows are stored tells each row once after it was resumed', async () => {
  const stopping = await buildTestApi({ databases });
  const { client, connect, headers, store, stored } = await openFollowed();
  const replaced = await connect(one);
  // Only what is stored after a stream has opened is promised to it.
  await vi.waitFor(() => expect(client.lastId).toBeDefined(), soon);
  const goOn = { isOn: true };
  const storing = (async () => {
    while (goOn.isOn) await store(3);
  })();
  const hasMore = async (): Promise<void> => {
    const count = client.rows.length;
    await vi.waitFor(() => expect(client.rows.length).toBeGreaterThan(count), soon);
  };

  await hasMore();
  const url = `${await listenForTest(other.app)}/api/all-requests/stream`;
  const ended = once(replaced, 'end');
  for (let tab = 0; tab < 5; tab += 1) await openAnswer(url, headers);
  await ended;
  const stopped = await connect(stopping);
  await hasMore();
  const end = once(stopped, 'end');
  stopping.beginShutdown();
  await end;
  expect(client.others).toEqual(['end {"reason":"replaced"}', 'end {"status":503,"message":"The server is shutting down, try again"}']);
  goOn.isOn = false;
  await storing;
  await connect(one);
  await vi.waitFor(() => expect(client.rows).toEqual(stored), soon);
  await stopping.app.close();
});
