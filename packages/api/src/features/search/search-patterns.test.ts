import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lettersOf, patternsOf, patternsWithTypo } from './search-patterns.ts';

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), minLength: 4, maxLength: 9 });

/** Whether the patterns of LIKE find a text. */
function finds(text: string, query: string): boolean {
  const words = lettersOf(text).join('');
  return patternsWithTypo(query).some((pattern) => new RegExp(`^${pattern.replaceAll('%', '.*').replaceAll('_', '.')}$`, 's').test(words));
}

/** Every text that one typo makes of a pattern; few letters suffice. */
function typosOf(pattern: string): string[] {
  const letters = ['a', 'b', 'c', 'd', 'z'];
  return Array.from({ length: pattern.length + 1 }, (_, at) => {
    const [head, tail] = [pattern.slice(0, at), pattern.slice(at)];
    const swaps = tail.length > 1 ? [`${head}${tail.charAt(1)}${tail.charAt(0)}${tail.slice(2)}`] : [];
    const changes = letters.flatMap((letter) => [`${head}${letter}${tail}`, ...(tail === '' ? [] : [`${head}${letter}${tail.slice(1)}`])]);
    return [...changes, ...swaps, ...(tail === '' ? [] : [`${head}${tail.slice(1)}`])];
  }).flat();
}

it('[CMD-001] searches parts of words from three characters on', () => {
  expect([patternsOf('ab'), patternsOf('ab-'), patternsOf('Abc')]).toEqual([[], [`%${lettersOf('ab-').join('')}%`], ['%abc%']]);
});

describe('search with a typo', () => {
  it('[CMD-003] finds a word with one typo anywhere in a text', () => {
    fc.assert(
      fc.property(word, fc.string({ maxLength: 5 }), fc.string({ maxLength: 5 }), fc.nat(), (pattern, before, after, nth) => {
        const typos = typosOf(pattern);
        expect(finds(`${before}${typos[nth % typos.length] ?? ''}${after}`, pattern)).toBe(true);
      }),
    );
  });

  it('[CMD-003] finds nothing with more typos', () => {
    fc.assert(
      fc.property(word, fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), maxLength: 14 }), (pattern, text) => {
        const near = [pattern, ...typosOf(pattern).filter((typo) => !typo.includes('z'))].some((typo) => text.includes(typo));
        // A wrong letter may be any.
        const wrong = Array.from(pattern).some((_, at) => {
          const [head, tail] = [pattern.slice(0, at), pattern.slice(at + 1)];
          return Array.from(text).some(
            (__, from) => text.startsWith(head, from) && from + pattern.length <= text.length && text.startsWith(tail, from + at + 1),
          );
        });
        expect(finds(text, pattern)).toBe(near || wrong);
      }),
    );
  });

  it('[CMD-003] knows a few by name', () => {
    for (const query of ['amce', 'acne', 'acmee', 'acm ']) expect(finds('acme bet', query)).toBe(true);
    for (const query of ['петрвоа', 'олга', 'Petrvoa']) expect(finds('ольга петрова', query)).toBe(true);
    for (const query of ['caem', 'abcd', 'emca']) expect(finds('acme bet', query)).toBe(false);
  });
});
