import { cutText } from '@switchyard/contract/text-fields';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { constants } from 'node:zlib';
import { ZipFile } from 'yazl';

type Cells = readonly (string | number)[];

/** A file of the archive, generated while it is written. */
type Part = { name: string; text: AsyncIterable<string> | Iterable<string> };

/** Limits of the format. */
const rowsPerSheet = 1_048_576;
const cellCharacters = 32_767;
const cutMark = '…[cut]';
/** Sheets end before a file of the archive could reach 4 GiB. */
const sheetCharacters = 1_200_000_000;

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const namespace = 'http://schemas.openxmlformats.org';
const officeTypes = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/**
 * Streams a workbook of texts and numbers with bounded memory. Every sheet begins with the header; a full sheet is followed by
 * `log 2`, `log 3` and so on. Texts have the type text, so none becomes a formula.
 */
export function writeWorkbook({
  name,
  header,
  rows,
  sheetRows = rowsPerSheet,
}: {
  name: string;
  header: readonly string[];
  rows: AsyncIterable<Cells>;
  /** Rows of a sheet with its header. */
  sheetRows?: number;
}): AsyncGenerator<Buffer> {
  return zip(partsOf(name, header, rows[Symbol.asyncIterator](), sheetRows));
}

async function* partsOf(name: string, header: readonly string[], rows: AsyncIterator<Cells>, sheetRows: number): AsyncGenerator<Part> {
  let sheets = 0;
  let next = await rows.next();

  async function* sheet(): AsyncGenerator<string> {
    let text = `${head}<worksheet xmlns="${namespace}/spreadsheetml/2006/main"><sheetData>${rowOf(1, header)}`;
    let characters = 0;
    for (let count = 1; next.done !== true && count < sheetRows && characters < sheetCharacters; count += 1) {
      text += rowOf(count + 1, next.value);
      next = await rows.next();
      if (text.length < 65_536) continue;
      characters += text.length;
      yield text;
      text = '';
    }
    yield `${text}</sheetData></worksheet>`;
  }

  try {
    do {
      sheets += 1;
      yield { name: `xl/worksheets/sheet${sheets}.xml`, text: sheet() };
    } while (next.done !== true);
    const numbers = Array.from({ length: sheets }, (_, index) => index + 1);
    for (const [part, text] of Object.entries(frame(name, numbers))) yield { name: part, text: [head + text] };
  } finally {
    await rows.return?.();
  }
}

/** Streams a ZIP archive. Asks for the next part only when the previous one is written. */
async function* zip(parts: AsyncIterable<Part>): AsyncGenerator<Buffer> {
  const archive = new ZipFile();
  // The types promise less than the PassThrough that it is.
  const output = archive.outputStream;
  if (!(output instanceof Readable)) throw new TypeError('yazl: the output is no stream of Node');
  const inputs = new Set<Readable>();
  async function feed(): Promise<void> {
    for await (const { name, text } of parts) {
      const input = Readable.from(text, { objectMode: false });
      inputs.add(input);
      // Speed over size: somebody waits for the file. The date is the earliest that the format knows.
      archive.addReadStream(input, name, { mtime: new Date(1980, 0, 1), compressionLevel: constants.Z_BEST_SPEED });
      await finished(input);
      inputs.delete(input);
    }
    archive.end();
  }
  // The failed input is reported by `feed` too.
  archive.on('error', () => undefined);
  const feeding = feed().catch((error: unknown) => output.destroy(error instanceof Error ? error : new Error(String(error))));
  try {
    for await (const piece of output) if (Buffer.isBuffer(piece)) yield piece;
  } finally {
    for (const input of inputs) input.destroy();
    await feeding;
  }
}

/** The parts that connect the sheets (ECMA-376 part 1). */
function frame(name: string, sheets: readonly number[]): Record<string, string> {
  const relations = `${namespace}/officeDocument/2006/relationships`;
  const packaged = `${namespace}/package/2006`;
  const types = sheets.map((n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${officeTypes}.worksheet+xml"/>`);
  const entries = sheets.map((n) => `<sheet name="${escape(n === 1 ? name : `${name} ${n}`)}" sheetId="${n}" r:id="rId${n}"/>`);
  const links = sheets.map((n) => `<Relationship Id="rId${n}" Type="${relations}/worksheet" Target="worksheets/sheet${n}.xml"/>`);
  return {
    '[Content_Types].xml': `<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${officeTypes}.sheet.main+xml"/>${types.join('')}</Types>`,
    '_rels/.rels': `<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${namespace}/spreadsheetml/2006/main" xmlns:r="${relations}"><sheets>${entries.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packaged}/relationships">${links.join('')}</Relationships>`,
  };
}

/** Several readers, among them ExcelJS and Gnumeric, need the references (`r`) that the format leaves optional. */
function rowOf(number: number, cells: Cells): string {
  const written = cells.map((cell, index) => {
    const place = `<c r="${columnName(index)}${number}"`;
    if (typeof cell === 'number') return `${place}><v>${cell}</v></c>`;
    return `${place} t="inlineStr"><is><t xml:space="preserve">${escape(cut(cell))}</t></is></c>`;
  });
  return `<row r="${number}">${written.join('')}</row>`;
}

/** The letters of a column: `A` to `Z`, then `AA`. */
function columnName(index: number): string {
  const letter = String.fromCodePoint(65 + (index % 26));
  return index < 26 ? letter : `${columnName(Math.floor(index / 26) - 1)}${letter}`;
}

function cut(text: string): string {
  return text.length <= cellCharacters ? text : cutText(text, cellCharacters - cutMark.length) + cutMark;
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#13;' };

/**
 * XML 1.0 does not allow most control characters (2.2), and its readers change a bare carriage return (2.11). Readers of workbooks
 * decode `_xHHHH_` (ECMA-376 part 1, 22.9.2.19), which stands for such a character, and for an underscore where the text itself, or with
 * the code of the next character, would be decoded.
 */
function escape(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(codedCharacter, (sign) => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
    .replaceAll(/[&<>"\r]/g, (sign) => escapes[sign] ?? '');
}

const codedCharacter =
  /[\uFFFE\uFFFF]|[^\P{Cc}\t\n\r\u007F-\u009F]|_(?=[xX][\dA-Fa-f]{4}(?:[_\uFFFE\uFFFF]|[^\P{Cc}\t\n\r\u007F-\u009F]))/gu;
