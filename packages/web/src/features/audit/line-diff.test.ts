import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffLines, linesText } from './line-diff.ts';

const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1, maxLength: 30 }).map((lines) => lines.join('\n'));

describe('differences by line', () => {
  it('[HIST-003] holds all lines of both texts in their order, equal ones once, and folds only equal ones', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = diffLines(before, after);
        const countOf = (skipped: 'added' | 'removed') =>
          lines.reduce((count, line) => count + (line.kind === 'folded' ? line.count : line.kind === skipped ? 0 : 1), 0);
        expect([countOf('added'), countOf('removed')]).toEqual([before.split('\n').length, after.split('\n').length]);
        const shown = (skipped: 'added' | 'removed') =>
          lines.flatMap((line) => (line.kind === 'folded' || line.kind === skipped ? [] : [line.text]));
        for (const [part, whole] of [
          [shown('added'), before],
          [shown('removed'), after],
        ] as const) {
          let rest = whole.split('\n');
          for (const line of part) {
            expect(rest).toContain(line);
            rest = rest.slice(rest.indexOf(line) + 1);
          }
        }
        expect(lines.some(({ kind }) => kind === 'added' || kind === 'removed')).toBe(before !== after);
      }),
    );
  });

  it('[HIST-003] compares JSON by its parts and keeps two lines of context', () => {
    const json = (value: number) => linesText(JSON.stringify({ a: 1, b: 2, c: 3, d: value, e: 5, f: 6, g: 7, h: 8 }));
    expect(diffLines(json(4), json(9))).toEqual([
      { kind: 'folded', count: 2 },
      { kind: 'same', text: '  "b": 2,' },
      { kind: 'same', text: '  "c": 3,' },
      { kind: 'removed', text: '  "d": 4,' },
      { kind: 'added', text: '  "d": 9,' },
      { kind: 'same', text: '  "e": 5,' },
      { kind: 'same', text: '  "f": 6,' },
      { kind: 'folded', count: 3 },
    ]);
    expect(linesText('{"a": broken')).toBe('{"a": broken');
  });

  it('[HIST-003] replaces all lines of texts that are too long to compare', () => {
    const long = (mark: string) => Array.from({ length: 1_500 }, (_, index) => `${mark}${index}`).join('\n');
    const lines = diffLines(`first\n${long('a')}\nlast`, `first\n${long('b')}\nlast`);
    expect(lines).toHaveLength(3_002);
  });
});
