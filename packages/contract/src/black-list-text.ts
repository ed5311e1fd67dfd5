import ipaddr from 'ipaddr.js';
import { lastOf, readBlackListEntry, spanOf, type ReadEntry } from './black-list-entry.ts';
import { trimText } from './text-fields.ts';

/** Maximum number of lines of an import. */
export const maximumImportLines = 200_000;

/** Maximum number of characters of a line of an import. */
export const maximumLineCharacters = 4_096;

/**
 * An entry that a line of a list has, by the number of the line from 1, or why a part of the line is none. `lines`: how many lines the row has, where it has several.
 * `part`: what the suggestion replaces, where the line has other entries. `isSkipped`: the heads of columns, and exceptions with a message.
 */
export type ListedEntry = { line: number; lines?: number; text: string } & (
  | { entry: string }
  | { message: string; suggestion: string | null; part?: string }
  | { isSkipped: true; message?: string }
);

/** Why lines have no entries although they may have addresses. */
export const lineMessages = {
  tooLong: `The line has more than ${maximumLineCharacters.toLocaleString('en-US')} characters.`,
  exception: 'The line is an exception: it allows addresses.',
} as const;

// No pattern may take time that grows with the square of a line: files come from third parties.
const wholeLineComment = /^(?:#|;|\/\/)/;
/** In front of an entry in files of ipset and nginx, and in the columns of CrowdSec. */
const command = /^(?:add\s+\S+|deny(?:\s+from)?)\s+/i;
/** The head of a set in files of ipset. */
const setHead = /^create\s+\S+\s+(?:hash|list|bitmap):/i;
/** Lines that allow addresses: of nginx and Apache, of routers, and of ipset. */
const exception = /^(?:allow|permit|accept|except|exclude)(?![^\s:])|^!|\snomatch(?=\s|$)/i;
const scope = /^(?:ip|range):(?=[\da-f[])/i;
const addressHead =
  /^(?:entry|ips?|cidrs?|networks?|prefix(?:es)?|subnets?|(?:ip|src|source|remote|client)?[ _-]?address(?:es)?|(?:src|source|dst|dest|destination|client)[ _-]?ip|ip[ _-]?prefix|netblock|value)$/i;
const sourceHead = /^(?:src|source|remote|client)/i;
const destinationHead = /^(?:dst|dest)/i;
/** Heads of columns whose cells complete the address beside them. */
const lengthHead = /^(?:prefix|prefix[ _-]?len(?:gth)?|cidr|bits|(?:net|subnet)?[ _-]?mask|wildcard)$/i;
const separators = /[\s,;|]+/;
/** Dashes that texts have where a hyphen was typed. */
const dashes = /[\u2010-\u2015\u2212]/g;
const addressRange = /^[\da-f.:]+\s*-\s*[\da-f.:]+$/i;
/** An address with or without a mistake, so that it is named and not taken for a comment. */
const addressLike = /^\d+(?:\.\d+){3}(?:[:/]\d+)?$|^\[?[\da-f:]*::[\da-f:.]*\]?(?::\d+)?$/i;
/** A range with a word or an arrow between its addresses. */
const wordedRange = /^([\da-f.:]+)\s+(?:to|->|→|\.\.\.?)\s+([\da-f.:]+)$/i;
const cellMarks = ',;\t|';
const cellStart = /(?:^|[,;\t|])[^\S\t]*"/g;
/** Two quotes within a cell are one of its characters. */
const cellEnd = /"(?:(")|[^\S\t]*(?=[,;\t|]|$))/g;
/** Lines of a cell in quotes at most; a quote that is open for longer is none. */
const maximumCellLines = 50;
/** Longer parts are not like an address. */
const maximumAddressCharacters = 64;

/** What the head of a table says. `mark` separates its cells, null for white space. `hasLengths`: masks are in the next column. */
type TableHead = { mark: string | null; cells: readonly string[]; column: number; hasLengths: boolean };

/**
 * Reads the entries of a list as people have them: one on each line or several, comments, or tables whose first column or the one that its
 * head names counts. Lines without an entry are left out, those with a mistake are not.
 */
