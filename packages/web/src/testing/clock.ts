import { vi } from 'vitest';

type Timer = { readonly id: number; due: number; readonly every: number | null; readonly call: () => void };

const real = { setTimeout: window.setTimeout.bind(window), clearTimeout: window.clearTimeout.bind(window) };

/** Far above the timer ids of the browser, so that the two kinds cannot be confused. */
const firstId = 1_000_000_000;

let now = 0;
let lastId = firstId;
let timers: Timer[] = [];

function add(call: () => void, delay: number, every: number | null): number {
  lastId += 1;
  const timer: Timer = { id: lastId, due: now + Math.max(0, delay), every, call };
  timers.push(timer);
  // Due at this very moment: it needs no time to pass, and what an answer sets off may come after all time has.
  if (timer.due === now && every === null) real.setTimeout(() => timers.includes(timer) && fire(timer), 0);
  return lastId;
}

function fire(timer: Timer): void {
  if (timer.every === null) remove(timer.id);
  else timer.due += Math.max(1, timer.every);
  timer.call();
}

function remove(id: number | undefined): void {
  // A timer from before the clock was stopped.
  if (id !== undefined && id <= firstId) real.clearTimeout(id);
  timers = timers.filter((timer) => timer.id !== id);
}

/**
 * Stops the timers of the page until the test ends; time passes only by `passTime`. The fake timers of Vitest advance
 * while it waits for a click, so a test could not distinguish 299 ms from 300 ms.
 */
export function stopClock(): void {
  now = 0;
  timers = [];
  vi.stubGlobal('setTimeout', (call: () => void, delay = 0) => add(call, delay, null));
  vi.stubGlobal('setInterval', (call: () => void, delay = 0) => add(call, delay, delay));
  vi.stubGlobal('clearTimeout', remove);
  vi.stubGlobal('clearInterval', remove);
}

/** Advances a stopped clock, after rendering has set its timers, and waits until the result is rendered. */
export async function passTime(milliseconds: number): Promise<void> {
  await settle();
  const until = now + milliseconds;
  for (let next = firstDue(until); next !== undefined; next = firstDue(until)) {
    now = Math.max(now, next.due);
    fire(next);
    await settle();
  }
  now = until;
  await settle();
}

function firstDue(until: number): Timer | undefined {
  return timers.filter((timer) => timer.due <= until).toSorted((a, b) => a.due - b.due || a.id - b.id)[0];
}

/** Turns that React may take after a change: to draw it, and for the effects of what is drawn; with room to spare. */
const turns = 4;

async function settle(): Promise<void> {
  await nextFrame();
  for (let turn = 0; turn < turns; turn += 1) await nextTurn();
}

/** Two frames: React may draw what a timer changed only in the second. */
function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
  });
}

/** Until all that waits for its turn by now has had it. React waits for its own by messages too, which keep their order. */
function nextTurn(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.addEventListener(
      'message',
      () => {
        port1.close();
        resolve();
      },
      { once: true },
    );
    port1.start();
    port2.postMessage(null);
  });
}
