import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type LoadedConsole, send } from './console-under-load.ts';

/** An installation as its clients see it. */
export type Target = Pick<LoadedConsole, 'url' | 'staff' | 'server'>;

/** Milliseconds between a success and the next one, the longest of all. */
type Gap = { longest: () => number; succeed: () => void };

function startGap(): Gap {
  let last = performance.now();
  let longest = 0;
  return {
    longest: () => Math.round(Math.max(longest, performance.now() - last)),
    succeed() {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    },
  };
}

/** Something that clients do over and over until it is stopped. `statuses` counts responses; 0 is none. */
type Load = { gap: Gap; statuses: Record<number, number>; stop: () => Promise<void> };

function repeat(call: () => Promise<number>): Load {
  const life = { goesOn: true };
  const gap = startGap();
  const statuses: Record<number, number> = {};
  async function work(): Promise<void> {
    while (life.goesOn) {
      const status = await call().catch(() => 0);
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status === 200) gap.succeed();
      else await wait(50);
    }
  }
  const working = work();
  return {
    gap,
    statuses,
    async stop() {
      life.goesOn = false;
      await working;
    },
  };
}

/** One person who opens lists, one after the other. */
export function readLists({ url, staff }: Target): Load {
  const paths = ['apps', 'all-requests', 'servers', 'home'];
  let at = 0;
  return repeat(async () => (await send(url, paths[at++ % paths.length] ?? '', staff)).status);
}

/** Hands in one event after the other for the app that a stream follows; each is sent as it is until it is acknowledged. */
export function handInOneByOne({ url, server }: Target, appId: number): Load & { storedIds: string[] } {
  const storedIds: string[] = [];
  const next = () => ({ id: randomUUID(), app_id: appId, type: 'create', date: new Date().toISOString(), ip: '203.0.113.9' });
  let event = next();
  const load = repeat(async () => {
    const { status } = await send(url, 'ingest/events', server, { events: [event] });
    if (status === 200) {
      storedIds.push(event.id);
      event = next();
      // Slow enough that the stream need not skip any.
      await wait(10);
    }
    return status;
  });
  return { ...load, storedIds };
}

/** Content of a stream: ids of events, and the number of skipped rows that it reports. */
export type Followed = { uuids: string[]; gaps: number; connections: number; gap: Gap; stop: () => Promise<void> };

/**
 * Follows the events of an app, or of all apps, and resumes after the last id as soon as the connection ends, as browsers do but without
 * their pause.
 */
export function follow({ url, staff }: Target, appId: number | 'all'): Followed {
  const path = appId === 'all' ? 'all-requests' : `apps/${appId}/postbacks`;
  const over = new AbortController();
  const followed: Omit<Followed, 'stop'> = { uuids: [], gaps: 0, connections: 0, gap: startGap() };
  let lastId: string | null = null;

  function take(text: string): void {
    const field = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1];
    lastId = field('id') ?? lastId;
    if (field('event') === 'gap') followed.gaps += 1;
    if (field('event') !== 'rows') return;
    const rows: { uuid: string }[] = JSON.parse(field('data') ?? '[]');
    followed.uuids.push(...rows.map((row) => row.uuid));
    followed.gap.succeed();
  }

  async function connectOnce(): Promise<void> {
    const headers = { ...staff, ...(lastId === null ? {} : { 'last-event-id': lastId }) };
    const answer = await fetch(`${url}/api/${path}/stream`, { headers, signal: over.signal });
    if (answer.status !== 200 || answer.body === null) return void (await answer.text());
    followed.connections += 1;
    let rest = '';
    for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
      const parts = (rest + chunk).split('\n\n');
      rest = parts.pop() ?? '';
      for (const part of parts) take(part);
    }
  }

  async function work(): Promise<void> {
    while (!over.signal.aborted) {
      await connectOnce().catch(() => undefined);
      await wait(50);
    }
  }
  const working = work();
  return Object.assign(followed, {
    async stop() {
      over.abort();
      await working;
    },
  });
}
