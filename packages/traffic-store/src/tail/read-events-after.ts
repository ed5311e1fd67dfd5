import { endOfBatch, readTailPosition, writeTailPosition } from '../event-cursor.ts';
import type { EventFilter, EventsAfter } from '../event-store.ts';
import type { TailHead, TailSource } from './follow-events.ts';

/** Creates the read for clients that poll instead of following a stream: what was committed since they last asked. */
export function createListEventsAfter({ source, head }: { source: TailSource; head: Pick<TailHead, 'read'> }) {
  return async (query: { filter: EventFilter; after: string | undefined; limit: number }): Promise<EventsAfter> => {
    const now = endOfBatch(await head.read());
    const start = query.after === undefined ? null : readTailPosition(query.after);
    const isKnown = start !== null && start.seq <= now.seq;
    if (!isKnown) return { rows: [], position: writeTailPosition(now), isWhole: query.after === undefined };
    if (start.seq === now.seq && start.id === now.id) return { rows: [], position: writeTailPosition(now), isWhole: true };
    const tailQuery = { filter: query.filter, after: start, isOld: true, until: now.seq, most: query.limit };
    const { places, total } = await source.findMatches(tailQuery);
    const rows = places.length === 0 ? [] : await source.readFrame(places, {});
    // A frame holds fewer rows where these are large; the others are read next time.
    const last = places.findIndex((place) => place.id === rows.at(-1)?.id);
    const reachedPosition = last === -1 || last === places.length - 1 ? now : (places[last] ?? now);
    return { rows, position: writeTailPosition(reachedPosition), isWhole: total !== null && total <= places.length };
  };
}
