import { comparableText } from '@switchyard/contract/text-fields';
import { foldedLetters } from './folded-letters.ts';

/** Shortest text that may contain a typo. In a shorter one nearly every word is one typo from another. */
const shortestTypo = 4;
/** The rest of a longer text is left out, because each character costs four patterns. */
const longestTypo = 24;
/** In a shorter text too few characters beside a typo are adjacent for an index, so each letter is replaced in turn. */
const shortestWithAny = 6;

/** The characters of the column `words` for punctuation, other alphabets and accents. */
const letterOf = new Map<string, string>(
  foldedLetters.flatMap(([signs, letters]) => Array.from(signs, (sign, at) => [sign, letters.charAt(at)] as const)),
);
const any = ['_'];
const each = Array.from('abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ');

/** The characters of a text as the column `words` has them. None of them has a meaning in a pattern of LIKE. */
export function lettersOf(text: string): string[] {
  return Array.from(comparableText(text), (sign) => letterOf.get(sign) ?? sign);
}

/** The pattern that finds the text as a part of `words`; none for fewer than three characters, which occur nearly everywhere. */
export function patternsOf(text: string): string[] {
  const letters = lettersOf(text);
  return letters.length < 3 ? [] : [`%${letters.join('')}%`];
}

/**
 * The patterns that find `words` with one typo: a wrong, missing, additional or swapped character. Those without three letters
 * or digits in a row are left out, because no index knows them.
 */
export function patternsWithTypo(text: string): string[] {
  const letters = lettersOf(text).slice(0, longestTypo);
  if (letters.length < shortestTypo) return [];
  const between = letters.length < shortestWithAny ? each : any;
  const patterns = letters.flatMap((letter, at) => {
    const [head, tail] = [letters.slice(0, at).join(''), letters.slice(at + 1)];
    const [next, ...others] = tail;
    const additional = head + tail.join('');
    const swaps = next === undefined ? [] : [head + next + letter + others.join('')];
    const missing = at === 0 ? [] : between.map((other) => head + other + letter + tail.join(''));
    const wrong = at === 0 || next === undefined ? [] : between.map((other) => head + other + tail.join(''));
    return [additional, ...swaps, ...missing, ...wrong];
  });
  return [...new Set(patterns)].filter((pattern) => /[\da-z]{3}/i.test(pattern)).map((pattern) => `%${pattern}%`);
}
