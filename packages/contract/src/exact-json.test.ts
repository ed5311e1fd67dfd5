import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryJsonText } from '../../api/test/arbitrary-json-text.ts';
import { compactJson, exactJson, indentJson, jsonDepth, jsonMembers, JsonText, parseExactly, writeExactly } from './exact-json.ts';

const isData = (key: string): boolean => key === 'body';

describe('exact JSON', () => {
  it('[DATA-001] writes any text as it was read, up to white space, and finds it among other keys', () => {
    fc.assert(
      fc.property(arbitraryJsonText, ({ text, compact }) => {
        expect(writeExactly(exactJson(text))).toBe(compact);
        expect(writeExactly(parseExactly(`{"rows":[ {"n":1.0,"body":${text},"end":"}"} ]}`, isData))).toBe(
          `{"rows":[{"n":1,"body":${compact},"end":"}"}]}`,
        );
        expect(compactJson(text)).toBe(compact);
        expect(compactJson(indentJson(text, 2))).toBe(compact);
      }),
    );
  });

  it('[DATA-001] reads what JavaScript holds exactly as a plain value, and writes it as JSON.stringify does', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(0, 2), (text, indent) => {
        const plain: unknown = JSON.parse(text);
        const json = JSON.stringify(plain);
        expect(exactJson(json)).toEqual(plain);
        expect(writeExactly({ list: [new JsonText(json)] }, indent)).toBe(JSON.stringify({ list: [plain] }, null, indent));
      }),
    );
    for (const text of ['{"1":1,"a":"é"}', '[0.1,1e+21,-1.5]', '{ "a" : [ ] }']) expect(exactJson(text)).not.toBeInstanceOf(JsonText);
    for (const text of ['1.0', '{"a":1,"1":1}', '{"a":1,"a":1}', String.raw`"\/"`]) expect(exactJson(text)).toBeInstanceOf(JsonText);
    // A look at the text decides, which must miss none of these.
    const numbers = ['1.10', '-0', '1e5', '-1.5E-3', '12345678901234567', '0.0000001', '1.00'].map((text) => `{"a":[ ${text}\t]}`);
    const keys = ['{"a" :1,"b":2,"b":3}', '{"a":":","a":1}', '{"b":{"c":1,"2":3}}', '[{"a":1},{"a"\n:1,"a":1}]'];
    for (const text of [...numbers, ...keys, String.raw`["\u0041"]`]) expect(exactJson(text)).toBeInstanceOf(JsonText);
    for (const text of ['{"a": 1, "b": [0.000001, 123456789012345, -0.5]}', String.raw`["\"a\": 1.0", "1.0"]`])
      expect(exactJson(text)).toEqual(JSON.parse(text));
  });

  it('[DATA-001] lists members in their order, repeated keys included', () => {
    expect(jsonMembers(String.raw` { "10" : 1.0 , "b":[ 2, "]" ], "\u0062":{} } `)).toEqual({
      isList: false,
      list: [
        { key: '10', text: '1.0' },
        { key: 'b', text: '[ 2, "]" ]' },
        { key: 'b', text: '{}' },
      ],
    });
    expect(jsonMembers('[1E2,"\\""]')?.list.map(({ text }) => text)).toEqual(['1E2', '"\\""']);
    expect(jsonMembers('12')).toBeNull();
    expect(['1', '[]', '{"a":[{"[":1}]}'].map(jsonDepth)).toEqual([0, 1, 3]);
  });

  it('[DATA-001] reads keys such as __proto__ as data, and text of any depth', () => {
    const parsed = parseExactly('{"__proto__":{"x":1},"body":{"__proto__":1.0}}', isData);
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
    expect(writeExactly(parsed)).toBe('{"__proto__":{"x":1},"body":{"__proto__":1.0}}');
    const deep = `{"body":${'['.repeat(100_000)}1.0${']'.repeat(100_000)}}`;
    expect(writeExactly(parseExactly(deep, isData))).toBe(deep);
    expect(() => exactJson('{"a":}')).toThrow(SyntaxError);
  });
});
