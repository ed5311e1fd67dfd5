import { requestExportColumns } from '@switchyard/contract/requests';
import { formula, guardedText, quotedCell } from '../../csv.ts';
import { exportCells, positions } from '../../event-fields.ts';
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
 * SQL of events as lines of CSV but for the line feed, as `csvLine` and the PostgreSQL store write them. `row` is JSON, which the engine
 * splits into the texts of its values. Its own parser writes some numbers and characters in another form than they are stored in: then,
 * which is rare, the row is split at its commas. Every cell is written by the same rules: what cannot begin a formula needs no
 * exception from the guard. The steps are selections of their own because the engine would plan an alias once for each use.
 */
export function csvSql(names: Names, parameters: Parameters): CsvSql {
  const formulaPattern = parameters.add(engineFormula, 'String');
  const tokenPattern = parameters.add(jsonTokens, 'String');
  const bundles = nameList([...names.bundles].map(([appId, bundle]) => [String(appId), bundle]));
  const streams = nameList([...names.names]);
  const lookUp = (key: string, { keys, cells }: NameList) =>
    `transform(${key}, ${listOf(keys, parameters)}, ${listOf(cells, parameters)}, '')`;
  const cells = requestExportColumns.map((column) => {
    const { from, kind } = exportCells[column];
    if (from === 'app_bundle') return lookUp(jsonOf('app_id'), bundles);
    if (from === 'stream_name') return lookUp(`concat(${jsonOf('app_id')}, ${jsonOf('stream_uid')})`, streams);
    return kind === 'instant' ? `toString(${from})` : `cells[${positions[from] + 1}]`;
  });
  const jsonValues = `if(concat('[', arrayStringConcat(parsed_values, ','), ']') = row, parsed_values, ${valuesSql(tokenPattern)})`;
  const texts = `arrayMap(json -> ${textSql('json')}, json_values)`;
  const cellsOfTexts = `arrayMap(text -> ${cellSql('text', formulaPattern)}, texts)`;
  const kept = 'occurred_at, id, type';
  return {
    line: `concat(${cells.join(`, ',', `)}, '\\r')`,
    from: (events) => `(
  select ${kept}, json_values, ${cellsOfTexts} as cells from (
    select ${kept}, json_values, ${texts} as texts from (
      select ${kept}, ${jsonValues} as json_values from (
        select ${kept}, row, JSONExtractArrayRaw(row) as parsed_values from ${events}))))`,
  };
}

/** The JSON of a value. Lists of the engine begin at 1. */
function jsonOf(column: keyof typeof positions): string {
  return `json_values[${positions[column] + 1}]`;
}

/** The texts of the values of `row`, which end at the commas outside of all brackets. */
function valuesSql(tokenPattern: string): string {
  const tokens = `extractAll(substring(row, 2, length(row) - 2), ${tokenPattern})`;
  const levels = `arrayCumSum(token -> (token in ('{', '[')) - (token in ('}', ']')), ${tokens})`;
  return `arrayMap(value -> arrayStringConcat(if(value[1] = ',', arraySlice(value, 2), value)),
    arraySplit((token, level) -> token = ',' and level = 0, ${tokens}, ${levels}))`;
}

/** The text of a JSON value; a string is its text, and a value that is missing is empty. */
function textSql(json: string): string {
  return `multiIf(${json} = 'null', '', not startsWith(${json}, '"'), ${json},
      position(${json}, '\\\\') = 0, substring(${json}, 2, length(${json}) - 2), JSONExtractString(${json}))`;
}

/** The guarded text, in quotes if it needs them. */
function cellSql(text: string, formulaPattern: string): string {
  const quote = `if(match(${text}, '[",;\\\\t\\\\r\\\\n]'), '"', '')`;
  return `concat(${quote}, ${guardSql(text, formulaPattern)}, replaceAll(${text}, '"', '""'), ${quote})`;
}

/**
 * The apostrophe before a text that a spreadsheet may read as a formula. Nearly every text is empty or begins with an ASCII letter or
 * digit, which is checked first: arithmetic is several times as fast here as `and` and `or`.
 */
export function guardSql(text: string, formulaPattern: string): string {
  const first = `ascii(${text})`;
  const isHarmless = `(${first} = 0) + (${first} > 47) * (${first} < 58) + (${first} > 64) * (${first} < 127) > 0`;
  return `if(${isHarmless}, '', if(match(${text}, ${formulaPattern}), '\\'', ''))`;
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
