import { markBytes, utf16Order } from './log-bytes.ts';
import type { SecretHider } from './hide-secrets.ts';

/** Bytes after which a line that does not end is taken in parts, between two values. */
const longestLine = 1_048_576;

/** The bytes of a log file without its secrets. Lines that have none stay to the byte. */
export async function* hideInFile(body: AsyncIterable<Buffer>, hider: SecretHider): AsyncGenerator<Buffer> {
  const parts = body[Symbol.asyncIterator]();
  let first: Buffer = Buffer.alloc(0);
  while (first.length < markBytes) {
    const { done, value } = await parts.next();
    if (done === true) break;
    first = Buffer.concat([first, value]);
  }
  async function* whole(): AsyncGenerator<Buffer> {
    yield first;
    yield* { [Symbol.asyncIterator]: () => parts };
  }
  let shown = whole();
  for (const view of viewsOf(first)) shown = hideInView(shown, view, hider);
  yield* shown;
}

async function* hideInView(body: AsyncIterable<Buffer>, { skips, unit, read, write }: View, hider: SecretHider): AsyncGenerator<Buffer> {
  let toSkip = skips;
  let rest = '';
  let odd: Buffer = Buffer.alloc(0);
  for await (const part of body) {
    const skipped = part.subarray(0, toSkip);
    toSkip -= skipped.length;
    if (skipped.length > 0) yield skipped;
    const bytes = Buffer.concat([odd, part.subarray(skipped.length)]);
    const whole = bytes.length - (bytes.length % unit);
    odd = bytes.subarray(whole);
    rest += read(bytes.subarray(0, whole));
    const end = endOfLines(rest);
    if (end === 0) continue;
    yield write(hideInLines(rest.slice(0, end), hider));
    rest = rest.slice(end);
  }
  yield Buffer.concat([write(hideInLines(rest, hider)), odd]);
}

/** A way to read bytes as a text whose characters stand for its units, so that what is not changed stays. `skips`: bytes before the first. */
type View = { skips: 0 | 1; unit: 1 | 2; read: (bytes: Buffer) => string; write: (text: string) => Buffer };

/** Every byte is a character. */
const latin1: View = { skips: 0, unit: 1, read: (bytes) => bytes.toString('latin1'), write: (text) => Buffer.from(text, 'latin1') };
const utf16 = {
  unit: 2,
  read: (bytes: Buffer) => bytes.toString('utf16le'),
  write: (text: string) => Buffer.from(text, 'utf16le'),
} as const;
const utf16BigEndian = {
  unit: 2,
  read: (bytes: Buffer) => Buffer.from(bytes).swap16().toString('utf16le'),
  write: (text: string) => Buffer.from(text, 'utf16le').swap16(),
} as const;

/**
 * By the byte order mark, as the pages read the file. A file that begins as UTF-16 may go on in UTF-8, because another program appends to it,
 * and behind that in UTF-16 at odd offsets. It is read in each of these ways.
 */
function viewsOf(first: Buffer): View[] {
  const order = utf16Order(first);
  if (order === null) return [latin1];
  const wide = order === 'LE' ? utf16 : utf16BigEndian;
  return [{ ...wide, skips: 0 }, { ...wide, skips: 1 }, latin1];
}

/** Behind the last line that is whole, and no part of a private key that goes on. 0: there is none. */
function endOfLines(text: string): number {
  const end = text.lastIndexOf('\n') + 1;
  if (text.length >= longestLine && end === 0) return Math.max(text.lastIndexOf(','), text.lastIndexOf(' ')) + 1 || text.length;
  const key = text.lastIndexOf('-----BEGIN ', end);
  const isOpen =
    key !== -1 && text.length < longestLine && /^-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?![^]*-----END)/.test(text.slice(key, end));
  return isOpen ? text.lastIndexOf('\n', key) + 1 : end;
}

/** Private keys take several lines; everything else is in one. */
function hideInLines(text: string, hider: SecretHider): string {
  return hider
    .inKeyBlocks(text)
    .split('\n')
    .map((line) => (line.endsWith('\r') ? `${hideInLine(line.slice(0, -1), hider)}\r` : hideInLine(line, hider)))
    .join('\n');
}

/** Keeps the byte order mark of a file, and a NUL that belongs to the line feed before. */
function hideInLine(line: string, hider: SecretHider): string {
  const shown = hider.inLine(line);
  return shown === line ? line : (leadingMarks.exec(line)?.[0] ?? '') + shown;
}
const leadingMarks = /^(?:\uFEFF|\xEF\xBB\xBF|\0+)/;
