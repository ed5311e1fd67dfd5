import { setTimeout as delay } from 'node:timers/promises';
import { busyness, createHistory, hoursOf, planHistory } from './simulator-history.ts';
import type { DemoFiles, DemoInstallation } from './demo-files.ts';
import { deliveriesOf, type PushRow, settledPush } from './delivery-rows.ts';
import { demoStreams } from './demo-streams.ts';
import { demoTraffic } from './simulator-clients.ts';
import { createEdgeRules } from './edge-rules.ts';
import { addRows, type Batch, BatchRejected, sendBatch, type SentRows } from './send-batch.ts';
import { createLiveTraffic, type LiveTraffic } from './simulator-live.ts';
import { streamRowOf } from './ingest-rows.ts';

/** The default of a demo's live traffic. */
const usualLiveRate = 3;
/** Rows of the past a batch: few enough that the API answers people between two of them. */
const pastRows = 500;
const liveTick = 1_000;
/** A pause longer than this is not made up for: traffic of the time in between is lost, as on a real outage. */
const longestCatchUp = 10_000;
/** How long a live push is pending before the traffic server reports its outcome. */
const pushMilliseconds = 20_000;

type Demo = {
  installation: DemoInstallation;
  files: Pick<DemoFiles, 'readHoursDone' | 'writeHoursDone'>;
  url: string;
  signal: AbortSignal;
  /** One line for the log. */
  say: (line: string) => void;
  /** Called with the posted share of the past, from 0 to 1, unless an earlier start posted all of it. */
  onPast?: (share: number) => void;
  /** Live events a second, averaged over a day. */
  liveRate?: number;
  /** CSV files of the registry: which addresses an autonomous system has. */
  registry: readonly string[];
};

/**
 * Plays the demo's traffic servers until aborted: hands in the streams, so that they are known before their traffic, then
 * the installation's past, from where an earlier start was interrupted, and live traffic beside it. Every batch waits for its answer,
 * and pauses as long as that took, so that the API keeps at least half of its time for people.
 */
export async function simulateDemo(demo: Demo): Promise<void> {
  const plan = planHistory(demo.installation);
  const history = createHistory(plan, demoTraffic());
  const live = createLiveTraffic({
    seed: `${demo.installation.seed} ${Date.now()}`,
    apps: demoTraffic(),
    former: history.recentClient,
  });
  const servers = [...demo.installation.servers];
  const ending = new AbortController();
  const both = { ...demo, signal: AbortSignal.any([demo.signal, ending.signal]) };
  try {
    const streams = demoStreams.map((stream) => streamRowOf(stream, demo.installation.until));
    await senderOf(both, servers)({ kind: 'streams', rows: streams });
    await Promise.all([playPast(both, servers, hoursOf(plan), history), playLive(both, servers, live)]);
  } finally {
    ending.abort();
  }
}

type History = Pick<ReturnType<typeof createHistory>, 'rowsOfHour' | 'shareOfHour'>;
type Servers = DemoInstallation['servers'];
const nothing: SentRows = { accepted: 0, duplicates: 0, rejected: 0 };

/**
 * Events are posted newest hour first, so that today's figures are complete soon. Then pushes and conversions are posted oldest
 * hour first, because lists show the last arrived on top. Progress counts hours of both.
 */
