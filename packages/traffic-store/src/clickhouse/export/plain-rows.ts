import { requestExportColumns } from '@switchyard/contract/requests';
import { exportCells, type Field, type ListedColumn, listedFields, positions } from '../../event-fields.ts';

/** Columns by which exports are in order. */
export const kept = 'occurred_at, id, type';

/** Fields before the user agent are numbers and texts, and none of them is null. */
const leading = listedFields.slice(0, positions.user_agent);
const numberKinds: ReadonlySet<string> = new Set(['id', 'app', 'instant']);
const isText = ({ kind }: Field): boolean => !numberKinds.has(kind);
const texts = leading.filter(isText);
/** Texts that may hold any character. */
const freeTexts = leading.filter(({ kind }) => kind === 'text').map(({ name }) => name);
/** The JSON behind the user agent. Fields behind it were added later. */
const bodies: readonly ListedColumn[] = listedFields.slice(positions.user_agent + 1, positions.additional_data + 1).map(({ name }) => name);

/** Number of pieces of a row around the quotes of its texts; the last one is the rest. */
const lastPiece = texts.length * 2 + 1;
export const pieceSettings = 'splitby_max_substrings_includes_remaining_string = 1';

const exportedFields: ReadonlySet<string> = new Set(requestExportColumns.map((column) => exportCells[column].from));
/** The JSON behind the bodies, with the fields that were added later; null if exports have none of them. */
export const addedTail = listedFields.slice(positions.additional_data + 1).some(({ name }) => exportedFields.has(name))
  ? `tail${bodies.length}`
  : null;

/** Pieces of a plain row. */
export const plainPieces = ['pieces', 'agent', ...bodies, ...(addedTail === null ? [] : [addedTail])].join(', ');

/**
 * Steps from `row` to its pieces, and whether they are its values: `is_plain`. A row is plain if its texts have no escape, no formula and,
 * but for the user agent, nothing that needs quotes, and if its bodies are objects or null. Splitting JSON costs the engine several
 * times as much as these searches, which guess where a body ends: before the next `,{` or `,null`. The parser confirms it, given a key
 * before each body: a guess inside a text would end that text, one inside a list would put the key into the list, and inside an object
 * no value follows a comma.
 */
export const plainRows: readonly string[] = [
  `${kept}, row, splitByChar('"', row, ${lastPiece}) as pieces`,
  `${kept}, row, pieces, pieces[${lastPiece}] as rest, startsWith(rest, ',"') as has_agent, if(has_agent, position(rest, '"', 3), 5) as agent_end`,
  `${kept}, row, pieces, has_agent + startsWith(rest, ',null,') > 0 as is_complete, if(has_agent, substring(rest, 3, agent_end - 3), '') as agent,
    substring(rest, agent_end + 2) as tail0, length(row) - length(tail0) as texts_end`,
  ...bodies.map((body, index) => {
    const isLast = index === bodies.length - 1;
    const tail = `tail${index}`;
    const end = `if(startsWith(${tail}, 'null'), 4, ${isLast ? lastBraceSql(tail) : `least(${cutSql(tail, '},{')}, ${cutSql(tail, '},null')}) + 1`})`;
    const earlier = ['pieces', 'is_complete', 'agent', 'texts_end', ...bodies.slice(0, index)].join(', ');
    return `${kept}, row, ${earlier}, ${end} as end, substring(${tail}, 1, end) as ${body}, substring(${tail}, end + ${isLast ? 1 : 2}) as tail${index + 1}`;
  }),
  `${kept}, row, ${plainPieces}, ${isPlainSql()} as is_plain`,
];

/** Characters before the end of a body by a guess; the greatest number if there is none. */
function cutSql(text: string, end: string): string {
  return `toUInt64(position(${text}, '${end}') - 1)`;
}

/** The place of the last brace: fields behind the bodies have none. */
function lastBraceSql(text: string): string {
  return `length(${text}) - position(reverse(${text}), '}') + 1`;
}

function isPlainSql(): string {
  const escape = `position(row, '\\\\')`;
  const freeText = `concat(${freeTexts.map(plainCell).join(', ')})`;
  const values = bodies.map((body, index) => `'${index === 0 ? '{' : ','}"${index}":', ${body}`);
  const conditions = [
    'is_complete',
    `(${escape} = 0) + (${escape} > texts_end) > 0`,
    ...[...freeTexts.map(plainCell), 'agent'].map(isHarmless),
    `position(${freeText}, ',') + position(${freeText}, ';') = 0`,
    `isValidJSON(concat(${values.join(', ')}, ',"":[0', tail${bodies.length}, '}'))`,
  ];
  return `${conditions.map((condition) => `(${condition})`).join(' * ')} > 0`;
}

/** SQL of the cell of a column in a plain row. `added_cells` are those of `addedTail`, with one before them. */
export function plainCell(column: ListedColumn): string {
  if (column === 'user_agent') return quotedSql('agent', `position(agent, ',') + position(agent, ';') > 0`);
  if (bodies.includes(column))
    return quotedSql(`if(${column} = 'null', '', replaceAll(${column}, '"', '""'))`, `length(${column}) > length('null')`);
  if (positions[column] > positions.additional_data) return `added_cells[${positions[column] - positions.additional_data + 1}]`;
  const before = leading.slice(0, positions[column]).filter(isText).length;
  const piece = `pieces[${before * 2 + 1}]`;
  return texts.some(({ name }) => name === column) ? `pieces[${before * 2 + 2}]` : `substring(${piece}, 2, length(${piece}) - 2)`;
}

function quotedSql(text: string, needsQuotes: string): string {
  const quote = `if(${needsQuotes}, '"', '')`;
  return `concat(${quote}, ${text}, ${quote})`;
}

/** SQL of whether a text is empty or begins with an ASCII letter or digit or the like. Arithmetic is several times as fast here as `and` and `or`. */
export function isHarmless(text: string): string {
  const first = `ascii(${text})`;
  return `(${first} = 0) + (${first} > 47) * (${first} < 58) + (${first} > 64) * (${first} < 127) > 0`;
}
