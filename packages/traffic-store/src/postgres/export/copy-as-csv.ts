import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Pools } from '../../console-database.ts';
import type { Query } from '../statements.ts';
import { formula, toFile } from '../../csv.ts';

/**
 * A part of an export: its rows in order. No cell is null (COPY would then write empty text as `""`) except the last, `rowEndCell`.
 * A large part takes its order from an index: sorting it would fill the disk.
 */
export type ExportPart = Query & { isLarge: boolean };

/** Parts of a CSV export. */
export type CsvExport = {
  /** The header row; no name needs quotes. */
  columns: readonly string[];
  /** Plans the parts in the transaction of the export: counts are of the same moment as the rows. */
  plan: (client: pg.ClientBase) => Promise<readonly ExportPart[]>;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
};

/**
 * CSV with a header row, of one moment, written by COPY as fast as the client reads. If the database fails, the stream fails and
 * never ends early. A failure before the first row rejects.
 */
export async function copyAsCsv(pools: Pools, request: CsvExport): Promise<Readable> {
  return toFile(copyLines(pools, request));
}

async function* copyLines(pools: Pools, { columns, plan, signal }: CsvExport): AsyncGenerator<Buffer> {
  const header = Buffer.from(`${columns.join(',')}\r\n`);
  signal.throwIfAborted();
  const client = await pools.exports.connect();
  let isWhole = false;
  let cancel: (() => void) | undefined;
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    cancel = () => {
      // A statement that sorts, or waits for a client that has disconnected, reacts to nothing else.
      pools.ui.query('select pg_terminate_backend($1)', [rows[0]?.pid]).catch(() => undefined);
    };
    signal.addEventListener('abort', cancel);
    signal.throwIfAborted();
    await client.query('begin isolation level repeatable read read only');
    // The client decides how long a pause between two statements is.
    await client.query('set local idle_in_transaction_session_timeout = 0');
    // Dates are written in the database's own form.
    await client.query(`set local timezone = 'UTC'; set local datestyle = 'ISO'`);
    let isBegun = false;
    for (const part of await plan(client)) {
      for await (const lines of copyPart(client, part)) {
        yield isBegun ? lines : Buffer.concat([header, lines]);
        isBegun = true;
      }
    }
    if (!isBegun) yield header;
    await client.query('commit');
    isWhole = true;
  } finally {
    if (cancel) signal.removeEventListener('abort', cancel);
    // A connection in the middle of COPY cannot be reused.
    client.release(!isWhole);
  }
}

async function* copyPart(client: pg.PoolClient, part: ExportPart): AsyncGenerator<Buffer> {
  await client.query(`set local enable_sort = ${part.isLarge ? 'off' : 'on'}`);
  const mark = newRowMark();
  const toLines = createLines(mark);
  const rows: AsyncIterable<Buffer> = client.query(copyTo(`copy (${inlineParameters(part)}) to stdout (format csv, null '${mark}')`));
  for await (const chunk of rows) {
    const lines = toLines(chunk);
    if (lines.length > 0) yield lines;
  }
}

/**
 * The query with its parameters written into its text, for COPY, which takes none. This is the only place where values become SQL;
 * text is escaped by the driver. The text of the query contains no `$` except placeholders.
 */
export function inlineParameters({ text, values }: Query): string {
  return text.replaceAll(/\$(\d+)/g, (_placeholder, number: string) => {
    const index = Number(number) - 1;
    if (index < 0 || index >= values.length) throw new Error(`The query has no parameter ${number}`);
    return literal(values[index]);
  });
}

function literal(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number' && Number.isFinite(value)) return `(${value})`;
  if (typeof value === 'string') return escapeText(value);
  if (Array.isArray(value)) return `array[${value.map(literal).join(', ')}]`;
  throw new TypeError(`A ${typeof value} cannot be written into a query`);
}

function escapeText(text: string): string {
  // NUL would end the statement.
  if (text.includes('\0')) throw new TypeError('Text with NUL cannot be written into a query');
  return pg.escapeLiteral(text);
}

const lineEnd = Buffer.from('\r\n');
const quoteMark = Buffer.from('"');
const [quote, comma, semicolon, tab] = [34, 44, 59, 9];

/**
 * The text that COPY writes for null. It is random, so that no cell can contain it, and begins with a character that text hardly
 * ever contains, so that searching for it is fast.
 */
export function newRowMark(): string {
  return `\u001F${randomBytes(12).toString('hex')}`;
}

