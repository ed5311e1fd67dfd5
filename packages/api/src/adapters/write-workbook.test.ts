import exceljs from 'exceljs';
import fc from 'fast-check';
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { writeWorkbook } from './write-workbook.ts';

const folder = mkdtempSync(join(tmpdir(), 'switchyard-workbook-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const saved = join(folder, 'log.xlsx');

/** An independent reader of archives and of XML; prints the names of the sheets and their cells. */
const readBook = `
import json, sys, zipfile, xml.etree.ElementTree as tree
book = zipfile.ZipFile(sys.argv[1])
assert book.testzip() is None
space = '{http://schemas.openxmlformats.org/spreadsheetml/2006/main}'
link = '{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id'
targets = {one.get('Id'): one.get('Target') for one in tree.fromstring(book.read('xl/_rels/workbook.xml.rels'))}
sheets = []
for sheet in tree.fromstring(book.read('xl/workbook.xml')).iter(space + 'sheet'):
    rows = tree.fromstring(book.read('xl/' + targets[sheet.get(link)])).iter(space + 'row')
    sheets.append([sheet.get('name'), [[[cell.get('t'), ''.join(cell.itertext())] for cell in row] for row in rows]])
print(json.dumps(sheets))
`;
type Sheet = [name: string, rows: [type: string, text: string][][]];

async function all(parts: AsyncIterable<Buffer>): Promise<Buffer> {
  const taken: Buffer[] = [];
  for await (const part of parts) taken.push(part);
  return Buffer.concat(taken);
}

async function save(rows: readonly (readonly string[])[], sheetRows?: number): Promise<void> {
  async function* given() {
    yield* rows;
  }
  const limits = sheetRows === undefined ? {} : { sheetRows };
  writeFileSync(saved, await all(writeWorkbook({ name: 'log', header: ['header'], rows: given(), ...limits })));
}

async function read(rows: readonly (readonly string[])[], sheetRows?: number): Promise<Sheet[]> {
  await save(rows, sheetRows);
  return JSON.parse(execFileSync('python3', ['-c', readBook, saved], { encoding: 'utf8', maxBuffer: 100_000_000 }));
}
/** Decodes the texts of a cell as ECMA-376 part 1, 22.9.2.19 says. ExcelJS does so only in the table of shared texts. */
const decode = (text: string) => text.replaceAll(/_x([\da-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** Rows of the file as ExcelJS gives them, with empty places where it does not find a cell. */
async function readWithExcelJs(): Promise<unknown[][]> {
  const book = new exceljs.Workbook();
  await book.xlsx.readFile(saved);
  const rows: unknown[][] = [];
  book.worksheets[0]?.eachRow((row) => rows.push([...(Array.isArray(row.values) ? row.values : [])]));
  return rows;
}

async function streamWithExcelJs(): Promise<unknown[][]> {
  const rows: unknown[][] = [];
  for await (const sheet of new exceljs.stream.xlsx.WorkbookReader(saved, {})) {
    for await (const row of sheet) rows.push([...(Array.isArray(row.values) ? row.values : [])]);
  }
  return rows;
}
const textsOf = (sheets: Sheet[]) => sheets.map(([name, rows]) => [name, rows.map((cells) => cells.map(([, text]) => text).join())]);

it('[SCHED-122] names columns beyond Z, and writes numbers as numbers', async () => {
  const cells = Array.from({ length: 704 }, (_, index) => index + 0.5);
  async function* rows() {
    yield cells;
  }
  writeFileSync(saved, await all(writeWorkbook({ name: 'report', header: ['header'], rows: rows() })));
  expect((await readWithExcelJs())[1]?.slice(1)).toEqual(cells);
});

describe('the workbook of a log (O21, api 0.8)', () => {
  it('[LOG-029] goes on in a further sheet with its own header where one is full', async () => {
    const rows = ['a', 'b', 'c', 'd', 'e'].map((text) => [text]);
    expect(textsOf(await read(rows, 3))).toEqual([
      ['log', ['header', 'a', 'b']],
      ['log 2', ['header', 'c', 'd']],
      ['log 3', ['header', 'e']],
    ]);
    expect(textsOf(await read(rows.slice(0, 4), 3))).toHaveLength(2);
    expect(textsOf(await read([]))).toEqual([['log', ['header']]]);
  });

  /** Rows that a reader without support for one of them would change. */
  const strangeRows = [['literal _x0041_ and _x005F_, _x00e9_x0041_', '{"a":"_x000D_"}', 'last'], ['=1+1', 'a\rb\r\nc'], ['_x']];

  it('[LOG-032] is the same for ExcelJS, its stream reader, and readers that decode _xHHHH_', async () => {
    await save(strangeRows);
    for (const rows of [await readWithExcelJs(), await streamWithExcelJs()]) {
      const texts = rows.map((cells) => cells.slice(1).map((cell) => decode(String(cell))));
      expect(texts).toEqual([['header'], ...strangeRows]);
    }
    const [[, [, first]] = ['', []]] = await read(strangeRows);
    expect(first?.[0]?.[1]).toBe('literal _x005F_x0041_ and _x005F_x005F_, _x005F_x00e9_x005F_x0041_');
  });

  it.runIf(spawnSync('xlsx2csv', ['--version']).error === undefined)('[LOG-032] is the same for xlsx2csv', async () => {
    await save(strangeRows);
    const csv = execFileSync('xlsx2csv', ['--quoting', 'all', saved], { encoding: 'utf8' });
    const quoted = [['header'], ...strangeRows].map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join());
    expect(decode(csv)).toBe(`${quoted.join('\n')}\n`);
  });

  it('[LOG-032] keeps every character, also those that XML does not allow, and cuts no character in two', async () => {
    const unit = fc.constantFrom(
      '_',
      'x',
      '_x0041',
      '_x005F_',
      '0',
      'a',
      '\0',
      '\b',
      '\u001B',
      '\v',
      '\u007F',
      '\u0085',
      '\u0091',
      '\uFFFE',
      '\uFFFF',
      '\r',
      '\n',
      '😀',
    );
    const texts = fc.sample(fc.string({ unit, minLength: 1, maxLength: 8 }), { numRuns: 1000, seed: 5 });
    const [[, [, ...rows]] = ['', []]] = await read(texts.map((text) => [text]));
    expect(rows.map(([cell]) => decode(cell?.[1] ?? ''))).toEqual(texts);
    const [[, [, long]] = ['', []]] = await read([[`${'x'.repeat(32_760)}😀`.padEnd(40_000)]]);
    expect(long?.[0]?.[1]).toBe(`${'x'.repeat(32_760)}…[cut]`);
  });

  it('holds every text as text: formulas, marks of XML, control characters, and what is too long for a cell cut', async () => {
    const [sheet] = await read([['=1+1'], ['<&">\t\u0001é😀\uD800'], ['x'.repeat(40_000)], ['😀'.repeat(16_384)]]);
    const cells = sheet?.[1].map(([cell]) => cell) ?? [];
    expect(new Set(cells.map((cell) => cell?.[0]))).toEqual(new Set(['inlineStr']));
    expect(cells.slice(1, 3).map((cell) => cell?.[1])).toEqual(['=1+1', '<&">\t_x0001_é😀\uFFFD']);
    for (const cell of cells.slice(3)) {
      expect(cell?.[1].length).toBeLessThanOrEqual(32_767);
      expect(cell?.[1]).toMatch(/…\[cut\]$/);
    }
  });

  it('reads no further than its reader and stops its source when the reader leaves or the source fails', async () => {
    let taken = 0;
    let isClosed = false;
    async function* endless() {
      try {
        for (;;) {
          taken += 1;
          yield [randomBytes(1000).toString('hex')];
        }
      } finally {
        isClosed = true;
      }
    }
    const book = writeWorkbook({ name: 'log', header: ['header'], rows: endless() });
    for (let pieces = 0; pieces < 5; pieces += 1) await book.next();
    expect(taken).toBeLessThan(1000);
    await book.return(undefined);
    expect(isClosed).toBe(true);

    async function* broken() {
      yield ['a'];
      throw new Error('the file went away');
    }
    await expect(all(writeWorkbook({ name: 'log', header: ['header'], rows: broken() }))).rejects.toThrow('the file went away');
  });
});