export function* readBlackListText(text: string): Generator<ListedEntry, void, undefined> {
  let table: TableHead | null = null;
  let commented: TableHead | null = null;
  let isFirst = true;
  const isTable = (row: string): boolean => table !== null || isAddressLike(cellsOf(row, markOf(row))[0] ?? '');
  for (const row of rowsOf(text, isTable)) {
    const written = row.text;
    if (written.length > maximumLineCharacters) {
      yield { ...row, message: lineMessages.tooLong, suggestion: null };
      continue;
    }
    if (isFirst) commented = commentedHead(written) ?? commented;
    const content = contentOf(written);
    if (content === '') continue;
    if (exception.test(content)) {
      yield { ...row, isSkipped: true, message: lineMessages.exception };
      continue;
    }
    const member = memberOf(content);
    if (member === '' || setHead.test(content)) {
      yield { ...row, isSkipped: true };
      continue;
    }
    if (member !== null) {
      yield { ...row, ...readBlackListEntry(member) };
      continue;
    }
    const plain = withoutProgram(content);
    if (isFirst) {
      isFirst = false;
      table = headOf(plain);
      if (table !== null) {
        yield { ...row, isSkipped: true };
        continue;
      }
      if (commented !== null && isRowOf(commented, plain)) table = commented;
    }
    for (const part of partsOf(plain, table)) yield { ...row, ...part };
  }
}

/** The lines of a text, without copying it as a whole. Long lines are as they are. */
export function* linesOf(text: string): Generator<string, void, undefined> {
  let from = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', from)) {
    yield lineOf(text.slice(from, at));
    from = at + 1;
  }
  if (from < text.length) yield lineOf(text.slice(from));
}

/** A row of a list by the number of its first line. */
type Row = Pick<ListedEntry, 'line' | 'lines' | 'text'>;

/**
 * The rows of a text; lines of a cell in quotes, which tables may have in several, are one.
 * `isTable`: whether a line is a row of a table.
 */
function* rowsOf(text: string, isTable: (line: string) => boolean): Generator<Row, void, undefined> {
  let line = 0;
  let open: string[] = [];
  for (const written of linesOf(text)) {
    line += 1;
    if (open.length > 0) {
      open.push(written);
      const isOpen = endsInCell(written, true);
      if (!isOpen) yield { line: line + 1 - open.length, lines: open.length, text: open.join(' ') };
      else if (open.length === maximumCellLines) yield* eachOf(open, line);
      if (!isOpen || open.length === maximumCellLines) open = [];
    } else if (endsInCell(written, false) && isTable(written)) open = [written];
    else yield { line, text: written };
  }
  yield* eachOf(open, line);
}

/** Lines by themselves, of which the last one has a number. */
function eachOf(lines: readonly string[], last: number): Row[] {
  return lines.map((text, index) => ({ line: last + 1 - lines.length + index, text }));
}

/**
 * Whether a line ends within a cell in quotes. They begin behind a mark and end before one or with the line; other quotes are characters of
 * the cell. `isInCell`: whether the line begins within one.
 */
function endsInCell(line: string, isInCell: boolean): boolean {
  if (line.length > maximumLineCharacters) return isInCell;
  let isQuoted = isInCell;
  let from = 0;
  for (;;) {
    const quote = isQuoted ? cellEnd : cellStart;
    quote.lastIndex = from;
    const match = quote.exec(line);
    if (match === null) return isQuoted;
    from = quote.lastIndex;
    if (match[1] === undefined) isQuoted = !isQuoted;
  }
}

function lineOf(text: string): string {
  return text.length > maximumLineCharacters + 1 ? text : trimText(text);
}

/** A line without its comment. */
function contentOf(line: string): string {
  if (wholeLineComment.test(line) || /^[[\](){},]*$/.test(line)) return '';
  const content = trimText(withoutComment(line)).replace(dashes, '-').replace(wordedRange, '$1-$2');
  const [before = '', ...after] = content.split(/\s;/);
  // What follows a semicolon after a space is a comment, unless it is an entry.
  const isComment = after.length > 0 && !after.every((part) => isAddressLike(unquoted(part)));
  return trimText(isComment ? before : content);
}

