import { setTimeout as delay } from 'node:timers/promises';
import type { EventRow } from './ingest-rows.ts';
import { addRows, batchRows, pause, sendBatch, type SentRows } from './send-batch.ts';
import type { SimulatedApp } from './simulator-clients.ts';
import { createLiveTraffic } from './simulator-live.ts';

const tick = 250;
const reportMilliseconds = 5_000;
/** Batches under way at once; the API allows 16 a server (api 0.15). */
const mostInFlight = 4;
const mostAtOnce = mostInFlight * 2 * batchRows;

/** The time was over before a batch could be sent again. */
class OutOfTime extends Error {}

type Load = {
  url: string;
  tokens: readonly string[];
  apps: readonly SimulatedApp[];
  /** Events a second. */
  rate: number;
  /** Null: until aborted. */
  seconds: number | null;
  signal: AbortSignal;
  say: (line: string) => void;
};

/**
 * Posts this many events a second for this long, reports progress every five seconds and the result at the end. A slower API gets
 * fewer events. A batch that would have to be sent again after the end is given up. A rejection ends it with BatchRejected.
 */
export async function simulateRate(load: Load): Promise<SentRows> {
  const traffic = createLiveTraffic({ seed: `rate ${Date.now()}`, apps: load.apps });
  const began = Date.now();
  const whole = load.seconds === null ? Infinity : load.seconds * load.rate;
  const end = load.seconds === null ? Infinity : began + load.seconds * 1000;
  const state = { sent: { accepted: 0, duplicates: 0, rejected: 0 }, handedIn: 0, givenUp: 0, reported: began, since: began };
  const underWay = new Set<Promise<void>>();
  const failure = new AbortController();
  const signal = AbortSignal.any([load.signal, failure.signal]);
  const isAborted = () => signal.aborted;
  let turn = 0;

  async function send(rows: EventRow[]): Promise<void> {
    const token = load.tokens[turn++ % load.tokens.length] ?? '';
    const result = await sendBatch(
      { url: load.url, token },
      { kind: 'events', rows },
      {
        signal,
        onRetry: (reason) => load.say(`${reason}; sending the batch again`),
        async wait(milliseconds, ending) {
          if (Date.now() + milliseconds >= end) throw new OutOfTime();
          await pause(milliseconds, ending);
        },
      },
    );
    state.sent = addRows(state.sent, result);
  }

  function launch(rows: EventRow[]): void {
    const sending = send(rows)
      .catch((error: unknown) => {
        if (error instanceof OutOfTime) state.givenUp += rows.length;
        else failure.abort(error);
      })
      .finally(() => underWay.delete(sending));
    underWay.add(sending);
  }

  for (let now = began; now < end && !isAborted();) {
    await delay(Math.min(tick, end - now), undefined, { signal }).catch(() => undefined);
    now = Date.now();
    const due = Math.min(mostAtOnce, Math.min(whole, Math.floor(((now - began) / 1000) * load.rate)) - state.handedIn);
    const rows = due > 0 && !isAborted() ? traffic.rows(due, state.since * 1000, now * 1000) : [];
    state.handedIn += rows.length;
    state.since = now;
    for (let from = 0; from < rows.length && !isAborted(); from += batchRows) {
      launch(rows.slice(from, from + batchRows));
      if (underWay.size >= mostInFlight) await Promise.race(underWay);
    }
    if (now - state.reported >= reportMilliseconds) {
      state.reported = now;
      load.say(`${seconds(now - began)} s: ${describe(state.sent)}, ${perSecond(state.sent, now - began)} a second`);
    }
  }
  await Promise.all(underWay);
  if (failure.signal.aborted && !load.signal.aborted) throw failure.signal.reason;
  const took = Date.now() - began;
  const unanswered = state.givenUp === 0 ? '' : `, ${state.givenUp} given up`;
  load.say(`Done in ${seconds(took)} s: ${describe(state.sent)}${unanswered}, ${perSecond(state.sent, took)} a second.`);
  return state.sent;
}

function describe({ accepted, duplicates, rejected }: SentRows): string {
  return `${accepted} accepted, ${duplicates} duplicates, ${rejected} rejected`;
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(1);
}

function perSecond({ accepted }: SentRows, milliseconds: number): number {
  return Math.round(accepted / Math.max(0.001, milliseconds / 1000));
}
