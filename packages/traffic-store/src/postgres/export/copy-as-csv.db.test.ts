import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Databases } from '../../../../api/src/database/connect.ts';
import { guardedText } from '../../csv.ts';
import { createLines, guardedSql, inlineParameters, newRowMark } from './copy-as-csv.ts';
import { createTestDatabase } from '../../../../api/test/test-database.ts';

let databases: Databases;

beforeAll(async () => {
  ({ databases } = await createTestDatabase());
});

/** Any text that a caller can send: anything but NUL and halves of surrogate pairs, and above all what means something to SQL. */
const anyText = fc
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
        anyText,
        fc.array(anyText, { maxLength: 4 }),
        fc.integer(),
        fc.array(fc.integer({ min: -1e9, max: 1e9 }), { maxLength: 4 }),
        fc.boolean(),
        async (one, many, whole, numbers, flag) => {
          const query = {
            text: `select $1::text as one, $2::text[] as many, $3::bigint as whole, $4::integer[] as numbers, $1::text = $5::text as same, $6::text as nothing, $7::boolean as flag`,
            values: [one, many, whole, numbers, one, null, flag],
          };
          const inlinedResult = await databases.pools.ui.query(inlineParameters(query));
          expect(inlinedResult.rows).toEqual([{ one, many, whole, numbers, same: true, nothing: null, flag }]);
          expect(inlinedResult.rows).toEqual((await databases.pools.ui.query(query)).rows);
        },
      ),
    );
  });

  it('[API-029] are rejected if they are no text, number, boolean, null or list of these, or hold NUL', () => {
    for (const value of [undefined, Symbol('yes'), {}, Number.NaN, 'a\0b', ['\0']]) {
      expect(() => inlineParameters({ text: 'select $1', values: [value] })).toThrow(TypeError);
    }
    expect(() => inlineParameters({ text: 'select $2', values: ['a'] })).toThrow('parameter 2');
  });
});

describe('the guard against formulas', () => {
  it('[S42] [CONST-029] is one rule in SQL and in JavaScript, whatever a text begins with', async () => {
    const first = Array.from({ length: 0x1_00_00 }, (_, code) => String.fromCodePoint(code)).filter(
      (sign) => sign !== '\0' && sign.isWellFormed(),
    );
    const texts = ['', ...first.flatMap((sign) => [sign, `${sign}=1`, `${sign}\u200B+1`, `${sign}text`])];
    const { rows } = await databases.pools.ops.query<{ cell: string }>(
      `select ${guardedSql('text')} as cell from unnest($1::text[]) with ordinality as given (text, place) order by place`,
      [texts],
    );
    expect(texts.filter((text, at) => rows[at]?.cell !== guardedText(text))).toEqual([]);
    // Nothing but these and what programs skip begins a formula by itself.
    const dangerous = first.filter((sign) => guardedText(sign) !== sign);
    expect(dangerous.join('')).toBe('\t\r+-=@＋－＝＠');
  });
});

const mark = newRowMark();
// No letter of the mark's own alphabet among them: with its last one the beginning of the mark would be the whole of it.
const field = fc.string({ unit: fc.constantFrom('z', ';', '\t', '"', '\n', '\r', ',', 'é', '\u001F', mark.slice(0, -1), newRowMark()) });

function writeCsv(records: readonly (readonly string[])[], needsQuotes: RegExp, end: string): string {
  const quote = (cell: string) => (needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return records.map((record) => `${record.map(quote).join(',')}${end}`).join('');
}

describe('lines of an export', () => {
  it('[CONST-029] end in CRLF, are quoted also for semicolons and TAB, and untouched inside fields, wherever the parts are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.array(field, { minLength: 1, maxLength: 4 })), fc.array(fc.nat(40)), (records, cuts) => {
        // As COPY writes them.
        const whole = Buffer.from(writeCsv(records, /[",\r\n]/, `,${mark}\n`));
        const toLines = createLines(mark);
        const parts: Buffer[] = [];
        let at = 0;
        for (const length of [...cuts, whole.length]) {
          parts.push(toLines(whole.subarray(at, at + length)));
          at += length;
        }
        expect(Buffer.concat(parts).toString()).toBe(writeCsv(records, /[",;\t\r\n]/, '\r\n'));
      }),
      {
        examples: [
          // A row that becomes longer, and a part that ends between a mark and its LF.
          [[Array.from({ length: 40 }, () => ';')], []],
          [[['z'], ['z']], ['z,'.length + mark.length]],
        ],
      },
    );
  });

  it('[CONST-029] are found by another mark in every export, so that nobody can write one into a cell', () => {
    expect(newRowMark()).not.toBe(newRowMark());
    expect(newRowMark()).toHaveLength(25);
  });
});