/** A line up to `#`, or `//` after a space, outside quotes. */
function withoutComment(line: string): string {
  let isQuoted = false;
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === '"') isQuoted = !isQuoted;
    const isMark = line[at] === '#' || (line.startsWith('//', at) && /\s/.test(line[at - 1] ?? ''));
    if (isMark && !isQuoted) return line.slice(0, at);
  }
  return line;
}

/** A line without what stands around entries in lists of programs. */
function withoutProgram(content: string): string {
  const plain = content.replace(command, '');
  const inside = plain.startsWith('[') && plain.endsWith(']') ? plain.slice(1, -1) : '';
  return trimText(/[",]/.test(inside) ? inside : plain);
}

/** The head of a table in a comment, as files of abuse.ch have it; null for other lines. The next row decides whether it is one. */
function commentedHead(line: string): TableHead | null {
  if (!line.startsWith('#')) return null;
  const head = headOf(trimText(line.slice(1)));
  return head !== null && head.mark !== null ? head : null;
}

/** The head of a table that names a column of addresses; null for other lines. */
function headOf(content: string): TableHead | null {
  const mark = addressHead.test(content) ? null : markOf(content);
  const cells = addressHead.test(content) ? [content] : cellsOf(content, mark);
  const named = cells.flatMap((cell, index) => (addressHead.test(cell) ? [{ cell, index }] : []));
  // What attacked, and not what was attacked.
  const { index: column = -1 } =
    named.find(({ cell }) => sourceHead.test(cell)) ?? named.find(({ cell }) => !destinationHead.test(cell)) ?? named[0] ?? {};
  if (column === -1 || cells.some((cell) => isAddressLike(cell))) return null;
  return { mark, cells, column, hasLengths: lengthHead.test(cells[column + 1] ?? '') };
}

/** Whether a line is a row of the table, and not a list of addresses below a sentence. */
function isRowOf({ mark, cells, column }: TableHead, content: string): boolean {
  const row = cellsOf(content, mark);
  const isAddress = isAddressLike(row[column] ?? '');
  return isAddress && row.length === cells.length && !row.every((cell) => isAddressLike(cell));
}

/** The address of a JSON object, as files of Spamhaus have one on each line; empty if it has none, and null for other lines. */
function memberOf(content: string): string | null {
  if (!content.startsWith('{')) return null;
  try {
    const row: unknown = JSON.parse(content.replace(/,$/, ''));
    const members = typeof row === 'object' && row !== null ? Object.entries(row) : [];
    const [, value = ''] = members.find(([name]) => addressHead.test(name)) ?? [];
    return typeof value === 'string' ? value : '';
  } catch {
    return null;
  }
}

/** The first comma, semicolon, tab or bar outside quotes; null if there is none, so that white space separates cells. */
function markOf(content: string): string | null {
  let isQuoted = false;
  for (const character of content) {
    if (character === '"') isQuoted = !isQuoted;
    if (!isQuoted && cellMarks.includes(character)) return character;
  }
  return null;
}

/** The cells of a line of a table, without quotes. */
function cellsOf(content: string, mark: string | null): string[] {
  if (mark === null) return content.split(/\s+/).map(unquoted);
  const cells: string[] = [];
  let from = 0;
  let isQuoted = false;
  for (let at = 0; at < content.length; at += 1) {
    if (content[at] === '"') isQuoted = !isQuoted;
    if (content[at] === mark && !isQuoted) {
      cells.push(unquoted(content.slice(from, at)));
      from = at + 1;
    }
  }
  return [...cells, unquoted(content.slice(from))];
}

/** What a line has: the address in the column of its table, all parts if each is like an address, else the first cell or its first word. */
function partsOf(content: string, table: TableHead | null): (ReadEntry & { part?: string })[] {
  if (addressRange.test(content)) return [readBlackListEntry(content)];
  if (table !== null) {
    const cells = rowOf(table, content);
    const cell = cells[table.column] || content;
    const next = cells[table.column + 1] ?? '';
    return [networkInParts([cell, table.hasLengths && /^\d+$/.test(next) ? `/${next}` : next]) ?? readCell(cell)];
  }
  const parts = content
    .split(separators)
    .map(unquoted)
    .filter((part) => part !== '');
  const network = networkInParts(parts);
  if (network !== null) return [network];
  if (parts.length > 1 && parts.every((part) => isAddressLike(part)))
    return parts.map((part) => {
      const read = readBlackListEntry(part);
      return 'entry' in read ? read : { ...read, part };
    });
  const [cell = ''] = cellsOf(content, markOf(content));
  return [readCell(cell)];
}

/** The cells of a row, by the mark of the head unless the row has another one. */
function rowOf({ mark }: TableHead, content: string): string[] {
  const cells = mark === null ? [] : cellsOf(content, mark);
  return cells.length > 1 ? cells : cellsOf(content, markOf(content));
}

/** The address of a cell, which may have words after it. */
function readCell(cell: string): ReadEntry {
  const [word = ''] = cell.split(/\s/);
  return readBlackListEntry(word !== cell && !addressRange.test(cell) && isAddressLike(word) ? word : cell);
}

/** A network that has its prefix length, mask or last address in the part after its first address; null for other parts. */
function networkInParts([address = '', next = '', last = '']: readonly string[]): ReadEntry | null {
  if (next === '' || !isAddressLike(address)) return null;
  const first = readBlackListEntry(address);
  const length = /^\/\d{1,3}$/.test(next) ? next : next === '/' && /^\d{1,3}$/.test(last) ? `/${last}` : null;
  const bits = length ?? maskLength(next);
  if (!('entry' in first)) return bits === null ? null : first;
  if (bits !== null) {
    if (address.includes('/')) return first;
    const read = readBlackListEntry(`${address}${bits}`);
    const suggestion = 'entry' in read ? read.entry : read.suggestion;
    const written = length === null ? 'mask' : 'prefix length';
    return {
      message: `${address} has its ${written} in another column.${suggestion === null ? '' : ` Write ${suggestion}.`}`,
      suggestion,
    };
  }
  const end = isAddressLike(next) && !next.includes('/') ? readBlackListEntry(next) : null;
  if (end === null || !('entry' in end)) return null;
  const range = readBlackListEntry(`${first.entry}-${end.entry}`);
  // Two neighbours are rather two addresses.
  const isNetwork = 'suggestion' in range && range.suggestion !== null && sizeOf(range.suggestion) > 2n;
  return isNetwork ? range : null;
}

function sizeOf(entry: string): bigint {
  const span = spanOf(entry);
  return lastOf(span) - span.first + 1n;
}

/** The prefix length of a netmask or a wildcard mask as `/24`; null for other texts. */
function maskLength(text: string): string | null {
  if (!/^(?:255|0)(?:\.\d{1,3}){3}$/.test(text) || !ipaddr.IPv4.isValid(text)) return null;
  const mask = ipaddr.IPv4.parse(text);
  const isWildcard = mask.octets[0] === 0;
  const bits = isWildcard ? new ipaddr.IPv4(mask.octets.map((octet) => 255 - octet)) : mask;
  const length = bits.prefixLengthFromSubnetMask();
  return length === null ? null : `/${length}`;
}

function isAddressLike(text: string): boolean {
  if (text.length > maximumAddressCharacters) return false;
  return addressLike.test(text) || ('entry' in readBlackListEntry(text) && /[.:]/.test(text));
}

function unquoted(text: string): string {
  const trimmed = trimText(text);
  const [quote = ''] = trimmed;
  const isInQuotes = trimmed.length > 1 && '"\'`'.includes(quote) && trimmed.endsWith(quote);
  return (isInQuotes ? trimmed.slice(1, -1) : trimmed).replace(scope, '');
}
