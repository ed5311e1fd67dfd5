import { describe, expect, expectTypeOf, it } from 'vitest';
import { manyFilter, searchFilter } from './filter-fields.tsx';
import { filterChips, type Filter, type Filters } from './filter.ts';
import { nextSort } from './list-query.ts';
import { listView } from './list-view.ts';

describe('sorting by headers', () => {
  it('[WID-009, WID-011] sorts another column descending first', () => {
    expect(nextSort({ orderBy: 'keyId', orderDirection: 'asc' }, 'keyName')).toEqual({ orderBy: 'keyName', orderDirection: 'desc' });
  });

  it('[WID-010, WID-012] turns the direction of the same column round', () => {
    const once = nextSort({ orderBy: 'keyId', orderDirection: 'desc' }, 'keyId');
    expect(once).toEqual({ orderBy: 'keyId', orderDirection: 'asc' });
    expect(nextSort(once, 'keyId')).toEqual({ orderBy: 'keyId', orderDirection: 'desc' });
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

  it('keeps the rows in view when a reload fails, but not when access was lost', () => {
    expect(listView({ ...calm, failure: 500, rowCount: 3 })).toBe('rows');
    expect(listView({ ...calm, failure: 403, rowCount: 3 })).toBe('forbidden');
  });
});

type Query = { page: number; search?: string | undefined; type?: ('create' | 'error')[] | undefined; isCache: boolean };

const filters: Filters<Query> = {
  search: searchFilter({ placeholder: 'Name' }),
  type: manyFilter({ label: 'Type', width: 100, options: [{ value: 'error', name: 'Error' }] }),
  isCache: { chips: () => [{ name: 'Statistics', value: 'live' }] },
};

describe('filter chips', () => {
  const chips = (query: Query) => filterChips(filters, query, { page: 1, isCache: true });

  it('are shown for filters that differ from their default', () => {
    expect(chips({ page: 7, isCache: true })).toEqual([]);
    expect(chips({ page: 7, search: 'acme', isCache: false }).map(({ name, value, removal }) => ({ name, value, removal }))).toEqual([
      { name: 'Search', value: 'acme', removal: { search: undefined } },
      { name: 'Statistics', value: 'live', removal: { isCache: true } },
    ]);
  });

  it('remove one value at a time and are distinguished', () => {
    const both = chips({ page: 1, type: ['create', 'error'], isCache: true });
    expect(both.map(({ value, removal }) => [value, removal])).toEqual([
      ['create', { type: ['error'] }],
      ['Error', { type: ['create'] }],
    ]);
    expect(new Set(both.map(({ key }) => key)).size).toBe(2);
    expect(chips({ page: 1, type: ['error'], isCache: true })[0]?.removal).toEqual({ type: undefined });
  });

  it('are missing for no parameter that chooses rows, or the list does not compile', () => {
    expectTypeOf<Omit<typeof filters, 'type'>>().not.toExtend<Filters<Query>>();
    expectTypeOf<{ name: string }>().not.toExtend<Filter<string>>();
    expectTypeOf<keyof Filters<Query>>().toEqualTypeOf<'search' | 'type' | 'isCache'>();
  });
});
