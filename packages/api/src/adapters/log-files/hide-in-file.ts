import { markBytes, utf16Order } from './log-bytes.ts';
import type { SecretHider } from './hide-secrets.ts';

/** Bytes after which a line that does not end is taken in parts, between two values. */
const longestLine = 1_048_576;

/** The bytes of a log file without its secrets. Lines that have none stay to the byte. */
export async function* hideInFile(body: AsyncIterable<Buffer>, hider: SecretHider): AsyncGenerator<Buffer> {
  let encoding: Encoding | undefined;
  let rest = '';
  let odd: Buffer = Buffer.alloc(0);
  for await (const part of body) {
    const bytes = odd.length === 0 ? part : Buffer.concat([odd, part]);
    encoding ??= bytes.length < markBytes ? undefined : encodingOf(bytes);
    const whole = encoding === undefined ? 0 : bytes.length - (bytes.length % encoding.unit);
    odd = Buffer.from(bytes.subarray(whole));
    if (encoding === undefined || whole === 0) continue;
    rest += encoding.read(bytes.subarray(0, whole));
    const end = endOfLines(rest);
    if (end === 0) continue;
    yield encoding.write(hideInLines(rest.slice(0, end), hider));
    rest = rest.slice(end);
  }
  const { read, write } = encoding ?? latin1;
  yield write(hideInLines(rest + read(odd), hider));
}

/** A text whose characters stand for its units, so that what is not changed stays. */
type Encoding = { unit: 1 | 2; read: (bytes: Buffer) => string; write: (text: string) => Buffer };

/** Every byte is a character. */
const latin1: Encoding = { unit: 1, read: (bytes) => bytes.toString('latin1'), write: (text) => Buffer.from(text, 'latin1') };
const utf16: Encoding = { unit: 2, read: (bytes) => bytes.toString('utf16le'), write: (text) => Buffer.from(text, 'utf16le') };
const utf16BigEndian: Encoding = {
  unit: 2,
  read: (bytes) => Buffer.from(bytes).swap16().toString('utf16le'),
  write: (text) => Buffer.from(text, 'utf16le').swap16(),
};

/** By the byte order mark, as the pages read the file. */
function encodingOf(bytes: Buffer): Encoding {
  const order = utf16Order(bytes);
  return order === null ? latin1 : order === 'LE' ? utf16 : utf16BigEndian;
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
    .map((line) => (line.endsWith('\r') ? `${hider.inLine(line.slice(0, -1))}\r` : hider.inLine(line)))
    .join('\n');
}