/**
 * Turns the output of COPY, whose last cell is always the mark, into CSV of RFC 4180: a row ends in CRLF instead of a comma, the mark and LF.
 * Cells with `;` or TAB, at which some programs split cells although the file is separated by commas, get quotes, unless COPY quoted them
 * for another character. Looking for them in SQL would cost the database an eighth of its time for a row. Takes the parts of one output in
 * order; a part may end anywhere, and the beginning of a row is returned with the next part.
 */
export function createLines(mark: string): (part: Buffer) => Buffer {
  const sought = Buffer.from(mark);
  let heldBytes: Buffer = Buffer.alloc(0);

  return (chunk) => {
    const part = heldBytes.length === 0 ? chunk : Buffer.concat([heldBytes, chunk]);
    const unquotedCells = createCellSearch(part);
    // Rows become shorter, unless many of their cells get quotes.
    let lines = Buffer.allocUnsafe(part.length);
    let length = 0;
    const append = (bytes: Buffer, from: number, end: number): void => {
      if (length + end - from > lines.length)
        lines = Buffer.concat([lines.subarray(0, length), Buffer.allocUnsafe(lines.length + end - from)]);
      length += bytes.copy(lines, length, from, end);
    };
    let from = 0;
    let at = part.indexOf(sought);
    while (at !== -1 && at + sought.length < part.length) {
      let copiedUntil = from;
      for (const [start, end] of unquotedCells(from, at - 1)) {
        append(part, copiedUntil, start);
        append(quoteMark, 0, 1);
        append(part, start, end);
        append(quoteMark, 0, 1);
        copiedUntil = end;
      }
      append(part, copiedUntil, at - 1);
      append(lineEnd, 0, lineEnd.length);
      from = at + sought.length + 1;
      at = part.indexOf(sought, from);
    }
    heldBytes = part.subarray(from);
    return lines.subarray(0, length);
  };
}

/** Finds where those cells of a row begin and end that have `;` or TAB without quotes. Takes the rows of a part in order. */
function createCellSearch(part: Buffer): (from: number, end: number) => readonly (readonly [start: number, end: number])[] {
  /** The next `;` and the next TAB of the part. */
  let [nextSemicolon, nextTab] = [-1, -1];
  const nextSeparator = (from: number): number => {
    if (nextSemicolon < from) nextSemicolon = indexOrEnd(part, semicolon, from);
    if (nextTab < from) nextTab = indexOrEnd(part, tab, from);
    return Math.min(nextSemicolon, nextTab);
  };

  return (from, end) => {
    const cells: [number, number][] = [];
    let [scannedUntil, isQuoted] = [from, false];
    for (let at = nextSeparator(from); at < end; at = nextSeparator(scannedUntil)) {
      let nextQuote = indexOrEnd(part, quote, scannedUntil);
      for (; nextQuote < at; nextQuote = indexOrEnd(part, quote, nextQuote + 1)) isQuoted = !isQuoted;
      if (isQuoted) scannedUntil = nextQuote;
      else {
        // A cell without quotes has no comma, and one follows the last cell.
        scannedUntil = indexOrEnd(part, comma, at);
        cells.push([Math.max(part.lastIndexOf(comma, at) + 1, from), scannedUntil]);
      }
    }
    return cells;
  };
}

function indexOrEnd(bytes: Buffer, byte: number, from: number): number {
  const at = bytes.indexOf(byte, from);
  return at === -1 ? bytes.length : at;
}

/**
 * A text cell that no spreadsheet reads as a formula: text that begins with a sign, or with a sign after white space and invisible characters, gets
 * `'`. Nearly every text begins with an ASCII letter or digit, which is checked first.
 */
export function guardedSql(text: string): string {
  return `case when ascii(${text}) between 65 and 126 or ascii(${text}) between 48 and 57 then ${text} else ${guardedSlowly(text)} end`;
}

function guardedSlowly(text: string): string {
  return `case when ${text} <> '' and ${text} ~ '${formula}' then '''' || ${text} else ${text} end`;
}

/** A guarded text; what is missing is an empty cell. */
export function textCell(column: string): string {
  return guardedSql(`coalesce(${column}, '')`);
}

/** The last cell of every row: null, for which COPY writes the mark of a row's end. */
export const rowEndCell = 'null';

/** A cell that cannot begin a formula; what is missing is an empty cell. */
export function safeCell(value: string): string {
  return `coalesce(${value}::text, '')`;
}