async function playPast(demo: Demo, servers: Servers, hours: readonly number[], history: History): Promise<void> {
  const { installation, files, say, onPast = () => undefined } = demo;
  const { rowsOfHour } = history;
  const hoursDone = await files.readHoursDone(installation.seed);
  if (hoursDone >= hours.length * 2) return;
  say(`Handing in ${installation.days} days of demo traffic${hoursDone > 0 ? ', from where it stopped' : ''}.`);
  const sentRows: Record<Batch['kind'], SentRows> = { events: nothing, pushes: nothing, conversions: nothing, streams: nothing };
  const send = senderOf(demo, servers);
  const sendGently = async (batch: Batch): Promise<void> => {
    const began = performance.now();
    sentRows[batch.kind] = addRows(sentRows[batch.kind], await send(batch));
    await delay(performance.now() - began, undefined, { signal: demo.signal });
  };
  const steps = [
    ...hours.map((hour) => ({ hour, batches: eventsOf(hour) })),
    ...hours.toReversed().map((hour) => ({ hour, batches: followingFrom(hour) })),
  ];
  let share = 0;
  for (const [index, { hour, batches }] of steps.entries()) {
    if (index === hoursDone) onPast(share);
    if (index >= hoursDone) {
      for (const batch of batches()) await sendGently(batch);
      await files.writeHoursDone(installation.seed, index + 1);
    }
    share += history.shareOfHour(hour) / 2;
    if (index >= hoursDone && index < steps.length - 1) onPast(share);
  }
  onPast(1);
  const { accepted, duplicates, rejected } = sentRows.events;
  say(
    `The demo's past is complete: ${accepted} events handed in, ${duplicates} were there already, ${rejected} refused; ` +
      `beside them ${sentRows.pushes.accepted} pushes and ${sentRows.conversions.accepted} conversions.`,
  );

  function eventsOf(hour: number): () => Batch[] {
    return () => {
      const rows = rowsOfHour(hour);
      const starts = Array.from({ length: Math.ceil(rows.length / pastRows) }, (_, nth) => nth * pastRows);
      return starts.map((from) => ({ kind: 'events', rows: rows.slice(from, from + pastRows) }));
    };
  }

  function followingFrom(hour: number): () => Batch[] {
    return () => {
      const { pushes, conversions } = deliveriesOf(rowsOfHour(hour));
      return [
        { kind: 'pushes', rows: pushes.map(settledPush) },
        { kind: 'conversions', rows: conversions },
      ];
    };
  }
}

async function playLive(demo: Demo, servers: Servers, live: LiveTraffic): Promise<void> {
  const send = senderOf(demo, servers);
  const { liveRate = usualLiveRate, registry } = demo;
  const rules = createEdgeRules({ url: demo.url, registry });
  let since = Date.now();
  let owedRows = 0;
  let pending: { push: PushRow; due: number }[] = [];
  for (;;) {
    await delay(liveTick, undefined, { signal: demo.signal });
    const now = Date.now();
    since = Math.max(since, now - longestCatchUp);
    owedRows += ((now - since) / 1000) * liveRate * busyness(now * 1000, demo.installation.utcOffset);
    const count = Math.floor(owedRows);
    await rules.poll(servers[0]?.token ?? '');
    const rows = live.rows(count, since * 1000, now * 1000).filter((row) => rules.lets(row));
    const { pushes, conversions } = deliveriesOf(rows);
    await send({ kind: 'events', rows });
    await send({ kind: 'conversions', rows: conversions });
    const settledPushes = pending.filter(({ due }) => due <= now).map(({ push }) => settledPush(push));
    await send({ kind: 'pushes', rows: [...pushes, ...settledPushes] });
    pending = [...pending.filter(({ due }) => due > now), ...pushes.map((push) => ({ push, due: now + pushMilliseconds }))];
    owedRows -= count;
    since = now;
  }
}

/**
 * Sends batches as one traffic server after the other. A server whose token no longer counts, because
 * somebody deleted it or gave it another, drops out; the last one's rejection ends the run.
 */
function senderOf({ url, signal, say }: Demo, servers: Servers): (batch: Batch) => Promise<SentRows> {
  let turn = 0;
  let complained = false;
  const onRetry = (reason: string) => {
    if (!complained) say(`The API does not take traffic just now (${reason}); trying again.`);
    complained = true;
  };

  async function send(batch: Batch): Promise<SentRows> {
    const server = servers[turn++ % servers.length];
    if (!server) throw new BatchRejected(401, 'no traffic server of the demo is left');
    try {
      return await sendBatch({ url, token: server.token }, batch, { signal, onRetry });
    } catch (error) {
      if (!(error instanceof BatchRejected) || error.status !== 401) throw error;
      // Past and live traffic may learn it of the same server at the same moment.
      if (servers.includes(server)) {
        servers.splice(servers.indexOf(server), 1);
        say(`The token of ${server.name} no longer counts; the other servers of the demo go on.`);
      }
      return send(batch);
    }
  }

  return async (batch) => {
    if (batch.rows.length === 0) return nothing;
    const sentRows = await send(batch);
    if (complained) say('The API takes traffic again.');
    complained = false;
    return sentRows;
  };
}
