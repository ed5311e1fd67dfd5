import { formatMicroseconds } from '@switchyard/contract/dates';
import { guardedText, quotedCell } from '../../csv.ts';
import { positions, type CellKind, exportCells, namesOf, type UnnamedEvent } from '../../event-fields.ts';
import type { Names } from '../read-names.ts';

/** How each kind of cell is written; a value that is missing is an empty cell. Objects and lists cannot begin a formula. */
const cellOf: Readonly<Record<CellKind, (value: unknown) => string>> = {
  plain: (value) => (typeof value === 'string' || typeof value === 'number' ? String(value) : ''),
  text: (value) => (typeof value === 'string' ? guardedText(value) : ''),
  object: (value) => (value === null || value === undefined ? '' : JSON.stringify(value)),
  json: (value) =>
    typeof value === 'string' ? guardedText(value) : typeof value === 'number' ? guardedText(String(value)) : cellOf.object(value),
  instant: (value) => (typeof value === 'number' ? formatMicroseconds(value) : ''),
};

type ReadCell = (event: UnnamedEvent, names: Names) => string;

const cells: ReadCell[] = namesOf(exportCells).map((column) => {
  const { from, kind } = exportCells[column];
  if (from === 'app_bundle') return (event, { bundles }) => quotedCell(cellOf[kind](bundles.get(event[positions.app_id])));
  if (from === 'stream_name') {
    return (event, { names }) => quotedCell(cellOf[kind](names.get(`${event[positions.app_id]}/${event[positions.stream_uid]}`)));
  }
  if (from === 'flags') throw new Error('Lists do not read flags, so exports cannot');
  return (event) => quotedCell(cellOf[kind](event[positions[from]]));
});

/** An event as a line of CSV, as the PostgreSQL store writes it. */
export function csvLine(event: UnnamedEvent, names: Names): string {
  let line = '';
  for (const cell of cells) line += line === '' ? cell(event, names) : `,${cell(event, names)}`;
  return `${line}\r\n`;
}
