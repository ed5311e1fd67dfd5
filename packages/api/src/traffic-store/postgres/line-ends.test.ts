import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLineEnds } from './line-ends.ts';

const field = fc.string({ unit: fc.constantFrom('a', '"', '\n', '\r', ',', 'é') });

function written(records: readonly (readonly string[])[], end: string): string {
  const quote = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return records.map((record) => `${record.map(quote).join(',')}${end}`).join('');
}

describe('line ends of an export', () => {
  it('[CONST-029] are CRLF between records and untouched inside fields, wherever the parts are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.array(field, { minLength: 1, maxLength: 4 })), fc.array(fc.nat(9)), (records, cuts) => {
        const whole = Buffer.from(written(records, '\n'));
        const toLines = createLineEnds();
        const parts: Buffer[] = [];
        let at = 0;
        for (const cut of [...cuts, whole.length]) {
          parts.push(toLines(whole.subarray(at, at + cut)));
          at += cut;
        }
        expect(Buffer.concat(parts).toString()).toBe(written(records, '\r\n'));
      }),
    );
  });
});
