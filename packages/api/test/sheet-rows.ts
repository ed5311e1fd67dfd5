import { execFileSync } from 'node:child_process';
import { z } from 'zod';

/** The texts of the cells of a workbook, read by another reader of archives and XML. */
export function sheetRows(workbook: Buffer): string[][] {
  return z.array(z.array(z.string())).parse(JSON.parse(execFileSync('python3', ['-c', readSheet], { input: workbook, encoding: 'utf8' })));
}

const readSheet = `
import io, json, sys, zipfile, xml.etree.ElementTree as tree
book = zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read()))
assert book.testzip() is None
space = '{http://schemas.openxmlformats.org/spreadsheetml/2006/main}'
rows = tree.fromstring(book.read('xl/worksheets/sheet1.xml')).iter(space + 'row')
print(json.dumps([[''.join(cell.itertext()) for cell in row] for row in rows]))
`;
