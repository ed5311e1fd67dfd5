import { expect, it } from 'vitest';
import { describeStorage, readEngineStorage } from './estimate-storage.ts';

it.each([
  [
    { bytes: 5_250_000_000, events: 5_000_000, lastWeek: 840_000 },
    90,
    '5,000,000 events take 5.3 GB, 1,050 bytes each; 120,000 a day and 90 days come to 11.3 GB',
  ],
  [
    { bytes: 5_250_000_000, events: 5_000_000, lastWeek: 0 },
    90,
    '5,000,000 events take 5.3 GB, 1,050 bytes each; 0 a day and 90 days come to 0.0 GB',
  ],
  [{ bytes: 50_000_000, events: 99_999, lastWeek: 99_999 }, 90, '99,999 events, too few for an estimate'],
  [{ bytes: 0, events: 0, lastWeek: 0 }, 1, '0 events, too few for an estimate'],
])('[OPS-024] estimates the storage of %o over %i days', (stored, days, line) => {
  expect(describeStorage(stored, days)).toBe(line);
});

it.each([
  [null, 'events'],
  ['main', 'events_local'],
])('[OPS-024] counts bytes and the last week of the same server, of the cluster %s', async (cluster, table) => {
  let asked = '';
  const lines = async ({ text }: { text: string }) => {
    asked = text;
    return ['5\t4\t3'];
  };
  expect(await readEngineStorage({ lines }, cluster)).toEqual({ bytes: 5, events: 4, lastWeek: 3 });
  expect([...asked.matchAll(/(?:from |table = ')(events\w*)/g)].map(([, name]) => name)).toEqual([table, table]);
});
