import { vi } from 'vitest';

type Timer = { readonly id: number; due: number; readonly every: number | null; readonly call: () => void };

let now = 0;
let lastId = 0;
let timers: Timer[] = [];

function add(call: () => void, delay: number, every: number | null): number {
  lastId += 1;
  timers.push({ id: lastId, due: now + Math.max(0, delay), every, call });
  return lastId;
}

function remove(id: number | undefined): void {
  timers = timers.filter((timer) => timer.id !== id);
}

/**
 * Stops the page's timers until the test ends; time then passes only by `passTime`. Vitest's own fake timers would not
 * do: it advances them while it waits for a click, so no test could tell 299 ms from 300.
 */
export function stopClock(): void {
  now = 0;
  timers = [];
  vi.stubGlobal('setTimeout', (call: () => void, delay = 0) => add(call, delay, null));
  vi.stubGlobal('setInterval', (call: () => void, delay = 0) => add(call, delay, delay));
  vi.stubGlobal('clearTimeout', remove);
  vi.stubGlobal('clearInterval', remove);
}

/** Lets milliseconds pass on a stopped clock, and waits until what comes of it has been drawn. */
export async function passTime(milliseconds: number): Promise<void> {
  const until = now + milliseconds;
  for (let next = firstDue(until); next !== undefined; next = firstDue(until)) {
    now = Math.max(now, next.due);
    if (next.every === null) remove(next.id);
    else next.due += Math.max(1, next.every);
    next.call();
    await nextFrame();
  }
  now = until;
  await nextFrame();
}

function firstDue(until: number): Timer | undefined {
  return timers.filter((timer) => timer.due <= until).toSorted((a, b) => a.due - b.due || a.id - b.id)[0];
}

/** Two frames: React may draw what a timer changed only in the second. */
function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
  });
}
