import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitColumns, needsCompactForm, type SizedColumn } from './column-widths.ts';

const id: SizedColumn = { id: 'id', width: 60, content: 40, pin: 'start' };
const name: SizedColumn = { id: 'name', width: 160, minWidth: 100, grows: true, content: 200 };
const domain: SizedColumn = { id: 'domain', width: 120, minWidth: 80, grows: true, content: 120 };
const figure: SizedColumn = { id: 'figure', width: 90, content: 110, isFigure: true };
const actions: SizedColumn = { id: 'actions', width: 80, content: 70, pin: 'end' };
const all = [id, name, domain, figure, actions];

describe('widths of columns', () => {
  it.each([
    ['as wide as the content, the rest shared by columns that grow', 700, { id: 40, name: 300, domain: 180, figure: 110, actions: 70 }],
    ['as wide as the content where that fills the table', 540, { id: 40, name: 200, domain: 120, figure: 110, actions: 70 }],
    ['with the widest text cut first', 500, { id: 40, name: 160, domain: 120, figure: 110, actions: 70 }],
    ['with texts at their least, never a number', 400, { id: 40, name: 100, domain: 80, figure: 110, actions: 70 }],
  ])('are %s', (_, room, expected) => {
    expect(fitColumns(all, room)).toEqual(expected);
  });

  it('show whole columns first where the table has to scroll', () => {
    const later = ['a', 'b', 'c'].map((one): SizedColumn => ({ id: one, width: 90, content: 100 }));
    // With all texts at their least, `a` fits and `b` does not; the 30 left over go back to the texts.
    const widths = fitColumns([id, name, domain, ...later, actions], 420);
    expect(widths).toEqual({ id: 40, name: 105, domain: 105, a: 100, b: 100, c: 100, actions: 70 });
  });

  it('keep what a reader chose, but never cut a number', () => {
    const chosenColumns = [{ ...name, chosen: 150 }, domain, { ...figure, chosen: 30 }];
    expect(fitColumns(chosenColumns, 500)).toEqual({ name: 150, domain: 240, figure: 110 });
  });

  it('fill the table exactly where several texts are almost as wide as their content', () => {
    const texts = ['a', 'b', 'c'].map((letter): SizedColumn => ({ id: letter, width: 20, minWidth: 20, content: 420 }));
    expect(fitColumns(texts, 1_259)).toEqual({ a: 420, b: 420, c: 419 });
  });

  it('fill the table exactly whenever they can, and never fall below their least', () => {
    const column = fc.record({
      id: fc.uuid(),
      width: fc.integer({ min: 20, max: 300 }),
      content: fc.integer({ min: 20, max: 900 }),
      grows: fc.boolean(),
      minWidth: fc.option(fc.integer({ min: 20, max: 120 }), { nil: undefined }),
    });
    const columns = fc.uniqueArray(column, { minLength: 1, maxLength: 12, selector: (one) => one.id });
    fc.assert(
      fc.property(columns, fc.integer({ min: 100, max: 3_000 }), (drawnColumns, room) => {
        const sizedColumns = drawnColumns.map(({ minWidth, ...rest }): SizedColumn =>
          minWidth === undefined ? rest : { ...rest, minWidth },
        );
        const widths = fitColumns(sizedColumns, room);
        const least = sizedColumns.map((one) => (one.minWidth === undefined ? (one.content ?? 0) : one.minWidth));
        for (const [at, one] of sizedColumns.entries())
          expect(widths[one.id]).toBeGreaterThanOrEqual(Math.min(least[at] ?? 0, widths[one.id] ?? 0));
        const total = Object.values(widths).reduce((sum, width) => sum + width, 0);
        if (least.reduce((sum, width) => sum + width, 0) <= room) expect(total).toBe(room);
      }),
    );
  });
});

describe('compact figures', () => {
  it('are written only where texts would fall below their comfortable width', () => {
    expect(needsCompactForm(all, 500)).toBe(false);
    expect(needsCompactForm(all, 499)).toBe(true);
    expect(needsCompactForm([id, name, domain], 100)).toBe(false);
  });
});
