import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRequestJson } from './read-request-json.ts';

const value = (data: unknown) => ({ data, isBodyRequest: false });

describe('input of the developer page', () => {
  it('[DEV-013] is any JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 4 }), (json, indent) => {
        const request = readRequestJson(JSON.stringify({ value: json }, null, indent));
        expect(request).toEqual(value(JSON.parse(JSON.stringify({ value: json }))));
      }),
    );
    for (const scalar of ['0', 'false', 'null', '""', '[]', '{}']) expect(readRequestJson(scalar)).toEqual(value(JSON.parse(scalar)));
  });

  it('[DEV-013, AMB-157] may have a comma before a closing bracket and at its end, and none of its texts is touched', () => {
    expect(readRequestJson('{"a": 1,}')).toEqual(value({ a: 1 }));
    expect(readRequestJson(' {"a": [1, {"b": 2 ,\n } ,\t], },\n ')).toEqual(value({ a: [1, { b: 2 }] }));
    expect(readRequestJson('{"a": ",}", "b,]": "\\",]",}')).toEqual(value({ a: ',}', 'b,]': '",]' }));
    fc.assert(
      fc.property(fc.array(fc.string()), (list) => {
        const text = JSON.stringify({ list }).slice(0, -2);
        expect(readRequestJson(`${text}${list.length === 0 ? '' : ','}],},`)).toEqual(value({ list }));
      }),
    );
  });

  it.each(['', ' ', ',', '{', '{"a": 1,,}', '[1,,]', '{"a" 1}', "{'a': 1}", '{"a": "', '{"a": ",}', 'undefined', '{} {}', '{"a": "\\'])(
    '[DEV-013, DEV-015] has a message where it is no JSON: %j',
    (typedText) => {
      const request = readRequestJson(typedText);
      expect('message' in request ? request.message : '').toMatch(/JSON/);
    },
  );

  it('[DEV-013] names the position in the input', () => {
    const request = readRequestJson('{"a": [1,], x}');
    expect('message' in request && request.message).toContain('position 12');
  });

  it('[DEV-014] is its body_request where it has one', () => {
    expect(readRequestJson('{"id": 4, "body_request": {"gaid": "7c1e",},}')).toEqual({ data: { gaid: '7c1e' }, isBodyRequest: true });
    for (const own of [null, false, 0, '', 'text', [1]])
      expect(readRequestJson(JSON.stringify({ body_request: own }))).toEqual({ data: own, isBodyRequest: true });
    expect(readRequestJson('{"a": {"body_request": 1}}')).toEqual(value({ a: { body_request: 1 } }));
    expect(readRequestJson('[{"body_request": 1}]')).toEqual(value([{ body_request: 1 }]));
    expect(readRequestJson('"body_request"')).toEqual(value('body_request'));
  });

  it('[DEV-013] says of what is too much what the server would say', () => {
    expect(readRequestJson(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).toEqual({ message: 'The data field is nested too deeply.' });
    expect(readRequestJson(JSON.stringify('x'.repeat(10_485_760)))).toEqual({ message: 'The data field is too large.' });
    expect(readRequestJson('['.repeat(100_000))).toHaveProperty('message');
  });

  it('[DEV-013] takes any text in the time that its length allows', () => {
    const startedAt = performance.now();
    for (const part of [',', '",', '\\"', ', \n', '"\\']) readRequestJson(part.repeat(200_000));
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('"', ',', '\\', '{', '}', '[', ']', ' ', '1') }),
        (typedText) => void readRequestJson(typedText),
      ),
    );
  });
});
