import { exactJson, jsonDepth, JsonText, jsonMembers, writeExactly } from '@switchyard/contract/exact-json';
import { hiddenValue, type SecretRules } from '@switchyard/contract/log-viewer';
import { hideCardNumbers, mayHoldCard } from './card-numbers.ts';
import { withoutMarks } from './formats/log-format.ts';

/** Replaces secrets in what is shown of logs and handed out of them. What has none is returned as it is. */
export type SecretHider = {
  /** In a text of any form: `key=value`, headers of HTTP, JSON in a text, addresses. */
  inText: (text: string) => string;
  /** In a context, whose digits and order stay. */
  inValue: (value: unknown) => unknown;
  /** In a line of a file, whose bytes were read as Latin-1. */
  inLine: (line: string) => string;
  /** Of private keys in several lines (PEM, RFC 7468). */
  inKeyBlocks: (text: string) => string;
};

/** Names of secrets. What stands before one belongs to it: `clientSecret`, `X-Api-Key`, `user[password]`. */
const usualNames = [
  'password|passwd|passphrase|passcode|pwd|[_-]pass|[_-]signature|secret|token|jwt|credential|authorization|cookie|cvv|cvc|phpsessid|jsessionid',
  '(?:api|access|private|secret|encryption|signing)[ _-]?key',
];
/** `password_confirmation`, `password2`, `tokens`; not `token_type`, `passwordLength`. */
const endings = String.raw`(?:s|[ _-]?(?:confirmation|confirm|hash|digest|value|again|repeat)|[ _-]?\d{1,2})?`;

/** Values that tell nothing. */
const empty = /^(?:null|nil|none|true|false|undefined|yes|no|\*+)$/i;

// The patterns know the white space of ASCII only: in bytes that are read as Latin-1, half a letter looks like a space (`à` ends with 0xA0).

/** Between a name and its value; the first group is the quote behind the name. A pair of `key` and `value` is one too. */
const separator =
  /(\\*["'`])?\]?[ \t\r\n]{0,8}(?:=>|:=|[:=](?![:=])|%3[AaDd]|,[ \t\r\n]{0,8}\\*["'](?:value|val)\\*["'][ \t\r\n]{0,8}:)[ \t\r\n]{0,8}(?:string\(\d+\)[ \t])?/y;
