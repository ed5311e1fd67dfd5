import { Readable } from 'node:stream';

/** White space and invisible characters before a sign, which programs skip: controls, spaces, formats such as zero-width ones and BOM. */
const skippedCharacters =
  '\\u0001-\\u0020\\u007F-\\u00A0\\u00AD\\u0600-\\u0605\\u061C\\u06DD\\u070F\\u1680\\u180E\\u2000-\\u200F\\u2028-\\u202F\\u205F-\\u206F\\u3000\\uFEFF\\uFFF9-\\uFFFB';

/**
 * Text that a spreadsheet may read as a formula: it begins with a sign, or with a sign after white space and invisible characters; signs have full-width
 * forms, and a TAB or CR at the beginning counts as one. A regular expression that JavaScript and PostgreSQL read alike.
 */
export const formula = `^([\\t\\r]|[${skippedCharacters}]*[-=+@\\uFF0B\\uFF0D\\uFF1D\\uFF20])`;

const startsFormula = new RegExp(formula, 'u');

/** A text that no spreadsheet reads as a formula. Nearly every text begins with an ASCII letter or digit, which is checked first. */
export function guardedText(text: string): string {
  const first = text.charCodeAt(0);
  if ((first >= 65 && first <= 126) || (first >= 48 && first <= 57)) return text;
  return startsFormula.test(text) ? `'${text}` : text;
}

/** How the texts of a file are written: `guardedText`, or `markedText`. */
export type WriteText = (text: string) => string;

/** A text for `readCells`, which tells it from a number by its mark. */
export function markedText(text: string): string {
  return `'${text}`;
}

/** Some programs split cells at `;` or TAB although the file is separated by commas. */
const needsQuotes = /[",;\t\r\n]/;

/** A cell in quotes, if it needs them. */
export function quotedCell(cell: string): string {
  return needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** A line of cells. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quotedCell).join(',')}\r\n`;
}

/** Whether a cell is a number that a workbook keeps: a whole one or an amount of at most 15 digits, or a quotient as JavaScript writes it. */
function isNumber(cell: string): boolean {
  return (
    /^-?(0|[1-9]\d{0,9})(\.\d{1,5})?$|^-?[1-9]\d{0,14}$/.test(cell) ||
    (/^-?\d+(\.\d{6,}|(\.\d+)?e-?\d+)$/.test(cell) && String(Number(cell)) === cell)
  );
}

/** The cells of lines that were written as here with marked texts: numbers that workbooks keep, and texts. */
export function readCells(text: string): (string | number)[][] {
  const records: (string | number)[][] = [];
  let record: (string | number)[] = [];
  for (const [, quoted, plain = '', end = ''] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/gy)) {
    if (end === '' && record.length === 0 && quoted === undefined && plain === '') break;
    const cell = quoted?.replaceAll('""', '"') ?? plain;
    if (cell.startsWith("'")) record.push(cell.slice(1));
    else record.push(isNumber(cell) ? Number(cell) : cell);
    if (end === ',') continue;
    records.push(record);
    record = [];
  }
  return records;
}

/** A file as a stream that begins with its first lines: a failure before them rejects, a later one fails the stream. */
export async function toFile(lines: AsyncGenerator<Buffer>): Promise<Readable> {
  const first = await lines.next();
  const all = async function* (): AsyncGenerator<Buffer> {
    if (first.done !== true) yield first.value;
    yield* lines;
  };
  // As objects the parts are passed on as they are. A stream of bytes reads ahead and copies them together.
  return Readable.from(all(), { objectMode: true });
}
