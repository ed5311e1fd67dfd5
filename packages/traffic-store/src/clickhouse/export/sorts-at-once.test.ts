import { expect, it } from 'vitest';
import type { EventFilter } from '../../event-store.ts';
import { sortsAtOnce } from './sorts-at-once.ts';

const all: EventFilter = { scope: 'all' };
const ofAddresses = (first: string, last: string): EventFilter => ({ ...all, search: [{ kind: 'ip-range', first, last }] });

/** Decision for an engine that reports this number of matches and this size of an event in bytes. */
async function decide(filter: EventFilter, { matches, average = 700, rows }: { matches: number; average?: number; rows?: number }) {
  const engine = { lines: async ({ text }: { text: string }) => [String(text.includes('system.parts') ? average : matches)] };
  return sortsAtOnce(engine, filter, rows);
}

it('[EVT-037] sorts an export at once if its matches are known and few, and their bytes fit into memory', async () => {
  expect(await decide(all, { matches: 700_000 })).toBe(true);
  expect(await decide(all, { matches: 0, average: 0 })).toBe(true);
  expect(await decide(all, { matches: 1_000_000, average: 100 })).toBe(true);
  expect(await decide(all, { matches: 1_000_001, average: 100 })).toBe(false);
  expect(await decide(all, { matches: 4, rows: 3 })).toBe(false);
  // Half a GiB.
  expect(await decide(all, { matches: 2 ** 19, average: 2 ** 10 })).toBe(true);
  expect(await decide(all, { matches: 2 ** 19 + 1, average: 2 ** 10 })).toBe(false);
  expect(await decide(all, { matches: 54, average: 10_000_000 })).toBe(false);
});

it('[EVT-037] does not sort what only the events can count, unless a search matches everything', async () => {
  expect(await decide({ ...all, clientUid: 'c-1' }, { matches: 1 })).toBe(false);
  expect(await decide({ ...all, servers: [1] }, { matches: 1 })).toBe(false);
  expect(await decide(ofAddresses('203.0.113.9', '203.0.113.9'), { matches: 1 })).toBe(false);
  expect(await decide(ofAddresses('0.0.0.0', '255.255.255.255'), { matches: 1 })).toBe(true);
  expect(await decide(ofAddresses('0.0.0.0', '255.255.255.255'), { matches: -1 })).toBe(false);
});
