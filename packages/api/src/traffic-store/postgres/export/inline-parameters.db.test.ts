import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../../../test/test-database.ts';
import type { Databases } from '../../../database/connect.ts';
import { inlineParameters } from './inline-parameters.ts';

let databases: Databases;

beforeAll(async () => {
  ({ databases } = await createTestDatabase());
});

/** What a caller can send: anything but NUL and halves of surrogate pairs, and above all what means something to SQL. */
const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom("'", "''", '\\', "\\'", '$1', '$$', 'E', ';--', '/*', '"', '%s', '\n', '\r', '𝄞', '?'),
    ),
  )
  .map((parts) => parts.join('').replaceAll('\0', '').toWellFormed());

describe('parameters written into a query', () => {
  it('[API-029, API-084] mean what the same parameters mean beside it', async () => {
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.array(text, { maxLength: 4 }),
        fc.integer(),
        fc.array(fc.integer({ min: -1e9, max: 1e9 }), { maxLength: 4 }),
        fc.boolean(),
        async (one, many, whole, numbers, flag) => {
          const query = {
            text: `select $1::text as one, $2::text[] as many, $3::bigint as whole, $4::integer[] as numbers, $1::text = $5::text as same, $6::text as nothing, $7::boolean as flag`,
            values: [one, many, whole, numbers, one, null, flag],
          };
          const inlined = await databases.pools.ui.query(inlineParameters(query));
          expect(inlined.rows).toEqual([{ one, many, whole, numbers, same: true, nothing: null, flag }]);
          expect(inlined.rows).toEqual((await databases.pools.ui.query(query)).rows);
        },
      ),
    );
  });

  it('[API-029] are refused when they are no text, number, boolean, null or list of these, or hold NUL', () => {
    for (const value of [undefined, Symbol('yes'), {}, Number.NaN, 'a\0b', ['\0']]) {
      expect(() => inlineParameters({ text: 'select $1', values: [value] })).toThrow(TypeError);
    }
    expect(() => inlineParameters({ text: 'select $2', values: ['a'] })).toThrow('parameter 2');
  });
});
