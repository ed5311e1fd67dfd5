import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { testEpoch } from '../../../api/test/arbitrary-events.ts';
import { type EventStoreUnderTest, eventStores } from '../../../api/test/event-stores.ts';
import { sampleEvent } from '../../../api/test/sample-event.ts';
import { soon } from '../../../api/test/soon.ts';
import type { NewEvent } from '../event-fields.ts';
import type { EventStore } from '../event-store.ts';
import { createFollow } from './follow-events.ts';

/** The moments of a stream: between any two of them something may be committed, or the stream may end. */
const moments = [
  'before reading the newest batch',
  'after reading the newest batch',
  'before sending the position',
  'after sending the position',
  'before finding rows',
  'after finding rows',
  'before reading rows',
  'after reading rows',
  'before sending rows',
  'after sending rows',
  'before waiting for a batch',
] as const;

/** A client: rows that reached it, and the id that it resumes after. A frame reaches it whole or not at all. */
type Client = { uuids: string[]; lastId: string | undefined };

const uuids = (all: readonly NewEvent[]): string[] => all.map((row) => row.uuid);

function rows(count: number, change: Partial<NewEvent>): NewEvent[] {
  return Array.from({ length: count }, (_, index) => sampleEvent({ occurred_at: testEpoch + index, ...change }));
}

describe.each(eventStores)('live streams on $name', ({ open }) => {
  let stores: EventStoreUnderTest;
  let store: EventStore;

  beforeAll(async () => {
    stores = await open();
    store = stores.openStore('+00:00');
    await store.maintain(testEpoch);
  });
  beforeEach(async () => stores.empty());

  /** Opens a stream for a client, as a console does. It ends when the signal is aborted or `reach` throws. */
  async function connect(client: Client, signal: AbortSignal, reach: (moment: string) => Promise<void> = async () => undefined) {
    const { source, head } = stores.openTail();
    const around = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
      await reach(`before ${what}`);
      const result = await work();
      await reach(`after ${what}`);
      return result;
    };
    const follow = createFollow({
      source: {
        findMatches: async (query) => around('finding rows', async () => source.findMatches(query)),
        readFrame: async (places, asked) => around('reading rows', async () => source.readFrame(places, asked)),
      },
      head: {
        read: async () => around('reading the newest batch', async () => head.read()),
        after: async (seq, over) => around('waiting for a batch', async () => head.after(seq, over)),
        follow: () => head.follow(),
      },
    });
    for await (const frame of await follow({ filter: () => ({ scope: 'all' }), after: client.lastId, signal })) {
      expect(frame.kind).not.toBe('gap');
      const what = frame.kind === 'rows' ? 'sending rows' : 'sending the position';
      await reach(`before ${what}`);
      signal.throwIfAborted();
      client.lastId = frame.id;
      if (frame.kind === 'rows') client.uuids.push(...frame.rows.map((row) => row.uuid));
      await reach(`after ${what}`);
    }
  }

  /**
   * Resumes a stream behind which rows lie, and again after each interruption. When a stream reaches the moment, a batch is committed,
   * the first one with smaller ids than those rows, and then the stream is interrupted. Without interruptions both batches are
   * committed. Returns the rows that the client got, and those that were stored.
   */
  async function followInterrupted(
    moment: string,
    interruptions: ((over: AbortController) => void)[],
  ): Promise<{ got: string[]; stored: string[] }> {
    const client: Client = { uuids: [], lastId: undefined };
    const opened = new AbortController();
    await connect(client, opened.signal, async (reached) => {
      if (reached === 'after sending the position') opened.abort();
    }).catch(() => undefined);
    // Each of another app and type, since batches that share them wait for each other's counters.
    const batches = [rows(2, {}), rows(2, { app_id: 2, type: 'track' }), rows(3, { app_id: 3, type: 'proxy' })] as const;
    const [early, behind, meanwhile] = batches;
    const commits = [await stores.storeLater(early), async () => store.insertEvents(meanwhile)];
    await store.insertEvents(behind);

    for (const interrupt of [...interruptions, null]) {
      const over = new AbortController();
      let isReached = false;
      const connection = connect(client, over.signal, async (reached) => {
        if (isReached || reached !== moment) return;
        isReached = true;
        for (const commit of commits.splice(0, interrupt ? 1 : 2)) await commit();
        interrupt?.(over);
      }).catch(() => undefined);
      if (interrupt === null) {
        await vi.waitFor(() => expect(client.uuids.length).toBeGreaterThanOrEqual(batches.flat().length), soon);
        over.abort();
      }
      await connection;
    }
    return { got: client.uuids.toSorted(), stored: uuids(batches.flat()).toSorted() };
  }

  // First, as the log of batches is empty only now.
  it('[R26, API-083] resume without a gap if they opened before the first batch of all', async () => {
    const { got, stored } = await followInterrupted('after sending rows', []);
    expect(got).toEqual(stored);
  });

  it.each(moments)('[R26, API-083] tell each row once when batches are committed %s', async (moment) => {
    const { got, stored } = await followInterrupted(moment, []);
    expect(got).toEqual(stored);
  });

  it.each(moments)('[R26, API-083] tell each row once when the database fails and the stream ends %s', async (moment) => {
    const fail = (): void => {
      throw new Error('the database has restarted');
    };
    const { got, stored } = await followInterrupted(moment, [fail, (over) => over.abort()]);
    expect(got).toEqual(stored);
  });
});
