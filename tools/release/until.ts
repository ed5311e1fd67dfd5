import { setTimeout as wait } from 'node:timers/promises';

/** Longer than the console takes for anything that it does by itself. */
const seconds = 180;

/** Looks until something is found, and gives it. Throws after three minutes, with what is missing then. */
export async function until<Found>(what: string | (() => string), look: () => Promise<Found | null>): Promise<Found> {
  const deadline = Date.now() + seconds * 1_000;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (Date.now() > deadline) throw new Error(`Waited ${seconds} s for ${typeof what === 'string' ? what : what()}`);
    await wait(250);
  }
}
