import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { requiredWords } from './required-words.ts';

const { expression } = fc.letrec<{ expression: string; part: string }>((tie) => ({
  expression: fc
    .array(
      fc.array(tie('part'), { maxLength: 4 }).map((parts) => parts.join('')),
      { minLength: 1, maxLength: 3 },
    )
    .map((choices) => choices.join('|')),
  part: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc
      .tuple(
        fc.constantFrom(
          'a',
          'b',
          'ab',
          'ba',
          '.',
          '[ab]',
          '[^]a]',
          '[[:alpha:]b]',
          String.raw`[\]b]`,
          String.raw`\.`,
          String.raw`\x61`,
          '{',
        ),
        fc.constantFrom('', '', '', '*', '+', '?', '+?', '{2}', '{0,1}', '{1,}'),
      )
      .map((pair) => pair.join('')),
    fc.constantFrom('^', '$', String.raw`\b`, '(?i)', '(?-i:a)', String.raw`\d`, String.raw`\pL`, String.raw`\p{Lu}`),
    fc
      .tuple(fc.constantFrom('(', '(?:', '(?i:', '(?P<name>'), tie('expression'), fc.constantFrom('', '*', '?', '+', '{2,3}'))
      .map(([start, inner, end]) => `${start}${inner})${end}`),
  ),
}));

function compile(text: string): RE2JS | null {
  try {
    return RE2JS.compile(text, RE2JS.CASE_INSENSITIVE);
  } catch {
    return null;
  }
}

describe('the words that an expression requires', () => {
  it('[LOGX-019] are in every text that it matches', () => {
    fc.assert(
      fc.property(
        expression,
        fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'B', '.', ']', '{', '1') }), { maxLength: 8 }),
        (text, tried) => {
          const compiled = compile(text);
          const words = requiredWords(text);
          if (compiled === null || words === null) return;
          for (const one of tried.filter((own) => compiled.test(own)))
            expect([text, one, words.some((word) => one.toLowerCase().includes(word.toLowerCase()))]).toEqual([text, one, true]);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it.each([
    ['timeout|refused', ['timeout', 'refused']],
    [String.raw`user \d+ failed`, [' failed']],
    [String.raw`^POST /api/(apps|users)/\d+`, ['POST /api/']],
    ['(timeout|refused)+', ['timeout', 'refused']],
    ['(?i)error{2,}', ['error']],
    [String.raw`10\.0\.0\.1`, ['10.0.0.1']],
    ['ab?cde*', ['cd']],
    ['a(?:bcd)?', ['a']],
    [String.raw`\d+|error`, null],
    ['.*', null],
    [String.raw`\Qa.b\E`, null],
  ])('[LOGX-019] of %s are %j', (text, words) => {
    expect(requiredWords(text)).toEqual(words);
  });
});
