import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCsvRowCounter } from './download-center.ts';

function count(parts: readonly Uint8Array[]): number {
  const countRows = createCsvRowCounter();
  let rows = 0;
  for (const part of parts) rows = countRows(part);
  return rows;
}

describe('rows of a CSV (RFC 4180)', () => {
  it('are counted whatever the cells hold and however the bytes are cut', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\r', '\n', '\r\n', 'ё', '🚂') });
    const rowsOf = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }));
    fc.assert(
      fc.property(rowsOf, fc.array(fc.nat({ max: 400 })), (rows, cuts) => {
        const lines = [['id', 'text'], ...rows].map((row) => `${row.map((value) => `"${value.replaceAll('"', '""')}"`).join(',')}\r\n`);
        const bytes = new TextEncoder().encode(lines.join(''));
        const ends = [...cuts.toSorted((a, b) => a - b), bytes.length];
        expect(count(ends.map((end, index) => bytes.slice(ends[index - 1] ?? 0, end)))).toBe(rows.length);
      }),
    );
  });

  it('are none before the header has come', () => {
    expect(count([])).toBe(0);
    expect(count([new TextEncoder().encode('id,uu')])).toBe(0);
  });
});
