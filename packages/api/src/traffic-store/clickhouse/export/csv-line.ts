import { formatMicroseconds } from '@switchyard/contract/dates';
import { formula } from '../../csv.ts';
import { type CellKind, eventFields, exportCells, namesOf, type UnnamedEvent } from '../../event-fields.ts';
import type { Names } from '../read-names.ts';

const startsFormula = new RegExp(formula, 'u');

/** Nearly every text begins with an ASCII letter or digit, which is checked first. */
function guarded(text: string): string {
  const first = text.charCodeAt(0);
  if ((first >= 65 && first <= 126) || (first >= 48 && first <= 57)) return text;
  return startsFormula.test(text) ? `'${text}` : text;
}

/** Some programs split cells at `;` or TAB although the file is separated by commas. */
const needsQuotes = /[",;\t\r\n]/;

function quoted(cell: string): string {
  return needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** How each kind of cell is written; a value that is missing is an empty cell. Objects and lists cannot begin a formula. */
const cellOf: Readonly<Record<CellKind, (value: unknown) => string>> = {
  plain: (value) => (typeof value === 'string' || typeof value === 'number' ? String(value) : ''),
  text: (value) => (typeof value === 'string' ? guarded(value) : ''),
  object: (value) => (value === null || value === undefined ? '' : JSON.stringify(value)),
  json: (value) => (typeof value === 'string' ? guarded(value) : typeof value === 'number' ? guarded(String(value)) : cellOf.object(value)),
  instant: (value) => (typeof value === 'number' ? formatMicroseconds(value) : ''),
};

type ReadCell = (event: UnnamedEvent, names: Names) => string;

const { app_id: appAt, stream_uid: streamAt } = eventFields;

const cells: ReadCell[] = namesOf(exportCells).map((column) => {
  const { from, kind } = exportCells[column];
  if (from === 'app_bundle') return (event, { bundles }) => quoted(cellOf[kind](bundles.get(event[appAt.listedAt])));
  if (from === 'stream_name') {
    return (event, { names }) => quoted(cellOf[kind](names.get(`${event[appAt.listedAt]}/${event[streamAt.listedAt]}`)));
  }
  if (from === 'flags') throw new Error('Lists do not read flags, so exports cannot');
  const { listedAt } = eventFields[from];
  return (event) => quoted(cellOf[kind](event[listedAt]));
});

/** An event as a line of CSV, as the PostgreSQL store writes it. */
export function csvLine(event: UnnamedEvent, names: Names): string {
  let line = '';
  for (const cell of cells) line += line === '' ? cell(event, names) : `,${cell(event, names)}`;
  return `${line}\r\n`;
}
