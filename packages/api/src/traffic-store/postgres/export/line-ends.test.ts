import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLineEnds, newRowMark } from './line-ends.ts';

const mark = newRowMark();
// No letter of the mark's own alphabet among them: with its last one the beginning of the mark would be the whole of it.
const field = fc.string({ unit: fc.constantFrom('z', ';', '\t', '"', '\n', '\r', ',', 'é', '\u001F', mark.slice(0, -1), newRowMark()) });

/** As COPY writes records, where `forced` stands behind the text of cells that need quotes for `;` or TAB only. */
function written(records: readonly (readonly string[])[], end: string, forced: string): string {
  const quote = (text: string) => {
    const isForced = /[;\t]/.test(text);
    return isForced || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}${isForced ? forced : ''}"` : text;
  };
  return records.map((record) => `${record.map(quote).join(',')}${end}`).join('');
}

describe('line ends of an export', () => {
  it('[CONST-029] are CRLF between records and untouched inside fields, wherever the parts are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.array(field, { minLength: 1, maxLength: 4 })), fc.array(fc.nat(40)), (records, cuts) => {
        const whole = Buffer.from(written(records, `,${mark}\n`, `${mark}\r`));
        const toLines = createLineEnds(mark);
        const parts: Buffer[] = [];
        let at = 0;
        for (const cut of [...cuts, whole.length]) {
          parts.push(toLines(whole.subarray(at, at + cut)));
          at += cut;
        }
        expect(Buffer.concat(parts).toString()).toBe(written(records, '\r\n', ''));
      }),
    );
  });

  it('[CONST-029] are looked for by another mark in every export, so that nobody can write one into a cell', () => {
    expect(newRowMark()).not.toBe(newRowMark());
    expect(newRowMark()).toHaveLength(25);
  });
});
