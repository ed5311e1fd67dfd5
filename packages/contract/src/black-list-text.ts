import { readBlackListEntry } from './black-list-entry.ts';
import { trimText } from './text-fields.ts';

/** Maximum number of lines of an import. */
export const maximumImportLines = 200_000;

/** An entry that a line of a list has, by the number of the line from 1, or why a part of the line is none. `skipped`: the heads of columns. */
export type ListedEntry = { line: number; text: string } & (
  | { entry: string }
  | { message: string; suggestion: string | null }
  | { isSkipped: true }
);

const wholeLineComment = /^(?:#|;|\/\/)/;
const comment = /#.*$|\s\/\/.*$/;
/** In front of an entry in files of ipset and nginx, and in the columns of CrowdSec. */
const command = /^(?:add\s+\S+|deny(?:\s+from)?)\s+/i;
/** The head of a set in files of ipset. */
const setHead = /^create\s+\S+\s+(?:hash|list|bitmap):/i;
const scope = /^(?:ip|range):(?=[\da-f[])/i;
const addressHead =
  /^(?:ips?|cidrs?|networks?|prefix(?:es)?|subnets?|(?:ip|src|source|remote|client)?[ _-]?address(?:es)?|(?:src|source|dst|dest|destination|client)[ _-]?ip|ip[ _-]?prefix|netblock|value)$/i;
const separators = /[\s,;|]+/;
const addressRange = /^[\da-f.:]+\s*-\s*[\da-f.:]+$/i;
const jsonList = /^\[(.*[",].*)\]$/;
/** An address with or without a mistake, so that it is named and not taken for a comment. */
const addressLike = /^\d+(?:\.\d+){3}(?:[:/]\d+)?$|^\[?[\da-f:.]*::[\da-f:.]*\]?(?::\d+)?$/i;

/**
 * Reads the entries of a list as people have them: one on each line or several, comments, or tables whose first column or the one that its
 * head names counts. Lines without an entry are left out, those with a mistake are not.
 */
export function* readBlackListText(text: string): Generator<ListedEntry, void, undefined> {
  let column: number | null = null;
  let isFirst = true;
  let line = 0;
  for (const written of linesOf(text)) {
    line += 1;
    const headColumn = commentedHead(written);
    if (isFirst && headColumn !== null) column = headColumn;
    const content = contentOf(written);
    if (content === '') continue;
    const member = memberOf(content);
    if (member === '' || setHead.test(content)) {
      yield { line, text: written, isSkipped: true };
      continue;
    }
    if (member !== null) {
      yield { line, text: written, ...readBlackListEntry(member) };
      continue;
    }
    const columns = columnsOf(content);
    if (isFirst) {
      isFirst = false;
      const head = columns.some(isAddressLike) ? -1 : columns.findIndex((cell) => addressHead.test(cell));
      if (head !== -1) {
        column = head;
        yield { line, text: written, isSkipped: true };
        continue;
      }
    }
    const parts = column === null ? partsOf(content, columns) : [columns[column] || content];
    for (const part of parts) {
      yield { line, text: written, ...readBlackListEntry(part) };
    }
  }
}

/** The lines of a text, without copying it as a whole. */
export function* linesOf(text: string): Generator<string, void, undefined> {
  let from = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', from)) {
    yield trimText(text.slice(from, at));
    from = at + 1;
  }
  if (from < text.length) yield trimText(text.slice(from));
}

/** A line without its comment, and without what stands around entries in lists of programs. */
function contentOf(line: string): string {
  if (wholeLineComment.test(line) || /^[[\](){},]*$/.test(line)) return '';
  const content = trimText(line.replace(comment, '')).replace(command, '').replace(jsonList, '$1');
  const [before = '', ...after] = content.split(/\s;/);
  // What follows a semicolon after a space is a comment, unless it is an entry.
  const isComment = after.length > 0 && !after.every((part) => isAddressLike(unquoted(part)));
  return trimText(isComment ? before : content);
}

/** The column of addresses that a commented head of a table names, as files of abuse.ch have it; null for other lines. */
function commentedHead(line: string): number | null {
  const columns = line.startsWith('#') && line.includes(',') ? columnsOf(trimText(line.slice(1))) : [];
  const head = columns.findIndex((cell) => addressHead.test(cell));
  return head === -1 || columns.some(isAddressLike) ? null : head;
}

/** The address of a JSON object, as files of Spamhaus have one on each line; empty if it has none, and null for other lines. */
function memberOf(content: string): string | null {
  if (!content.startsWith('{')) return null;
  try {
    const row: unknown = JSON.parse(content.replace(/,$/, ''));
    const members = typeof row === 'object' && row !== null ? Object.entries(row) : [];
    const [, value = ''] = members.find(([name]) => addressHead.test(name)) ?? [];
    return typeof value === 'string' ? value : '';
  } catch {
    return null;
  }
}

/** The cells of a line of a table, without quotes. Commas, semicolons and tabs separate them, else spaces. */
function columnsOf(content: string): string[] {
  const mark = [',', ';', '\t', '|'].find((character) => content.includes(character));
  if (mark === undefined) return content.split(/\s+/).map(unquoted);
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (const character of content) {
    if (character === '"') isQuoted = !isQuoted;
    if (character === mark && !isQuoted) {
      cells.push(unquoted(cell));
      cell = '';
    } else cell += character;
  }
  return [...cells, unquoted(cell)];
}

/** All parts of a line if each of them is an entry, else its first cell. */
function partsOf(content: string, columns: readonly string[]): string[] {
  if (addressRange.test(content)) return [content];
  const parts = content
    .split(separators)
    .map(unquoted)
    .filter((part) => part !== '');
  if (parts.length > 1 && parts.slice(1).every(isAddressLike)) return parts;
  const [first = ''] = columns;
  return [first];
}

function isAddressLike(text: string): boolean {
  return addressLike.test(text) || ('entry' in readBlackListEntry(text) && /[.:]/.test(text));
}

function unquoted(text: string): string {
  return trimText(text)
    .replace(/^(["'`])(.*)\1$/, '$2')
    .replace(scope, '');
}
