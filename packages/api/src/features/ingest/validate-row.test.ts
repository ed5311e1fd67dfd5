import { JsonText } from '@switchyard/contract/exact-json';
import * as ingest from '@switchyard/contract/ingest';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { validateSize } from './validate-row.ts';

describe('the size of a JSON value', () => {
  it('[API-003] is too large exactly if its JSON has more bytes', () => {
    // Characters with the longest escapes and the most bytes.
    const longest = fc.string({ unit: fc.constantFrom('\0', '"', '\uD800', '€') });
    const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), longest, fc.array(longest), fc.dictionary(longest, longest));
    fc.assert(
      fc.property(value, fc.integer({ min: 0, max: 120 }), (any, most) => {
        const bytes = Buffer.byteLength(JSON.stringify(any));
        const isSized = typeof any === 'object' ? any !== null : typeof any === 'string';
        expect(validateSize(any, most)).toBe(isSized && bytes > most ? 'tooLarge' : null);
      }),
    );
  });

  it('[DATA-003] is too deep beyond 500 levels, in lists and in objects', () => {
    const nested = (levels: number, wrap: (inner: unknown) => unknown) =>
      Array.from({ length: levels }).reduce((inner: unknown) => wrap(inner), 1);
    for (const wrap of [(inner: unknown) => [inner], (inner: unknown) => ({ inner })]) {
      const [some, more] = [nested(500, wrap), nested(501, wrap)];
      expect([some, new JsonText(JSON.stringify(some))].map((value) => validateSize(value))).toEqual([null, null]);
      expect([more, new JsonText(JSON.stringify(more))].map((value) => validateSize(value))).toEqual(['tooDeep', 'tooDeep']);
    }
  });
});

describe('compiled schemas of rows', () => {
  const text = fc.constantFrom(
    '',
    'x',
    'create',
    'de',
    'CF L1',
    '2026-11-20T10:11:12Z',
    'x'.repeat(300),
    '0198c0de-0000-7000-8000-0000000000AB',
  );
  const value = fc.oneof(text, fc.constantFrom<unknown>(null, true, 1, 1.5, [], ['CF', 'CF'], {}, { message: 'm' }));

  it.each([
    ['events', ingest.ingestedEvent, { type: 'create', date: '2026-11-20T10:11:12Z', ip: '203.0.113.9' }],
    ['pushes', ingest.ingestedPush, { push_id: 'p', send_at: '2026-11-20T10:11:12Z' }],
    ['conversions', ingest.ingestedConversion, {}],
  ])('[API-003] read %s as the schemas do, valid or not', (_, schema, least) => {
    const compiled = z.compile(schema, { strict: true });
    const fields = Object.fromEntries(Object.keys(schema.shape).map((key) => [key, value]));
    fc.assert(
      fc.property(fc.record({ ...fields, unknown: value }, { requiredKeys: [] }), (row) => {
        for (const sent of [row, { ...row, ...least }, { ...least, ...row, unknown: undefined }, least]) {
          const [expected, result] = [schema, compiled].map((either) => either.safeParse(sent, { reportInput: true }));
          expect(result?.data).toEqual(expected?.data);
          expect(result?.error?.issues).toEqual(expected?.error?.issues);
        }
      }),
    );
  });
});
