import { describe, expect, it } from 'vitest';
import { entryNames, foldStack, isForeign, partsOf, shownHeader } from './entry-parts.ts';
import { percentOf } from './reading-progress.tsx';

describe('parts of an entry', () => {
  it('[LOGX-103] lines of libraries are folded where there are several, but for what a search found', () => {
    const frames = (count: number) => Array.from({ length: count }, (_, at) => `/vendor/frame${at}.php`);
    const lines = (list: readonly string[], from: number) => list.map((line, at) => ({ at: from + at, line }));
    expect(foldStack(['own', ...frames(3), 'own'], '')).toEqual(lines(['own', ...frames(3), 'own'], 0));
    expect(foldStack(['own', ...frames(4)], '')).toEqual([
      { at: 0, line: 'own' },
      { at: 1, folded: frames(4) },
    ]);
    expect(foldStack(frames(9), 'FRAME4')).toEqual([
      { at: 0, folded: frames(9).slice(0, 4) },
      { at: 4, line: '/vendor/frame4.php' },
      { at: 5, folded: frames(9).slice(5) },
    ]);
  });

  it('[LOG-025, LOG-026] are those that it has', () => {
    expect(partsOf({ header: 'x', context: null, stack: null })).toEqual([]);
    expect(partsOf({ header: 'x', context: undefined, stack: '' })).toEqual([]);
    expect(partsOf({ header: 'x', context: [], stack: '#0' })).toEqual(['context', 'stack']);
    expect(partsOf({ header: 'x', context: {}, extra: { y: 1 }, stack: '#0' })).toEqual(['context', 'extra', 'stack']);
    expect(partsOf({ header: 'x'.repeat(301), context: 0, stack: null })).toEqual(['message', 'context']);
  });

  it('cut a long header', () => {
    expect(shownHeader('x'.repeat(300))).toBe('x'.repeat(300));
    expect(shownHeader('x'.repeat(301))).toBe(`${'x'.repeat(300)}…`);
  });

  it.each([
    ['#0 /srv/vendor/laravel/x.php(1)', true],
    ['    at f (/srv/node_modules/pg/client.js:1:2)', true],
    ['    at process (node:internal/process:1:2)', true],
    ['#3 [internal function]: App\\Send->go()', true],
    ['#1 /srv/app/Vendors/List.php(3)', false],
  ])('recognise frames of libraries: %s', (line, expected) => expect(isForeign(line)).toBe(expected));
});

describe('names of entries', () => {
  const entry = (header: string, at = '10:00:00') => ({ datetime: `2026-11-20 ${at}`, env: 'production', level: 'info' as const, header });

  it('differ, also for entries that say the same, and stay when newer ones come above', () => {
    const page = [entry('b'), entry('a', '09:00:00'), entry('a', '09:00:00'), entry('a')];
    const names = entryNames(page);
    expect(new Set(names).size).toBe(4);
    expect(entryNames([entry('a', '09:00:00'), entry('c'), ...page]).slice(2)).toEqual(names);
  });
});

describe('percent of a file', () => {
  it.each([
    [0, 0, 0],
    [0, 1_000, 0],
    [999, 1_000, 99],
    [1_000, 1_000, 99],
    [5_000_000_000, 10_000_000_000, 50],
  ])('%i of %i bytes are %i', (bytes, of, expected) => expect(percentOf({ bytes, of })).toBe(expected));
});
