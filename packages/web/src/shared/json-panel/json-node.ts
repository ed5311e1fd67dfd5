import { jsonTokens } from '@switchyard/contract/exact-json';

/** A list or an object with its members in their order, repeated keys included. Elements of a list have no key. */
export type JsonBranch = {
  readonly isList: boolean;
  /** `place` is that among the members, which alone tells repeated keys apart. */
  readonly members: readonly { readonly place: number; readonly key: string | null; readonly node: JsonNode }[];
};

/** A part of JSON: a branch, or a scalar as it is written. */
export type JsonNode = JsonBranch | { readonly json: string };

/** Reads valid JSON without recursion, so any depth is safe. */
export function readNode(text: string): JsonNode {
  type Open = { isList: boolean; members: JsonBranch['members'][number][]; key: string | null };
  const root: Open = { isList: true, members: [], key: null };
  const open: Open[] = [root];
  const tokens = jsonTokens(text);
  for (const [index, token] of tokens.entries()) {
    const branch = open.at(-1) ?? root;
    if (token === '{' || token === '[') open.push({ isList: token === '[', members: [], key: null });
    else if (token === '}' || token === ']') {
      open.pop();
      const parent = open.at(-1) ?? root;
      parent.members.push({ place: parent.members.length, key: parent.key, node: { isList: branch.isList, members: branch.members } });
    } else if (tokens[index + 1] === ':') branch.key = String(JSON.parse(token));
    else if (token !== ',' && token !== ':') branch.members.push({ place: branch.members.length, key: branch.key, node: { json: token } });
  }
  return root.members[0]?.node ?? { json: text };
}
