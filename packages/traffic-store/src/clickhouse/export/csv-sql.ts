import { requestExportColumns } from '@switchyard/contract/requests';
import { formula, guardedText, quotedCell } from '../../csv.ts';
import { exportCells, type ListedColumn, positions } from '../../event-fields.ts';
import { storablePattern, unstorablePattern } from '../../unstorable-text.ts';
import { addedTail, isHarmless, kept, plainCell, plainPieces, plainRows } from './plain-rows.ts';
import type { Names } from '../read-names.ts';
import type { Parameters } from '../statement.ts';

/** Tokens of JSON as `JSON.stringify` writes it: strings, brackets, commas and what lies between them. */
const jsonTokens = String.raw`"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\],]|[^"{}\[\],]+`;

/** The guard's regular expression as RE2 writes it. */
export const engineFormula = formula.replaceAll(/\\u([0-9A-F]{4})/g, String.raw`\x{$1}`);

/** A server takes at most 128 KiB in a parameter; escaping may double the length. */
const mostParameterBytes = 50_000;

/** SQL of an export: the line, and around the events the selection from which the line is made. */
export type CsvSql = { line: string; from: (events: string) => string };

/**
 * SQL of events as lines of CSV but for the line feed, as `csvLine` and the PostgreSQL store write them. `row` is JSON. Most rows are
 * plain, see `plainRows`, and their lines are pieces of it. The others are split into the texts of their values, each of which is
 * written by the rules for cells. The steps are selections of their own because the engine would plan an alias once for each use.
 */
export function csvSql(names: Names, parameters: Parameters): CsvSql {
  const formulaPattern = parameters.add(engineFormula, 'String');
  const tokenPattern = parameters.add(jsonTokens, 'String');
  const escapes = { storable: parameters.add(storablePattern, 'String'), unstorable: parameters.add(unstorablePattern, 'String') };
  const bundles = nameList([...names.bundles].map(([appId, bundle]) => [String(appId), bundle]));
  const streams = nameList([...names.names]);
  const lookUp = (key: string, { keys, cells }: NameList) =>
    `transform(${key}, ${listOf(keys, parameters)}, ${listOf(cells, parameters)}, '')`;
  const namesOf = (app: string, stream: string) => ({
    app_bundle: lookUp(app, bundles),
    stream_name: lookUp(`concat(${app}, ${stream})`, streams),
  });
  const plainNames = namesOf(plainCell('app_id'), `'"', ${plainCell('stream_uid')}, '"'`);
  const splitNames = namesOf(jsonOf('app_id'), jsonOf('stream_uid'));
  const added =
    addedTail === null
      ? []
      : [
          `arrayMap(text -> ${cellSql('text', formulaPattern)},
      arrayMap(json -> ${textSql('json', escapes)}, JSONExtractArrayRaw(concat('[0', ${addedTail})))) as added_cells`,
        ];
  const pieces = addedTail === null ? plainPieces : `${plainPieces}, added_cells`;
  const steps = [
    ...plainRows,
    ...added.map((cells) => `${kept}, row, ${plainPieces}, is_plain, ${cells}`),
    `${kept}, ${pieces}, is_plain, if(is_plain, '[]', row) as split_row, JSONExtractArrayRaw(split_row) as parsed_values`,
    `${kept}, ${pieces}, is_plain,
      if(concat('[', arrayStringConcat(parsed_values, ','), ']') = split_row, parsed_values, ${valuesSql('split_row', tokenPattern)}) as json_values`,
    `${kept}, ${pieces}, is_plain, json_values, arrayMap(json -> ${textSql('json', escapes)}, json_values) as texts`,
    `${kept}, ${pieces}, is_plain, json_values, arrayMap(text -> ${cellSql('text', formulaPattern)}, texts) as cells`,
    `${kept}, is_plain, ${lineOf(plainCell, plainNames)} as plain_line,
      ${lineOf((column) => `cells[${positions[column] + 1}]`, splitNames)} as split_line`,
  ];
  return {
    // An `if` between both would first copy the values of the rows of each.
    line: `concat(substring(plain_line, 1, length(plain_line) * is_plain), substring(split_line, 1, length(split_line) * (1 - is_plain)))`,
    from: (events) => steps.reduce((from, columns) => `(\n  select ${columns} from ${from})`, events),
  };
}

