import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fieldErrors, hasTooManyKeys } from './field-errors.ts';

const body = z.strictObject({ name: z.string(), keys: z.strictObject({}).optional() });

function errorsOf(input: unknown) {
  const { error } = body.safeParse(input, { reportInput: true });
  return error && fieldErrors(error);
}

describe('unknown keys (api 0.4)', () => {
  it.each(['constructor', 'toString', 'hasOwnProperty', 'valueOf', 'then'])(
    'are reported even if every object inherits them: %s',
    (key) => {
      expect(errorsOf({ name: 'a', [key]: 1 })).toEqual({ shape: { [key]: ['Unknown field.'] }, value: {} });
      expect(errorsOf({ [key]: 1, keys: { [key]: 1 } })?.shape).toEqual({
        name: ['The name field is required.'],
        [key]: ['Unknown field.'],
        [`keys.${key}`]: ['Unknown field.'],
      });
    },
  );

  it('[DATA-006] are named up to 20 of an object, and all messages up to 100', () => {
    const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));
    const shape = errorsOf({ name: 'a', ...keys(25), keys: keys(22) })?.shape ?? {};
    expect(Object.keys(shape)).toHaveLength(42);
    expect(shape).toMatchObject({ k19: ['Unknown field.'], body: ['5 more unknown fields.'], keys: ['2 more unknown fields.'] });
    const { error } = z
      .strictObject({ list: z.array(z.object({ a: z.string() })) })
      .safeParse({ list: Array.from({ length: 300 }, () => ({})) }, { reportInput: true });
    const all = error && fieldErrors(error).shape;
    expect(Object.keys(all ?? {})).toHaveLength(100);
    expect(all).toMatchObject({ 'list.98.a': expect.anything(), body: ['201 more errors.'] });
  });

  it('[API-089] are cut at 64 characters, and so are the keys of records', () => {
    const [long, cut] = ['k'.repeat(200), 'k'.repeat(64)];
    expect(errorsOf({ name: 'a', [long]: 1 })?.shape).toEqual({ [cut]: ['Unknown field.'] });
    const { error } = z.record(z.string(), z.string()).safeParse({ [long]: 1 }, { reportInput: true });
    expect(error && fieldErrors(error).shape).toEqual({ [cut]: [`The ${cut} field must be of type string.`] });
  });

  it('[DATA-006] are not looked at in an object of more than 1,000, except in data', () => {
    const keys = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`k${index}`, 1]));
    expect([keys, [{ a: keys }], { k: 1, list: [1, null, 'x'] }].map((value) => hasTooManyKeys(value))).toEqual([true, true, false]);
    expect(hasTooManyKeys({ file: new Uint8Array(2000) })).toBe(false);
    expect(hasTooManyKeys({ data: keys, other: 1 }, (key) => key === 'data')).toBe(false);
  });

  it('[DATA-005] are reported whatever their name', () => {
    const unknown = fc.oneof(fc.string(), fc.constant('__proto__')).filter((key) => !['name', 'keys'].includes(key));
    fc.assert(
      fc.property(unknown, (key) => {
        expect(
          Object.entries(
            errorsOf(
              Object.fromEntries([
                ['name', 'a'],
                [key, 1],
              ]),
            )?.shape ?? {},
          ),
        ).toEqual([[key, ['Unknown field.']]]);
      }),
    );
  });
});
