import { indentJson, jsonDepth, JsonText, writeExactly } from '@switchyard/contract/exact-json';
import { type JsonBranch, type JsonNode, readNode } from './json-node.ts';

/** JSON reduced to the matches of a search, and the number of matching keys and values. */
export type JsonMatch = { node: JsonNode; count: number };

/**
 * The branches of JSON whose keys or values contain the term (case-insensitive); a branch whose key matches stays whole. Null when
 * nothing matches; an empty term matches everything.
 */
export function searchJson(node: JsonNode, term: string): JsonMatch | null {
  const needle = term.trim().toLowerCase();
  return needle === '' ? { node, count: 0 } : search(node, needle);
}

function search(node: JsonNode, needle: string): JsonMatch | null {
  if (!('members' in node)) return shownText(node.json).toLowerCase().includes(needle) ? { node, count: 1 } : null;
  const matches = node.members.flatMap((member) => {
    const inKey = member.key?.toLowerCase().includes(needle) === true;
    const inValue = search(member.node, needle);
    if (inKey) return [{ ...member, count: 1 + (inValue?.count ?? 0) }];
    return inValue === null ? [] : [{ ...member, ...inValue }];
  });
  if (matches.length === 0) return null;
  return { node: { isList: node.isList, members: matches }, count: matches.reduce((sum, match) => sum + match.count, 0) };
}

/** The text of a string, and other scalars as they are written. */
function shownText(json: string): string {
  return json.startsWith('"') ? String(JSON.parse(json)) : json;
}

/** Deeper JSON is shown as text. */
const deepestTree = 500;

/** A stored body as the panel shows it: a tree and the JSON to copy, or a text. */
export type Body = { tree: JsonBranch; json: string } | { text: string };

/**
 * A stored body as the panel shows it: an object or array as a tree, text that is a JSON object or array as a tree
 * too, everything else as text; null when there is nothing to show.
 */
export function readBody(body: unknown): Body | null {
  if (body === null || body === undefined || body === '') return null;
  const value: unknown = body instanceof JsonText && body.text.startsWith('"') ? body.value : body;
  if (typeof value === 'string') return treeOf(value) ?? { text: value };
  const json = writeExactly(value);
  return treeOf(json) ?? { text: json };
}

function treeOf(text: string): Body | null {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  const node = jsonDepth(text) > deepestTree ? null : readNode(text);
  return node !== null && 'members' in node ? { tree: node, json: indentJson(text, 2) } : null;
}