/** Parameters with the patterns of escapes. */
type EscapePatterns = { storable: string; unstorable: string };

/** The line, from the SQL of its cells and names. */
function lineOf(cellOf: (column: ListedColumn) => string, names: Record<'app_bundle' | 'stream_name', string>): string {
  const cells = requestExportColumns.map((column) => {
    const { from, kind } = exportCells[column];
    if (from === 'app_bundle' || from === 'stream_name') return names[from];
    return kind === 'instant' ? `toString(${from})` : cellOf(from);
  });
  return `concat(${cells.join(`, ',', `)}, '\\r')`;
}

/** The JSON of a value. Lists of the engine begin at 1. */
function jsonOf(column: ListedColumn): string {
  return `json_values[${positions[column] + 1}]`;
}

/** The texts of the values of a row, which end at the commas outside of all brackets. */
function valuesSql(row: string, tokenPattern: string): string {
  const tokens = `extractAll(substring(${row}, 2, length(${row}) - 2), ${tokenPattern})`;
  const levels = `arrayCumSum(token -> (token in ('{', '[')) - (token in ('}', ']')), ${tokens})`;
  return `arrayMap(value -> arrayStringConcat(if(value[1] = ',', arraySlice(value, 2), value)),
    arraySplit((token, level) -> token = ',' and level = 0, ${tokens}, ${levels}))`;
}

/** The text of a JSON value; a string is its text, unless its escapes stand for no text, and a value that is missing is empty. */
function textSql(json: string, { storable, unstorable }: EscapePatterns): string {
  return `multiIf(${json} = 'null', '', not startsWith(${json}, '"'), ${json},
      position(${json}, '\\\\') = 0, substring(${json}, 2, length(${json}) - 2),
      match(replaceRegexpAll(${json}, ${storable}, ''), ${unstorable}), ${json}, JSONExtractString(${json}))`;
}

/** The guarded text, in quotes if it needs them. */
function cellSql(text: string, formulaPattern: string): string {
  const quote = `if(match(${text}, '[",;\\\\t\\\\r\\\\n]'), '"', '')`;
  return `concat(${quote}, ${guardSql(text, formulaPattern)}, replaceAll(${text}, '"', '""'), ${quote})`;
}

/**
 * The apostrophe before a text that a spreadsheet may read as a formula. Nearly every text is harmless, which is checked first.
 */
export function guardSql(text: string, formulaPattern: string): string {
  return `if(${isHarmless(text)}, '', if(match(${text}, ${formulaPattern}), '\\'', ''))`;
}

type NameList = { keys: string[]; cells: string[] };

/** Cells of names and where they belong. An empty list has no type, so there is an entry that no event has. */
function nameList(names: readonly (readonly [key: string, name: string])[]): NameList {
  return { keys: ['', ...names.map(([key]) => key)], cells: ['', ...names.map(([, name]) => quotedCell(guardedText(name)))] };
}

/** A list as one or more parameters. */
export function listOf(values: readonly string[], parameters: Parameters): string {
  const parts: string[][] = [];
  let bytes = Infinity;
  for (const value of values) {
    if (bytes > mostParameterBytes) {
      parts.push([]);
      bytes = 0;
    }
    bytes += Buffer.byteLength(value) + 3;
    parts.at(-1)?.push(value);
  }
  const lists = parts.map((part) => parameters.add(part, 'Array(String)'));
  return lists.length === 1 ? lists.join('') : `arrayConcat(${lists.join(', ')})`;
}