const listSeparator = /(\\*["'])[ \t\r\n]{0,8},[ \t\r\n]{0,8}(?=\\*["'])/y;
const quote = /\\*["'`]/y;
/** Up to a space, a quote or a tag, and to what ends a value in a list; a password may have any of these signs within. */
const bareValue = /(?:[^ \t\r\n\f\v"'`<>\\,;)\]}|]|[,;)\]}|](?![ \t\r\n\f\v"'`,;)\]}|]|$|\w+[=:])|\\(?!["'`nrt]))+/y;
/** In an address or a form. */
const formValue = /(?:(?!%26)[^ \t\r\n\f\v"'`&;,\\<>)\]}|])+/y;
const restOfLine = /[^\r\n"'`\\]+/y;
const restOfHeader = /[A-Za-z][\w-]*[ \t]+[\w-]+=[^\r\n]*/y;
const number = /^[\d.]+$/;

/** Objects that nest deeper are read as texts. */
const deepestObject = 100;

export function createSecretHider({ hides, names }: SecretRules): SecretHider {
  const hidesNamed = hides.includes('keys');
  const hidesCards = hides.includes('cards');
  const name = `(?:${[...usualNames, ...names.flatMap(patternsOf)].join('|')})${endings}`;
  const nameInText = new RegExp(`${name}(?![A-Za-z0-9_-])`, 'gi');
  const anyName = new RegExp(name, 'i');
  const wholeName = hidesNamed ? new RegExp(`${name}\\]?$`, 'i') : /^\b$/;

  function hideNamed(text: string): string {
    if (!anyName.test(text)) return text;
    let hidden = '';
    let done = 0;
    for (const found of text.matchAll(nameInText)) {
      if (found.index < done) continue;
      const value = findValue(text, found.index, found.index + found[0].length);
      if (value === null) continue;
      hidden += text.slice(done, value.start) + value.replacement;
      done = value.end;
    }
    return done === 0 ? text : hidden + text.slice(done);
  }

  const inText = (text: string): string => {
    const withoutNamed = hidesNamed ? hideKeyBlocks(hidePasswordsOfAddresses(hideNamed(text))) : text;
    return hidesCards ? hideCardNumbers(withoutNamed) : withoutNamed;
  };

  /** Valid JSON, as it is where nothing is hidden. */
  function inJson(json: string): string {
    const members = jsonMembers(json);
    if (members === null) {
      if (!json.startsWith('"')) return json;
      const text = String(JSON.parse(json));
      const shown = inText(text);
      return shown === text ? json : JSON.stringify(shown);
    }
    const { isList, list } = members;
    /** Of `{"name":"Authorization","value":…}`. */
    const isNamed = list.some(({ key, text }) => key !== null && /^(?:name|key)$/i.test(key) && isNameText(text));
    const parts = list.map(({ key, text }, at) => {
      const before = list[at - 1]?.text;
      const isSecret =
        key === null
          ? before !== undefined && isNameText(before) && isHeader(before) && text.startsWith('"')
          : wholeName.test(key) || (isNamed && /^val(?:ue)?$/i.test(key));
      return isSecret ? hideJsonValue(text, key) : inJson(text);
    });
    if (parts.every((part, at) => part === list[at]?.text)) return json;
    return isList ? `[${parts.join()}]` : `{${list.map(({ key }, at) => `${JSON.stringify(key)}:${parts[at] ?? ''}`).join()}}`;
  }

  /** A quick look that misses nothing; an escape may be a letter of a name. */
  const mayHoldSecret = (text: string): boolean =>
    (hidesNamed && (text.includes('://') || text.includes(String.raw`\u`) || anyName.test(text))) || (hidesCards && mayHoldCard(text));

  const isNameText = (json: string): boolean => json.startsWith('"') && wholeName.test(String(JSON.parse(json)));

  function inJsonText(json: string): string | null {
    try {
      return jsonDepth(json) <= deepestObject ? inJson(json) : null;
    } catch {
      return null;
    }
  }

  return {
    inText,
    inKeyBlocks: (text) => (hidesNamed ? hideKeyBlocks(text) : text),

    inValue(value) {
      if (value === null || typeof value !== 'object') return typeof value === 'string' ? inText(value) : value;
      const json = value instanceof JsonText ? value.text : writeExactly(value);
      const shown = inJson(json);
      return shown === json ? value : exactJson(shown);
    },

    inLine(line) {
      const text = withoutMarks(line);
      if (!mayHoldSecret(text)) return line;
      const shown = (isObjectText(text) ? inJsonText(text.trim()) : null) ?? inText(text);
      return shown === text || shown === text.trim() ? line : shown;
    },
  };
}

function isObjectText(text: string): boolean {
  try {
    return /^\s*\{/.test(text) && typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

/** A name as it may be written, and as its bytes look when they are read as Latin-1. */
function patternsOf(name: string): string[] {
  const spellings = new Set([name, Buffer.from(name).toString('latin1')]);
  return [...spellings].map((spelling) =>
    spelling
      .split(/[ _-]+/)
      .map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`))
      .join('[ _-]?'),
  );
}

type FoundValue = { start: number; end: number; replacement: string };

/** The value of the name that ends at `nameEnd`; null if it has none, or one that tells nothing. */
function findValue(text: string, nameStart: number, nameEnd: number): FoundValue | null {
  const beforeName = text.slice(Math.max(0, nameStart - 66), nameStart);
  if (text[nameEnd] === '>' && /<[\w:.-]{0,64}$/.test(beforeName)) return upTo(text, nameEnd + 1, /[^<]+/y, '');
  if (text[nameEnd] === ' ' && /(?:^|\s)--[\w-]{0,64}$/.test(beforeName))
    return valueAt(text, nameEnd + 1, { keyQuote: '', isHeader: false });
  const separated = matchAt(separator, text, nameEnd);
  const name = /[\w-]*$/.exec(beforeName)?.[0] + text.slice(nameStart, nameEnd);
  if (separated !== null) {
    const isHeaderLine = isHeader(name) && separated[0].includes(':');
    return valueAt(text, nameEnd + separated[0].length, {
      keyQuote: separated[1] ?? '',
      isHeader: isHeaderLine,
      isPlural: /[^s]s$/i.test(name),
      isInForm: /^(?:%|\]=(?!>))/.test(separated[0]) || /(?:[?&]|%26|%3F)[\w.[-]*$/i.test(beforeName),
    });
  }
  const listed = matchAt(listSeparator, text, nameEnd);
  if (listed === null || !isHeader(name)) return null;
  return valueAt(text, nameEnd + listed[0].length, { keyQuote: listed[1] ?? '', isHeader: false });
}

/** Of HTTP: a list of names such as `["password","email"]` has no values. */
function isHeader(name: string): boolean {
  return /authorization|cookie|-/i.test(name);
}

type Surroundings = { keyQuote: string; isHeader: boolean; isPlural?: boolean; isInForm?: boolean };

function valueAt(
  text: string,
  start: number,
  { keyQuote, isHeader: isHeaderValue, isPlural = false, isInForm = false }: Surroundings,
): FoundValue | null {
  const opening = matchAt(quote, text, start)?.[0];
  // The quote of a text around `name: ` is not one of the value.
  if (opening !== undefined) {
    const from = start + opening.length;
    const end = closingQuote(text, from, opening);
    return end === from || empty.test(text.slice(from, end)) ? null : { start: from, end, replacement: hiddenValue };
  }
  const whole = keyQuote + hiddenValue + keyQuote;
  if (text[start] === '{' || text[start] === '[') {
    const end = closingBracket(text, start);
    return end - start <= 2 || text.slice(start, end) === hiddenValue ? null : { start, end, replacement: whole };
  }
  if (isHeaderValue && keyQuote === '') return upTo(text, start, restOfHeader, whole) ?? upTo(text, start, restOfLine, whole);
  const scheme = /(?:Bearer|Basic|Token|ApiKey)[ \t]+/iy;
  const skipped = matchAt(scheme, text, start)?.[0].length ?? 0;
  const value = upTo(text, start + skipped, isInForm ? formValue : bareValue, whole);
  if (value === null) return null;
  const written = text.slice(value.start, value.end);
  // `pwd=/srv/shop` is a folder, `tokens: 512` a count.
  if (empty.test(written) || written.startsWith('/') || (isPlural && number.test(written))) return null;
  return { ...value, start };
}

function upTo(text: string, start: number, pattern: RegExp, replacement: string): FoundValue | null {
  const found = matchAt(pattern, text, start)?.[0].replace(/[ \t]+$/, '');
  if (found === undefined || found === '' || empty.test(found.trim())) return null;
  return { start, end: start + found.length, replacement: replacement === '' ? hiddenValue : replacement };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Where a text ends that began with a quote; quotes within it have more backslashes. The end of the text if it does not end. */
function closingQuote(text: string, from: number, opening: string): number {
  const character = opening.slice(-1);
  const level = opening.length - 1;
  for (let at = text.indexOf(character, from); at !== -1; at = text.indexOf(character, at + 1)) {
    let slashes = 0;
    while (at - 1 - slashes >= from && text[at - 1 - slashes] === '\\') slashes += 1;
    if (slashes % (2 * (level + 1)) === level) return at - level;
  }
  return text.length;
}

/** Behind the bracket that closes the one at `start`; brackets in quotes do not count. The end of the text if none does. */
function closingBracket(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') {
      const slashes = /\\*$/.exec(text.slice(Math.max(start, at - 16), at))?.[0] ?? '';
      at = closingQuote(text, at + 1, `${slashes}"`) + slashes.length;
    } else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}

function hideJsonValue(json: string, key: string | null): string {
  const value: unknown = JSON.parse(json);
  if (value === null || typeof value === 'boolean' || value === '' || json === '[]' || json === '{}') return json;
  if (typeof value === 'number' && key !== null && /[^s]s$/i.test(key)) return json;
  return JSON.stringify(hiddenValue);
}

/** In `postgres://user:password@host`. */
function hidePasswordsOfAddresses(text: string): string {
  if (!text.includes('://')) return text;
  return text.replaceAll(/(?<=:\/\/[^ \t\r\n/:@"'`]{0,128}:)[^ \t\r\n/@"'`]{1,512}(?=@)/g, hiddenValue);
}

const keyBlock = /(?<=-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----).*?(?=-----END|$)/gs;

function hideKeyBlocks(text: string): string {
  return text.includes('PRIVATE KEY-----') ? text.replaceAll(keyBlock, hiddenValue) : text;
}
