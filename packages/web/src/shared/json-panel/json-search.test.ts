import { JsonText } from '@switchyard/contract/exact-json';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonNode, readNode } from './json-node.ts';
import { readBody, searchJson } from './json-search.ts';

function write(node: JsonNode): string {
  if (!('members' in node)) return node.json;
  const members = node.members.map((member) => `${member.key === null ? '' : `${JSON.stringify(member.key)}:`}${write(member.node)}`);
  return node.isList ? `[${members.join(',')}]` : `{${members.join(',')}}`;
}

function find(json: string, term: string): [json: string, count: number] | null {
  const match = searchJson(readNode(json), term);
  return match && [write(match.node), match.count];
}

describe('search in a JSON tree', () => {
  it('keeps the branches with a match in a key or a value', () => {
    const json = '{"gaid":"7c1e","device":{"model":"Pixel 9","os":"Android"},"list":[1,{"os":"x"}]}';
    expect(find(json, 'OS')).toEqual(['{"device":{"os":"Android"},"list":[{"os":"x"}]}', 2]);
    expect(find(json, 'pixel')).toEqual(['{"device":{"model":"Pixel 9"}}', 1]);
    expect(find(json, 'device')).toEqual(['{"device":{"model":"Pixel 9","os":"Android"}}', 1]);
    expect(find(json, 'nowhere')).toBeNull();
  });

  it('[DATA-101] finds digits and repeated keys as they were written', () => {
    expect(find('{"fb_id":12345678901234567890,"dup":1,"dup":19.90}', '901234567890')).toEqual(['{"fb_id":12345678901234567890}', 1]);
    expect(find('{"dup":1,"dup":19.90}', 'dup')).toEqual(['{"dup":1,"dup":19.90}', 2]);
    expect(find(String.raw`{"slash":"a\/b"}`, 'A/B')).toEqual([String.raw`{"slash":"a\/b"}`, 1]);
  });

  it('keeps everything for an empty term and nothing that does not match', () => {
    fc.assert(
      fc.property(fc.json(), fc.string({ minLength: 1, maxLength: 3 }), (text, term) => {
        const node = readNode(text);
        expect(searchJson(node, '')?.node).toBe(node);
        const match = searchJson(node, term);
        if (match === null || term.trim() === '') return;
        expect(match.count).toBeGreaterThan(0);
        expect(searchJson(match.node, term)?.count).toBe(match.count);
      }),
    );
  });

  it('survives keys that mean something to JavaScript', () => {
    expect(find('{"__proto__":{"polluted":"yes"}}', 'polluted')).toEqual(['{"__proto__":{"polluted":"yes"}}', 1]);
  });
});

describe('stored bodies', () => {
  it('[AMB-144, DATA-101] shows JSON as a tree, and other text as text', () => {
    const tree = (body: unknown) => {
      const shown = readBody(body);
      return shown !== null && 'tree' in shown ? write(shown.tree) : shown;
    };
    expect(tree('{"a":1.0}')).toBe('{"a":1.0}');
    expect(tree([1])).toBe('[1]');
    expect(tree(new JsonText('{"a":1,"a":1E400}'))).toBe('{"a":1,"a":1E400}');
    expect(readBody(new JsonText('19.90'))).toEqual({ text: '19.90' });
    expect(readBody(new JsonText(String.raw`"a\/b"`))).toEqual({ text: 'a/b' });
    expect(readBody('plain')).toEqual({ text: 'plain' });
    expect(readBody('{broken')).toEqual({ text: '{broken' });
    expect(readBody('['.repeat(20_000) + ']'.repeat(20_000))).toMatchObject({ text: expect.any(String) });
    expect(readBody(12)).toEqual({ text: '12' });
    expect(readBody('')).toBeNull();
    expect(readBody(null)).toBeNull();
  });
});
