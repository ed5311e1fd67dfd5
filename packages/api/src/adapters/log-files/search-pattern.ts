/**
 * Characters that stand in the file as they are shown: no writer of JSON escapes them, and none are dropped or added where
 * a context is written anew. Quotes, slashes, braces, commas and the like may stand otherwise.
 */
const steady = /[A-Za-z0-9_\-.@#$%*();?!~^| ]/;
/** `10:11` is steady, but `: 11` and `":11"` may be written either way. */
const colon = ':';

/**
 * Finds where in a file an entry may hold a text, without reading entries: the longest word of the text that stands in
 * the file as it is shown, in any case, as UTF-8 or escaped, for bytes read as latin1. Null where there is no such word.
 * Made of single characters and choices between them, so that it cannot run away on any file (S26).
 */
export function searchPattern(text: string): RegExp | null {
  const words = wordsOf(text).toSorted((a, b) => weight(b) - weight(a));
  const [word] = words;
  return word === undefined ? null : new RegExp(Array.from(word, asInFile).join(''), 'g');
}

function wordsOf(text: string): string[] {
  const words: string[] = [];
  let word = '';
  for (const character of text) {
    if (steady.test(character) || isSteadyBeyondAscii(character) || (character === colon && word !== '')) {
      word += character;
      continue;
    }
    words.push(word);
    word = '';
  }
  words.push(word);
  return words.map((found) => found.replace(/:$/, '')).filter((found) => found.trim() !== '');
}

/** Broken UTF-8 is shown as U+FFFD and is no such bytes in the file. */
function isSteadyBeyondAscii(character: string): boolean {
  return (character.codePointAt(0) ?? 0) > 0xa0 && character !== '\uFFFD';
}

/** Long words are rare, and those of ASCII are looked for faster. */
function weight(word: string): number {
  return Array.from(word, (character) => (character > '~' ? 0.5 : 1)).reduce((sum, one) => sum + one, 0);
}

function asInFile(character: string): string {
  const forms = new Set([character, character.toLowerCase(), character.toUpperCase()]);
  if (character <= '~') {
    const letters = [...forms].map((form) => form.replace(/[-\\^\]]/, String.raw`\$&`)).join('');
    return `[${letters}]`;
  }
  const choices = [...forms].flatMap((form) => [bytesAsText(form), escaped(form)]);
  return `(?:${choices.join('|')})`;
}

function bytesAsText(text: string): string {
  return Buffer.from(text)
    .toString('latin1')
    .replaceAll(/[^A-Za-z0-9]/g, (byte) => String.raw`\x${hex(byte.charCodeAt(0), 2)}`);
}

/** As JSON may write it; the digits in any case. */
function escaped(text: string): string {
  const units = Array.from({ length: text.length }, (_, at) => hex(text.charCodeAt(at), 4));
  return units.map((unit) => String.raw`\\u` + unit.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)).join('');
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
