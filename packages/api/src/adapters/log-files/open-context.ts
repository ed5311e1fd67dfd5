import type { FileFormat } from './formats/file-format.ts';
import { monolog } from './formats/monolog.ts';
import type { LogBytes } from './log-bytes.ts';
import type { ScannedLine } from './scanned-line.ts';

/** Maximum length of a context whose strings have line breaks. The lines of a longer one are read like others. */
export const contextBytes = 131_072;

const contextMark = Buffer.from(' {"');
const [space, quote, comma, colon, backslash, openBracket, closeBracket, openBrace, closeBrace] = [32, 34, 44, 58, 92, 91, 93, 123, 125];
/** Marks of a line that are tried, so that the time stays linear in its length. */
const triedMarks = 20;
const whiteSpace: ReadonlySet<number> = new Set(Buffer.from(' \t\r\n'));
/** What may follow a value within a bracket. */
const afterValue: ReadonlySet<number> = new Set(Buffer.from(',]}'));
/** Characters of numbers, `true`, `false` and `null`, and those with which one begins. */
const literal: ReadonlySet<number> = new Set(Buffer.from('0123456789+-.eEtrufalsn'));
const literalStart: ReadonlySet<number> = new Set(Buffer.from('-0123456789tfn'));

/**
 * Finds contexts of Monolog whose strings have line breaks, such as traces, mails and dumps. A context that is never closed, for example
 * because its writer was killed, has no end, so that the entries behind it are found.
 */
export class OpenContext {
  readonly #file: LogBytes;
  #end = 0;
  #buffer: Buffer | undefined;

  /** Null if a file of this format has no contexts. */
  static of({ formats }: FileFormat, file: LogBytes): OpenContext | null {
    return formats.includes(monolog) ? new OpenContext(file) : null;
  }

  private constructor(file: LogBytes) {
    this.#file = file;
  }

  /** Whether a line starts within a context. */
  includes({ start }: ScannedLine): boolean {
    return start < this.#end;
  }

  /** Looks for a context that the line leaves open. Lines are read in their order. */
  read(line: ScannedLine): void {
    const { start, bytes, from, to, length } = line;
    if (start < this.#end || length > to - from || isFollowed(line)) return;
    const text = bytes.subarray(from, to);
    let tried = 0;
    for (let at = text.indexOf(contextMark); at !== -1 && tried < triedMarks; tried += 1) {
      const end = endOfJson(text, at + 1);
      // A text before the context may begin like one.
      this.#end = end === -1 ? this.#endOf(line, at + 1) : 0;
      if (this.#end > 0) return;
      at = text.indexOf(contextMark, Math.max(at + 1, end ?? 0));
    }
  }

  /** The end of the context that begins at an offset of a line; 0 if it is not closed or not JSON. */
  #endOf({ start, bytes, from, end: chunkEnd }: ScannedLine, at: number): number {
    const near = endOfJson(bytes.subarray(from + at, Math.min(chunkEnd, from + at + contextBytes)), 0) ?? -1;
    if (near !== -1) return start + at + near;
    this.#buffer ??= Buffer.allocUnsafe(contextBytes);
    const bytesRead = this.#file.read(this.#buffer, 0, contextBytes, start + at);
    const far = endOfJson(this.#buffer.subarray(0, bytesRead), 0) ?? -1;
    return far === -1 ? 0 : start + at + far;
  }
}

/** Whether a line ends with a bracket and the next one begins like an entry, so that no context can be open but in rare cases. */
function isFollowed({ bytes, to, end }: ScannedLine): boolean {
  if (to + 2 >= end || bytes[to + 1] !== openBracket || !isDigit(bytes[to + 2] ?? 0)) return false;
  let last = to - 1;
  while (last > 0 && (bytes[last] ?? 0) <= space) last -= 1;
  return bytes[last] === closeBrace || bytes[last] === closeBracket;
}

function isDigit(byte: number): boolean {
  return byte >= 48 && byte <= 57;
}

/** Where the brackets that open at `from` are closed; -1 if a string is open at the end, null if brackets are, or if it is no JSON. */
function endOfJson(bytes: Buffer, from: number): number | null {
  let depth = 0;
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === quote) {
      const start = at;
      at = endOfString(bytes, start);
      // No key has line breaks.
      if (at === -1) return bytes[start - 1] === openBrace ? null : -1;
      const next = nextByte(bytes, at + 1);
      if (next !== undefined && next !== colon && !afterValue.has(next)) return null;
    } else if (byte === openBrace || byte === openBracket) depth += 1;
    else if (byte === closeBrace || byte === closeBracket) {
      depth -= 1;
      if (depth === 0) return at + 1;
      const next = nextByte(bytes, at + 1);
      if (next !== undefined && !afterValue.has(next)) return null;
    } else if (byte !== comma && byte !== colon && !whiteSpace.has(byte)) {
      const isInside = literal.has(bytes[at - 1] ?? 0);
      if (!(isInside ? literal : literalStart).has(byte)) return null;
    }
  }
  return null;
}

/** The next byte that is no white space; undefined at the end. */
function nextByte(bytes: Buffer, from: number): number | undefined {
  let at = from;
  while (whiteSpace.has(bytes[at] ?? 0)) at += 1;
  return bytes[at];
}

/** The quote that ends the string that begins at `from`; -1 if there is none. */
function endOfString(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(quote, from + 1); at !== -1; at = bytes.indexOf(quote, at + 1)) {
    let slashes = 0;
    while (bytes[at - 1 - slashes] === backslash) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return -1;
}
