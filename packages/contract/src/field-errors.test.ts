import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fieldErrors } from './field-errors.ts';

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

  it('are reported whatever their name', () => {
    const unknown = fc.string().filter((key) => !['name', 'keys', '__proto__'].includes(key));
    fc.assert(
      fc.property(unknown, (key) => {
        expect(Object.entries(errorsOf({ name: 'a', [key]: 1 })?.shape ?? {})).toEqual([[key, ['Unknown field.']]]);
      }),
    );
  });
});
