import { allRequestsQuery } from '@switchyard/contract/all-requests';
import { appsQuery } from '@switchyard/contract/apps';
import { requestSortKeys, requestTypes } from '@switchyard/contract/requests';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  changeListQuery,
  filterFingerprint,
  hasFilters,
  ignoredParameters,
  parseListQuery,
  writeListQuery,
  type UrlParameters,
} from './list-query.ts';

function toSearch(parameters: UrlParameters): string {
  const search = new URLSearchParams();
  for (const [name, values] of Object.entries(parameters)) for (const value of [values].flat()) search.append(name, value);
  return search.toString();
}

const read = (search: string) => parseListQuery(appsQuery, search);

const anyRequestsState = fc.record(
  {
    search: fc.string({ maxLength: 30 }),
    clientId: fc.string({ minLength: 1, maxLength: 30 }),
    type: fc.uniqueArray(fc.constantFrom(...requestTypes)),
    geo: fc.uniqueArray(fc.constantFrom('DE', 'FR', 'US', 'ru')),
    startDate: fc.constantFrom('2026-11-20', '2026-11-20 10:11:12'),
    emptyPostbacksDomain: fc.constantFrom('1', '0', 'true', 'false'),
    cursor: fc.string({ minLength: 1, maxLength: 30 }),
    limit: fc.integer({ min: -5, max: 500 }).map(String),
    orderBy: fc.constantFrom(...requestSortKeys, 'junk'),
    orderDirection: fc.constantFrom('asc', 'desc', 'sideways'),
  },
  { requiredKeys: [] },
);

const anyAppsState = fc.record(
  {
    search: fc.string({ maxLength: 30 }),
    status: fc.constantFrom('active', 'deleted', 'all', 'junk'),
    isCache: fc.constantFrom('1', '0', 'x'),
    page: fc.oneof(fc.integer({ min: -3, max: 999 }).map(String), fc.string({ maxLength: 4 })),
    limit: fc.constantFrom('20', '50', '100', '200', '7'),
    orderBy: fc.constantFrom('keyId', 'keyName', 'x'),
    orderDirection: fc.constantFrom('asc', 'desc'),
  },
  { requiredKeys: [] },
);

describe('list state in the URL', () => {
  it('writes no default', () => {
    expect(writeListQuery(appsQuery, parseListQuery(appsQuery, ''))).toEqual({});
    expect(writeListQuery(allRequestsQuery, parseListQuery(allRequestsQuery, 'orderBy=concatenated_date&limit=50&search='))).toEqual({});
  });

  it('[MARK-031] names parameters that the list does not have or cannot read, but none of the page around it', () => {
    const ignored = (search: string) => ignoredParameters(allRequestsQuery, search);
    expect(ignored('serach=a&colour[]=red&type[]=nonsense&startDate=yesterday&geo=DE')).toEqual({
      unknown: ['serach', 'colour'],
      unreadable: ['type', 'startDate'],
    });
    expect(ignored('startTabName=Event&view=3&request=7&page=x&limit=9999&search=&chart=requests&run=1')).toEqual({
      unknown: [],
      unreadable: [],
    });
    expect(ignored('__proto__=1&constructor=2').unknown).toEqual(['__proto__', 'constructor']);
    expect(ignored(Array.from({ length: 500 }, (_, at) => `p${at}=1`).join('&')).unknown).toHaveLength(20);
  });

  it('[APPS-008] writes a switched-off Cache toggle as 0', () => {
    expect(writeListQuery(appsQuery, { ...parseListQuery(appsQuery, ''), isCache: false })).toEqual({ isCache: '0' });
  });

  it('reads back what it wrote, for any state of the requests list', () => {
    fc.assert(
      fc.property(anyRequestsState, (state) => {
        const query = parseListQuery(allRequestsQuery, toSearch(state));
        expect(parseListQuery(allRequestsQuery, toSearch(writeListQuery(allRequestsQuery, query)))).toEqual(query);
      }),
    );
  });

  it('reads back what it wrote, for any state of the apps list', () => {
    fc.assert(
      fc.property(anyAppsState, (state) => {
        const query = parseListQuery(appsQuery, toSearch(state));
        expect(parseListQuery(appsQuery, toSearch(writeListQuery(appsQuery, query)))).toEqual(query);
      }),
    );
  });

  it('shows the default for every parameter that is broken and keeps the sound ones', () => {
    fc.assert(
      fc.property(fc.string(), (junk) => {
        const search = toSearch({ status: `!${junk}`, type: [`!${junk}`], search: 'acme' });
        expect(parseListQuery(appsQuery, search)).toEqual({ ...parseListQuery(appsQuery, ''), search: 'acme' });
        expect(parseListQuery(allRequestsQuery, search).type).toBeUndefined();
      }),
    );
  });

  it('[AMB-081, APPS-010] goes back to the first page when a filter, the sort or the page size changes', () => {
    const search = 'page=4&status=all';
    expect(changeListQuery(appsQuery, search, { search: 'acme' })).toEqual({ status: 'all', search: 'acme' });
    expect(changeListQuery(appsQuery, search, { orderBy: 'keyName' })).toEqual({ status: 'all', orderBy: 'keyName' });
    expect(changeListQuery(appsQuery, search, { limit: 50 })).toEqual({ status: 'all', limit: '50' });
    expect(changeListQuery(appsQuery, search, { page: 5 })).toEqual({ status: 'all', page: '5' });
  });

  it('[REQ-029, REQ-030] drops the cursor when the sort or a filter changes', () => {
    const search = 'cursor=abc&type=create';
    expect(changeListQuery(allRequestsQuery, search, { orderBy: 'type' })).toEqual({ type: ['create'], orderBy: 'type' });
    expect(changeListQuery(allRequestsQuery, search, { type: undefined })).toEqual({});
    expect(changeListQuery(allRequestsQuery, search, { cursor: 'def' })).toEqual({ type: ['create'], cursor: 'def' });
  });

  it('never leaves a page or cursor behind, whatever filter changes', () => {
    fc.assert(
      fc.property(anyRequestsState, fc.string({ minLength: 1, maxLength: 20 }), (state, text) => {
        const parameters = changeListQuery(allRequestsQuery, toSearch({ ...state, cursor: 'abc' }), { search: text });
        expect(parameters).not.toHaveProperty('cursor');
      }),
    );
  });

  it('keeps parameters that are not the list’s own', () => {
    expect(changeListQuery(appsQuery, 'startTabName=Event&page=2', { status: 'all' })).toEqual({ startTabName: ['Event'], status: 'all' });
  });

  it('distinguishes filters from the arrangement of the rows', () => {
    expect(hasFilters(appsQuery, read('page=2&limit=50&orderBy=keyName&orderDirection=asc'))).toBe(false);
    expect(hasFilters(appsQuery, read('status=deleted'))).toBe(true);
    expect(filterFingerprint(appsQuery, read('status=all&search=a'))).toBe(
      filterFingerprint(appsQuery, read('search=a&page=3&status=all')),
    );
  });
});
