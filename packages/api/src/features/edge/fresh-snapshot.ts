import { setTimeout as delay } from 'node:timers/promises';
import type { EdgeSnapshot } from './edge-snapshot.ts';

/** How long after a look at the database the next one begins at the earliest. */
const pauseMilliseconds = 20;

/**
 * Gives the snapshot as of a moment after the call: whatever was committed before, in any process, is in it. Callers share
 * looks at the database, at most 50 a second however many there are, and everything is read anew only when the revision
 * has changed; so a thousand servers that ask every second cost fifty tiny statements.
 */
export function createFreshSnapshot(deps: {
  readRevision: () => Promise<number>;
  build: () => Promise<EdgeSnapshot>;
}): () => Promise<EdgeSnapshot> {
  let snapshot: EdgeSnapshot | null = null;
  let running: Promise<EdgeSnapshot> | null = null;
  let next: Promise<EdgeSnapshot> | null = null;
  let lookedAt = -Infinity;

  async function look(): Promise<EdgeSnapshot> {
    const wait = lookedAt + pauseMilliseconds - performance.now();
    if (wait > 0) await delay(wait);
    // Whoever calls from here on might know of a later change: he waits for the next look.
    running = next;
    next = null;
    lookedAt = performance.now();
    if (snapshot?.revision !== (await deps.readRevision())) snapshot = await deps.build();
    return snapshot;
  }

  async function afterRunning(): Promise<EdgeSnapshot> {
    await running?.catch(() => undefined);
    return look();
  }

  return async () => {
    next ??= afterRunning();
    return next;
  };
}
