/**
 * JSON of a third party, kept to the letter. JavaScript holds most JSON exactly, but not every number (`9007199254740993`, `19.90`),
 * repeated keys, the order of keys such as `"10"`, and escapes such as `\/`. A value that it does not hold is a `JsonText`; all others are
 * plain values, so that usual data costs one comparison.
 */

/** Written by `JSON.stringify` in place of a `JsonText`. Random, so that no data contains it. */
const placeholder = `json:${crypto.getRandomValues(new Uint32Array(4)).join('-')}`;

/** The texts that the running `writeExactly` puts in place of placeholders. */
let writtenTexts: string[] | null = null;

/** Valid JSON without white space between its parts, whose value JavaScript does not hold exactly. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** The value as JavaScript reads it, for questions that do not depend on digits, order or repeated keys. */
  get value(): unknown {
    return JSON.parse(this.text);
  }

  toJSON(): unknown {
    // `JSON.stringify` alone cannot write it.
    if (writtenTexts === null) return this.value;
    writtenTexts.push(this.text);
    return placeholder;
  }
}

/** The value of JSON text if JavaScript holds it exactly, up to white space; otherwise a `JsonText`. Throws SyntaxError. */
export function exactJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (isWritten(value, text)) return value;
  const compactText = compactJson(text);
  return compactText !== text && isWritten(value, compactText) ? value : new JsonText(compactText);
}

/** Values below this level are not looked into for data, so that no text exhausts the stack. */
const deepestData = 10;

/**
 * Parses JSON. Values of the keys that `isData` names are data and kept exactly, as by `exactJson`; all others are plain values, in which
 * the last of repeated keys counts. Throws SyntaxError.
 */
export function parseExactly(text: string, isData: (key: string) => boolean): unknown {
  const value: unknown = JSON.parse(text);
  return isWritten(value, text) ? value : readPart(text, isData, deepestData);
}

function readPart(text: string, isData: (key: string) => boolean, levels: number): unknown {
  const members = levels === 0 ? null : jsonMembers(text);
  if (members === null) return JSON.parse(text);
  const read = (member: JsonMember): unknown =>
    member.key !== null && isData(member.key) ? exactJson(member.text) : readPart(member.text, isData, levels - 1);
  return members.isList ? members.list.map(read) : Object.fromEntries(members.list.map((member) => [member.key, read(member)]));
}

/** The value as JSON, in which each `JsonText` stands as its text. `indent`: spaces for each level, as of `JSON.stringify`. */
export function writeExactly(value: unknown, indent = 0): string {
  const outerTexts = writtenTexts;
  const texts: string[] = [];
  writtenTexts = texts;
  let json: string;
  try {
    json = JSON.stringify(value, null, indent);
  } finally {
    writtenTexts = outerTexts;
  }
  if (texts.length === 0) return json;
  const [start = '', ...parts] = json.split(`"${placeholder}"`);
  let written = start;
  for (const [index, part] of parts.entries()) {
    const text = texts[index] ?? '';
    written += (indent === 0 ? text : indentJson(text, indent, lastIndent(written))) + part;
  }
  return written;
}

function lastIndent(written: string): number {
  return /^ */.exec(written.slice(written.lastIndexOf('\n') + 1))?.[0].length ?? 0;
}

