import { describe, expect, it } from 'vitest';
import { manyChips, oneChip } from './filter-chip.ts';
import { listView } from './list-view.ts';
import { ariaSort, nextSort } from './sort-order.ts';

describe('sorting by headers', () => {
  it('[WID-009, WID-011] sorts another column descending first', () => {
    expect(nextSort({ orderBy: 'keyId', orderDirection: 'asc' }, 'keyName')).toEqual({ orderBy: 'keyName', orderDirection: 'desc' });
  });

  it('[WID-010, WID-012] turns the direction of the same column round', () => {
    const once = nextSort({ orderBy: 'keyId', orderDirection: 'desc' }, 'keyId');
    expect(once).toEqual({ orderBy: 'keyId', orderDirection: 'asc' });
    expect(nextSort(once, 'keyId')).toEqual({ orderBy: 'keyId', orderDirection: 'desc' });
  });

  it('tells assistive technology the sort', () => {
    expect(ariaSort({ orderBy: 'id', orderDirection: 'asc' }, 'id')).toBe('ascending');
    expect(ariaSort({ orderBy: 'id', orderDirection: 'desc' }, 'id')).toBe('descending');
    expect(ariaSort({ orderBy: 'id', orderDirection: 'desc' }, 'type')).toBe('none');
  });
});

describe('state of a list', () => {
  const calm = { pending: false, failure: null, rowCount: 0, total: 0, filtered: false } as const;

  it.each([
    ['loading', { ...calm, pending: true, rowCount: null }],
    ['rows', { ...calm, rowCount: 3, total: 3 }],
    ['empty', calm],
    ['nothing-found', { ...calm, filtered: true }],
    ['past-end', { ...calm, total: 41 }],
    ['failed', { ...calm, failure: 503, rowCount: null }],
    ['failed', { ...calm, failure: 0, rowCount: null }],
    ['forbidden', { ...calm, failure: 403, rowCount: null }],
  ])('is %s', (view, situation) => {
    expect(listView(situation)).toBe(view);
  });

  it('keeps the rows in view when a reload fails, but not when access is gone', () => {
    expect(listView({ ...calm, failure: 500, rowCount: 3 })).toBe('rows');
    expect(listView({ ...calm, failure: 403, rowCount: 3 })).toBe('forbidden');
  });
});

describe('filter chips', () => {
  it('gives one chip for one value and none without', () => {
    expect(oneChip('Search', 'acme', { search: undefined })).toEqual([
      { key: 'Search', name: 'Search', value: 'acme', removal: { search: undefined } },
    ]);
    expect(oneChip('Search', undefined, {})).toEqual([]);
  });

  it('removes one value at a time', () => {
    const chips = manyChips('Type', ['create', 'error'], (type) => ({ type }));
    expect(chips.map((chip) => chip.removal)).toEqual([{ type: ['error'] }, { type: ['create'] }]);
    expect(manyChips('Type', ['create'], (type) => ({ type }))[0]?.removal).toEqual({ type: undefined });
  });
});
