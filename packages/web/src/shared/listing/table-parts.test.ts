import { cursorForm, pageForm } from '@switchyard/contract/envelope';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnTitle, sortKeyOf, type ListColumn } from './list-column.ts';
import { rangeText } from './list-footer.tsx';
import { rowByKey } from './use-row-focus.ts';
import { heightBelow } from './use-table-height.ts';

const column: ListColumn<unknown> = { id: 'name', cellName: 'Name', width: 100, cell: () => null };

describe('height of the table', () => {
  it('[WID-055, CONST-018] is what is left of the window less 36, at least 300', () => {
    expect(heightBelow(200, 900)).toBe(664);
    expect(heightBelow(563, 900)).toBe(301);
    expect(heightBelow(564, 900)).toBe(300);
    expect(heightBelow(700, 900)).toBe(300);
  });
});

describe('headers', () => {
  it('[WID-006, WID-007, WID-008] sort only with a key, and not when it is switched off', () => {
    expect(sortKeyOf(column)).toBeNull();
    expect(sortKeyOf({ ...column, cellNameOrderAble: 'keyName' })).toBe('keyName');
    expect(sortKeyOf({ ...column, cellNameOrderAble: 'keyName', isOrderAble: false })).toBeNull();
    expect(columnTitle({ ...column, title: 'Full name' })).toBe('Full name');
    expect(columnTitle(column)).toBe('Name');
  });
});

describe('keys that move between rows', () => {
  it('never leaves the rows, whatever key is pressed', () => {
    const keys = fc.constantFrom('ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End');
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.array(keys, { maxLength: 30 }), (count, pressedKeys) => {
        const end = pressedKeys.reduce((at, key) => rowByKey(key, at, count) ?? -1, 0);
        expect(end).toBeGreaterThanOrEqual(0);
        expect(end).toBeLessThan(count);
      }),
    );
    expect(rowByKey('x', 3, 10)).toBeNull();
    expect(rowByKey('End', 3, 10)).toBe(9);
    expect(rowByKey('PageUp', 25, 50)).toBe(15);
  });
});

describe('which rows are shown', () => {
  const digits = (text: string) => text.replaceAll(/[^\d–a-z ]/g, '');

  it('shows the place among all rows, or how many there are', () => {
    expect(digits(rangeText(pageForm({ total: 1_234, count: 20, limit: 20, page: 2 })))).toBe('21–40 of 1234');
    expect(rangeText(pageForm({ total: 0, count: 0, limit: 20, page: 1 }))).toBe('0 of 0');
    expect(rangeText(cursorForm({ count: 1, limit: 50, previous: null, next: null }))).toBe('1 row');
    expect(rangeText(cursorForm({ count: 50, limit: 50, previous: null, next: 'x' }))).toBe('50 rows');
  });

  it('covers every row exactly once over all pages', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.constantFrom(18, 20, 50, 100, 200), (total, limit) => {
        const pages = Math.ceil(total / limit);
        const texts = Array.from({ length: pages }, (_, at) =>
          rangeText(pageForm({ total, count: Math.min(limit, total - at * limit), limit, page: at + 1 })),
        );
        const edges = texts.map((text) => text.split(' ')[0]?.split('–').map(Number) ?? []);
        expect(edges[0]?.[0]).toBe(1);
        expect(edges.at(-1)?.[1]).toBe(total);
        expect(edges.slice(1).every(([first], at) => first === (edges[at]?.[1] ?? 0) + 1)).toBe(true);
      }),
    );
  });
});