/** Whether JavaScript holds the text exactly, up to white space between its parts. False: it may still do so where there is white space. */
export function isWritten(value: unknown, text: string): boolean {
  if (countKeys(value, mostLevels) === countWrittenKeys(text) && looksUsual(text)) return true;
  try {
    return JSON.stringify(value) === text;
  } catch (error) {
    // Too many levels for `JSON.stringify`, which `JSON.parse` reads.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/**
 * A key whose colon `countWrittenKeys` would miss, or a number in a list or an object that JavaScript may write otherwise: with an exponent,
 * sixteen digits, a zero at the end, six of them behind the point, or a minus zero. Texts within strings that look the same cost no more
 * than the comparison that a look saves.
 */
const unusual = /\s:|[:,[]\s*-?(?:\d+(?:\.\d+)?[eE][+-]?\d+|[\d.]{16,}|\d+\.\d*0|0\.000000\d*|(?<=-)0)[\s,}\]]/;

/** Whether keys, numbers and escapes are as JavaScript writes them; a seventh of the time that writing takes. */
function looksUsual(text: string): boolean {
  return !(text.includes('\\') && /\\[/u]/.test(text)) && !unusual.test(text) && text.isWellFormed();
}

const mostLevels = 100;

/** Keys of all objects in a list or an object; NaN for other values, for more levels, and where keys may not be in the order of their text. */
function countKeys(value: unknown, levels: number): number {
  if (typeof value !== 'object' || value === null || levels === 0) return NaN;
  const parts: unknown[] = Object.values(value);
  let keys = 0;
  if (!Array.isArray(value)) {
    keys = parts.length;
    // Keys such as "10" come first, wherever they were.
    const [first = ''] = Object.keys(value);
    if (first >= '0' && first < ':') return NaN;
  }
  for (const part of parts) if (typeof part === 'object' && part !== null) keys += countKeys(part, levels - 1);
  return keys;
}

/** Keys as JSON text has them, repeated ones too, with colons behind a quote within a string, and without those behind white space. */
function countWrittenKeys(text: string): number {
  let keys = 0;
  for (let at = text.indexOf('":'); at !== -1; at = text.indexOf('":', at + 2)) keys += 1;
  return keys;
}

/** A member of an object, or an element of a list, as it is written. */
export type JsonMember = { readonly key: string | null; readonly text: string };

/** The members of an object or the elements of a list in their order, repeated keys included; null for other values. The text is valid JSON. */
export function jsonMembers(text: string): { isList: boolean; list: JsonMember[] } | null {
  let at = afterSpace(text, 0);
  const isList = text.charCodeAt(at) === code.openList;
  if (!isList && text.charCodeAt(at) !== code.openObject) return null;
  const list: JsonMember[] = [];
  for (at = afterSpace(text, at + 1); !isClosing(text.charCodeAt(at));) {
    let key: string | null = null;
    if (!isList) {
      const keyEnd = afterString(text, at);
      key = String(JSON.parse(text.slice(at, keyEnd)));
      // Behind the colon.
      at = afterSpace(text, afterSpace(text, keyEnd) + 1);
    }
    const end = afterValue(text, at);
    list.push({ key, text: text.slice(at, end) });
    at = afterSpace(text, end);
    if (text.charCodeAt(at) === code.comma) at = afterSpace(text, at + 1);
  }
  return { isList, list };
}

/** Levels of lists and objects in valid JSON; a plain value has none. */
export function jsonDepth(text: string): number {
  let deepest = 0;
  let level = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === code.quote) at = afterString(text, at) - 1;
    else if (isOpening(character)) deepest = Math.max(deepest, (level += 1));
    else if (isClosing(character)) level -= 1;
  }
  return deepest;
}

/** Valid JSON without white space between its parts. */
export function compactJson(text: string): string {
  return jsonTokens(text).join('');
}

/** Valid JSON in lines, as `JSON.stringify` indents it. `base`: spaces before the closing bracket. */
export function indentJson(text: string, indent: number, base = 0): string {
  const tokens = jsonTokens(text);
  let level = 0;
  const newLine = (): string => `\n${' '.repeat(base + level * indent)}`;
  const lines = tokens.map((token, index) => {
    const character = token.charCodeAt(0);
    if (isOpening(character) && !isClosing(tokens[index + 1]?.charCodeAt(0))) {
      level += 1;
      return token + newLine();
    }
    if (isClosing(character) && !isOpening(tokens[index - 1]?.charCodeAt(0))) {
      level -= 1;
      return newLine() + token;
    }
    return character === code.comma ? token + newLine() : character === code.colon ? ': ' : token;
  });
  return lines.join('');
}

const code = { quote: 34, comma: 44, colon: 58, openList: 91, backslash: 92, closeList: 93, openObject: 123, closeObject: 125 } as const;

function isOpening(character: number | undefined): boolean {
  return character === code.openObject || character === code.openList;
}

function isClosing(character: number | undefined): boolean {
  return character === code.closeObject || character === code.closeList;
}

function isPunctuation(character: number): boolean {
  return isOpening(character) || isClosing(character) || character === code.comma || character === code.colon;
}

/** Space, tab, line feed and carriage return, the only white space of JSON. */
function isSpace(character: number): boolean {
  return character === 32 || character === 10 || character === 13 || character === 9;
}

/** Strings, brackets, commas, colons, numbers and words of valid JSON, in their order. */
export function jsonTokens(text: string): string[] {
  const tokens: string[] = [];
  for (let at = afterSpace(text, 0); at < text.length;) {
    const end = isPunctuation(text.charCodeAt(at)) ? at + 1 : afterScalar(text, at);
    tokens.push(text.slice(at, end));
    at = afterSpace(text, end);
  }
  return tokens;
}

function afterSpace(text: string, start: number): number {
  let at = start;
  while (isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

function afterString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0;
    while (text.charCodeAt(quote - 1 - slashes) === code.backslash) slashes += 1;
    if (slashes % 2 === 0) return quote + 1;
  }
  throw new SyntaxError('JSON: a string does not end');
}

function afterScalar(text: string, start: number): number {
  if (text.charCodeAt(start) === code.quote) return afterString(text, start);
  let at = start;
  for (; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (isSpace(character) || isPunctuation(character)) break;
  }
  return at;
}

function afterValue(text: string, start: number): number {
  if (!isOpening(text.charCodeAt(start))) return afterScalar(text, start);
  let level = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === code.quote) at = afterString(text, at) - 1;
    else if (isOpening(character)) level += 1;
    else if (isClosing(character)) {
      level -= 1;
      if (level === 0) return at + 1;
    }
  }
  throw new SyntaxError('JSON: a value does not end');
}
