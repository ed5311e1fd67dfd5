import { LRUCache } from 'lru-cache';
import { RE2JS, RE2JSException } from 're2js';
import { requiredWords } from './required-words.ts';
import { searchPattern } from './search-pattern.ts';

/** What a search looks for: a literal text, or an RE2 expression. */
export type SearchTerm = { query: string; isRegex: boolean };

/** A term in any case. */
export type SoughtText = {
  isIn: (text: string) => boolean;
  /** Where it first occurs in the beginning of a text; null if it does not. */
  find: (text: string) => { start: number; end: number } | null;
  /** See `searchPattern`. */
  patternFor: (keys: readonly string[]) => RegExp | null;
};

/** Maximum number of instructions of an expression, with which an entry of 1 MiB that fits it badly takes about two seconds. */
const maxInstructions = 300;

/** Characters in which an occurrence is located. */
const locatedCharacters = 16_384;

/** The reason why an expression cannot be searched for; null if it can. */
export function expressionProblem(expression: string): string | null {
  try {
    const isTooLarge = compile(expression).programSize() > maxInstructions;
    return isTooLarge ? 'The regular expression is too complex.' : null;
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const reason = error.message.replace(/^error parsing regexp: /, '').replace(/: `.*$/s, '');
    return `The regular expression is invalid: ${reason}.`;
  }
}

/** `^` and `$` are the ends of lines. */
function compile(expression: string): RE2JS {
  return RE2JS.compile(expression, RE2JS.CASE_INSENSITIVE | RE2JS.MULTILINE);
}

const maxRememberedTerms = 16;
/** The latest terms. An expression learns the texts that it is compared with. */
const termsByKey = new LRUCache<string, SoughtText>({ max: maxRememberedTerms });

export function soughtText(term: SearchTerm): SoughtText {
  const key = JSON.stringify([term.query, term.isRegex]);
  const sought = termsByKey.get(key) ?? (term.isRegex ? soughtExpression(term.query) : soughtLiteral(term.query));
  termsByKey.set(key, sought);
  return sought;
}

/** The lower case of a text, in which that of `Σ` does not depend on the letters around it. */
function lowerCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}

function soughtLiteral(literal: string): SoughtText {
  const needle = lowerCase(literal);
  return {
    isIn: (text) => lowerCase(text).includes(needle),
    find(text) {
      const start = lowerCase(text).indexOf(needle);
      return start === -1 ? null : { start, end: start + needle.length };
    },
    patternFor: (keys) => searchPattern(literal, keys),
  };
}

function soughtExpression(expression: string): SoughtText {
  const compiled = compile(expression);
  const words = requiredWords(expression);
  return {
    isIn: (text) => compiled.test(text),
    find(text) {
      const matcher = compiled.matcher(text.slice(0, locatedCharacters));
      return matcher.find() ? { start: matcher.start(), end: matcher.end() } : null;
    },
    patternFor(keys) {
      const patterns = (words ?? []).map((word) => searchPattern(word, keys)?.source);
      return patterns.length === 0 || patterns.includes(undefined) ? null : new RegExp(patterns.join('|'), 'g');
    },
  };
}
