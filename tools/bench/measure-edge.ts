import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { BenchContext } from './bench-context.ts';
import { limitMeasure, type Measure, shownMeasure } from './report.ts';
import { percentile, throughput } from './sample.ts';
import { createPoller, type Poller } from './poll-edge.ts';

/** As many traffic servers as the configuration is made for, each asking every second. */
const serverCount = 1_000;
/** Polls wait for each other's query of the database, so few connections would measure that wait instead of the work. */
const connections = 200;
const ticksASecond = 50;

/**
 * The cost of polling: a thousand servers a second as a share of one core, how soon a change reaches them meanwhile, and
 * the most polls a second, with nothing new and with everything new.
 */
export async function measureEdge({ api, databases, admin, repeat, lasting }: BenchContext): Promise<Measure[]> {
  const tokens = Array.from({ length: serverCount }, (_, nth) => `bench-edge-server-${String(nth).padStart(8, '0')}`);
  const rows = tokens.map((token, nth) => ({
    name: `polling-${nth}`,
    url: 'https://edge.example',
    token_hash: createHash('sha256').update(token).digest(),
    ingest_enabled: true,
  }));
  await databases.db.insertInto('traffic_servers').values(rows).execute();
  const poller = createPoller({ url: api.url, tokens, connections });
  try {
    const first = await throughput(connections, lasting(1), async () => poller.poll({ fresh: true }));
    await poller.pollAll();
    const same = await throughput(connections, lasting(4), async () => poller.poll());
    const steady = await pollSteadily(poller, lasting(8), async () => api.processorTime());
    const delays = await changesSeen(poller, repeat(20), async (ip) => admin.post('black-list', JSON.stringify({ ips: [ip] })));
    return [
      limitMeasure('edge_1000_servers_core_share', steady.share * 100, '%', 50),
      limitMeasure('edge_1000_servers_p50', percentile(steady.durations, 0.5), 'ms', 50),
      shownMeasure('edge_1000_servers_p95', percentile(steady.durations, 0.95), 'ms'),
      limitMeasure('edge_change_seen_p95', percentile(delays, 0.95), 'ms', 1_000),
      shownMeasure('edge_polls_unchanged', same, 'polls/s'),
      shownMeasure('edge_polls_changed', first, 'polls/s'),
    ];
  } finally {
    poller.close();
    await databases.db.deleteFrom('traffic_servers').where('name', 'like', 'polling-%').execute();
  }
}

/** Every server once a second, evenly spread, however long the answers take. */
async function pollSteadily(poller: Poller, seconds: number, processorTime: () => Promise<number>) {
  const durations: number[] = [];
  const polls: Promise<void>[] = [];
  const usedBefore = await processorTime();
  const began = performance.now();
  for (let tick = 0; tick < seconds * ticksASecond; tick += 1) {
    await delay(Math.max(0, began + (tick * 1000) / ticksASecond - performance.now()));
    for (let nth = 0; nth < serverCount / ticksASecond; nth += 1) {
      const due = performance.now();
      polls.push(poller.poll().then(() => void durations.push(performance.now() - due)));
    }
  }
  await Promise.all(polls);
  const share = ((await processorTime()) - usedBefore) / ((performance.now() - began) / 1000);
  return { durations, share };
}

/** Milliseconds from the answer to a change until a server that asks again and again has it, while all others ask too. */
async function changesSeen(poller: Poller, times: number, change: (ip: string) => Promise<unknown>): Promise<number[]> {
  const stopping = new AbortController();
  const others = (async () => {
    while (!stopping.signal.aborted)
      await Promise.all([delay(1000 / ticksASecond), ...Array.from({ length: 20 }, async () => poller.poll())]);
  })();
  const delays: number[] = [];
  for (let nth = 0; nth < times; nth += 1) {
    await poller.pollFirst();
    await change(`198.18.${nth >> 8}.${nth & 255}`);
    const changedAt = performance.now();
    while (!(await poller.pollFirst())) await delay(1);
    delays.push(performance.now() - changedAt);
  }
  stopping.abort();
  await others;
  return delays;
}
