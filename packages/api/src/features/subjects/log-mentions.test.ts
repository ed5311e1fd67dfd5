import type { TimedEntry } from '../../adapters/log-files/log-questions.ts';
import { formatDateTime, parseDateTime } from '@switchyard/contract/dates';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createLogMentions, type Mentions } from './log-mentions.ts';
import type { LogPlace } from './timeline-position.ts';

const dir = mkdtempSync(join(tmpdir(), 'switchyard-mentions-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const entry = (id: number, datetime: string, header: string): TimedEntry => ({
  id,
  env: 'production',
  level: 'info',
  datetime,
  at: datetime,
  header,
  context: null,
  stack: null,
  truncated: false,
});

/** A log of these days, newest entries first; the days of `unfinished` run out of time. */
function openLog(days: Readonly<Record<string, TimedEntry[]>>, unfinishedDays: readonly string[] = []) {
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir);
  for (const date of Object.keys(days)) writeFileSync(join(dir, `${date}.log`), '');
  const calls: string[] = [];
  const zero = { all: 0, emergency: 0, alert: 0, critical: 0, error: 0, warning: 0, notice: 0, info: 0, debug: 0 };
  const log = createLogMentions({
    dir,
    reader: {
      async page({ date }, { page, limit }) {
        calls.push(date);
        const entries = days[date] ?? [];
        const position = unfinishedDays.includes(date) ? { bytes: 1, of: 2 } : null;
        const file = { bytes: 1, createdAt: new Date(0), updatedAt: new Date(0) };
        const pageEntries = entries.slice((page - 1) * limit, page * limit);
        return {
          counts: zero,
          indexing: null,
          total: entries.length,
          matching: zero,
          entries: pageEntries,
          format: 'text',
          file,
          stopped: position,
        };
      },
    },
  });
  return { log, calls };
}

const days = {
  '2026-11-20': [
    entry(3, '2026-11-20 08:00:00', 'c-1 again'),
    entry(2, '2026-11-20 08:00:00', 'for c-1.'),
    entry(1, '2026-11-20 07:00:00', 'c-10 and abc-1 and C-1'),
    entry(0, '', 'c-1 without a time'),
  ],
  '2026-11-19': [entry(0, '2026-11-19 23:00:00', `${'ы'.repeat(3000)} "c-1"`)],
  '2026-11-10': [entry(0, '2026-11-10 23:00:00', 'c-1')],
};
const all = { uid: 'c-1', place: null, notBefore: -Infinity, limit: 50 };
const placesOf = ({ entries }: { entries: readonly { place: LogPlace }[] }) => entries.map(({ place: { date, id } }) => `${date} ${id}`);

describe('log entries that mention a client', () => {
  it('[INV-025] finds the uid as a word in its own spelling, newest first, from any place on', async () => {
    const { log } = openLog(days);
    const mentions = await log.readBefore(all);
    expect(placesOf(mentions)).toEqual(['2026-11-20 3', '2026-11-20 2', '2026-11-19 0', '2026-11-10 0']);
    expect(mentions.entries[2]?.log.message).toHaveLength(2001);
    for (const [index, { place }] of mentions.entries.entries()) {
      expect(placesOf(await log.readBefore({ ...all, place }))).toEqual(placesOf(mentions).slice(index + 1));
      expect(placesOf(await log.readAfter({ uid: 'c-1', place }))).toEqual(placesOf(mentions).slice(0, index));
    }
    const place = { at: parseDateTime('2026-11-20 07:59:59'), date: '', source: '', id: 0 };
    expect(placesOf(await log.readBefore({ ...all, place }))).toEqual(['2026-11-19 0', '2026-11-10 0']);
    expect(placesOf(await log.readAfter({ uid: 'c-1', place }))).toEqual(['2026-11-20 3', '2026-11-20 2']);
  });

  it('[INV-025] searches no more days than are needed', async () => {
    const { log, calls } = openLog(days);
    await log.readBefore({ ...all, notBefore: parseDateTime('2026-11-15 00:00:00') });
    expect(calls).toEqual(['2026-11-20', '2026-11-19']);
    calls.length = 0;
    await log.readBefore({ ...all, limit: 2 });
    expect(calls).toEqual(['2026-11-20']);
  });

  it('[INV-025] shows no entry later than those of the day after, and reads the days of writers with another offset', async () => {
    const { log } = openLog({
      '2026-11-20': [entry(0, '2026-11-20 08:00:00', 'c-1')],
      '2026-11-19': [entry(1, '2026-11-20 09:00:00', 'c-1'), entry(0, '2026-11-20 07:00:00', 'c-1')],
    });
    const times = ({ entries }: Mentions) => entries.map(({ at }) => formatDateTime(at));
    const mentions = await log.readBefore({ ...all, notBefore: parseDateTime('2026-11-20 06:00:00') });
    expect(times(mentions)).toEqual(['2026-11-20 08:00:00', '2026-11-20 08:00:00', '2026-11-20 07:00:00']);
    const [first] = mentions.entries;
    if (first === undefined) throw new Error('No entry was found');
    expect(times(await log.readBefore({ ...all, place: first.place }))).toEqual(times(mentions).slice(1));
    // Those of the very time of a place without a day are past it.
    const place = { at: parseDateTime('2026-11-20 07:00:00'), date: '', source: '', id: 0 };
    expect(times(await log.readBefore({ ...all, place }))).toEqual(['2026-11-20 07:00:00']);
  });

  it('[INV-025] names the day in which the search ran out of time', async () => {
    const { log } = openLog(days, ['2026-11-19']);
    const mentions = await log.readBefore(all);
    expect(placesOf(mentions)).toEqual(['2026-11-20 3', '2026-11-20 2']);
    expect(mentions.stoppedIn).toBe('2026-11-19');
  });
});
