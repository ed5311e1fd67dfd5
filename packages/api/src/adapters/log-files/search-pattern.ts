/**
 * Characters that are the same in the file and on the screen: JSON never escapes them, and serialising a context again neither
 * adds nor drops them. Quotes, slashes, braces, commas and the like may differ.
 */
const stable = /[A-Za-z0-9_\-.@#$%*();?!~^| ]/;
/** Stable within a word, as in `10:11`, but JSON may or may not have a space after it. */
const colon = ':';

/**
 * A pattern that every entry with this text matches, so that other entries need not be parsed. It finds the longest stable word of the
 * text that is not in one of the `keys`, which are shown but not in the file; in any case, as UTF-8 or escaped, in bytes read as latin1.
 * Null if there is no such word, or the text may be a time. The pattern has no repetitions, so it runs in linear time.
 */
export function searchPattern(text: string, keys: readonly string[] = []): RegExp | null {
  if (isPartOfTime(text)) return null;
  const isInKey = (word: string) => keys.some((key) => key.toLowerCase().includes(word));
  const [word] = wordsOf(text.toLowerCase())
    .filter((own) => !isInKey(own))
    .toSorted((a, b) => weight(b) - weight(a));
  return word === undefined ? null : new RegExp(Array.from(word, patternOf).join(''), 'g');
}

/** Times are shown in UTC, and in the file they have any form. */
function isPartOfTime(text: string): boolean {
  return /[-: ]/.test(text.trim()) && '0000-00-00 00:00:00'.includes(text.trim().replaceAll(/\d/g, '0'));
}

function wordsOf(text: string): string[] {
  const words: string[] = [];
  let word = '';
  for (const character of text) {
    if (stable.test(character) || isStableBeyondAscii(character) || (character === colon && word !== '')) {
      word += character;
      continue;
    }
    words.push(word);
    word = '';
  }
  words.push(word);
  return words.map((term) => term.replace(/:$/, '')).filter((term) => term.trim() !== '');
}

/** Invalid UTF-8 is shown as U+FFFD, whose bytes are not in the file. The dot U+0307 may be part of an `İ` there. */
function isStableBeyondAscii(character: string): boolean {
  return (character.codePointAt(0) ?? 0) > 0xa0 && character !== '\uFFFD' && character !== '\u0307';
}

/** Long words are rare, and ASCII is faster to find. */
function weight(word: string): number {
  return Array.from(word, (character) => (character > '~' ? 0.5 : 1)).reduce((sum, one) => sum + one, 0);
}

function patternOf(character: string): string {
  const forms = lettersByCase().get(anyCase(character)) ?? [character];
  const ascii = forms.filter((form) => form <= '~').map((form) => form.replace(/[-\\^\]]/, String.raw`\$&`));
  const choices = forms.flatMap((form) => (form > '~' ? [bytesAsText(form), escapeText(form)] : []));
  const set = ascii.length === 0 ? [] : [`[${ascii.join('')}]`];
  return `(?:${[...set, ...choices].join('|')})`;
}

const lastLetterWithCase = 0x1_ff_ff;
let letters: Map<string, string[]> | undefined;

/** Letters that match each other in any case: also several to one, such as `σ`, `ς` and `Σ`, or `k` and the sign of Kelvin. */
function lettersByCase(): ReadonlyMap<string, readonly string[]> {
  if (letters !== undefined) return letters;
  letters = new Map();
  for (let code = 0; code <= lastLetterWithCase; code += 1) {
    const letter = String.fromCodePoint(code);
    if (!/\p{Changes_When_Casemapped}/u.test(letter)) continue;
    const key = anyCase(letter);
    letters.set(key, [...(letters.get(key) ?? []), letter]);
  }
  return letters;
}

/** The same text for all cases of a letter. The lower case of `İ` is an `i` and a dot. */
function anyCase(letter: string): string {
  return letter === 'İ' ? 'i' : letter.toLowerCase().toUpperCase().toLowerCase();
}

function bytesAsText(text: string): string {
  return Buffer.from(text)
    .toString('latin1')
    .replaceAll(/[^A-Za-z0-9]/g, (byte) => String.raw`\x${hex(byte.charCodeAt(0), 2)}`);
}

/** The JSON escape of a text, with hexadecimal digits in any case. */
function escapeText(text: string): string {
  const units = Array.from({ length: text.length }, (_, at) => hex(text.charCodeAt(at), 4));
  return units.map((unit) => String.raw`\\u` + unit.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)).join('');
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
