import { allRequestsQuery } from '@switchyard/contract/all-requests';
import { appsQuery } from '@switchyard/contract/apps';
import { requestSortKeys, requestTypes } from '@switchyard/contract/requests';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringifySearch } from '../../search-codec.ts';
import { parseListQuery } from '../list-query.ts';
import { captureQuery, keepUnfiltered, knownQuery, plainAddress, readListAddress, unknownParameters, viewAddress } from './view-address.ts';
import { captureColumns, unknownColumns } from './view-columns.ts';

const anyAddress = fc
  .record(
    {
      search: fc.string({ maxLength: 30 }),
      clientId: fc.string({ minLength: 1, maxLength: 30 }),
      type: fc.uniqueArray(fc.constantFrom(...requestTypes)),
      geo: fc.uniqueArray(fc.constantFrom('DE', 'FR', 'ru', 'Germany')),
      streamUid: fc.uniqueArray(fc.string({ maxLength: 12 })),
      startDate: fc.constantFrom('2026-11-20', '2026-11-20 10:11:12', 'soon'),
      emptyPostbacksDomain: fc.constantFrom('1', '0', 'x'),
      cursor: fc.string({ minLength: 1, maxLength: 30 }),
      limit: fc.integer({ min: -5, max: 500 }).map(String),
      orderBy: fc.constantFrom(...requestSortKeys, 'junk'),
      orderDirection: fc.constantFrom('asc', 'desc', 'sideways'),
      startTabName: fc.constantFrom('Event', 'Push'),
      request: fc.constantFrom('7'),
      view: fc.constantFrom('3', 'none', 'x'),
      junk: fc.string({ maxLength: 5 }),
    },
    { requiredKeys: [] },
  )
  .map(stringifySearch);

const capture = (address: string): string => captureQuery(allRequestsQuery, parseListQuery(allRequestsQuery, address));

const declaredColumns = [{ id: 'name', isFixed: true }, { id: 'ip' }, { id: 'date' }, { id: 'asn', isOptional: true }] as const;
const ids = fc.uniqueArray(fc.constantFrom('name', 'ip', 'date', 'asn', 'gone', '__proto__'));
const anyColumns = fc.record({
  hidden: ids,
  shown: ids,
  widths: fc.dictionary(fc.constantFrom('name', 'ip', 'asn', 'gone'), fc.integer({ min: 20, max: 4_000 })),
});

describe('state of a list in a view', () => {
  it('[VIEW-005] gives the view back after it was applied, whatever the address was', () => {
    fc.assert(
      fc.property(anyAddress, anyAddress, (savedSearch, current) => {
        const query = capture(savedSearch);
        const address = stringifySearch(viewAddress(allRequestsQuery, current, { id: 5, query }));
        expect(capture(address)).toBe(query);
        expect(readListAddress(allRequestsQuery, address)).toMatchObject({ namedView: 5, isBare: false, isReference: query === '' });
        expect(unknownParameters(allRequestsQuery, query)).toEqual([]);
        // Opening it again changes nothing.
        expect(stringifySearch(viewAddress(allRequestsQuery, address, { id: 5, query }))).toBe(address);
      }),
    );
  });

  it('[VIEW-005] gives the columns of the view back after they were applied', () => {
    fc.assert(
      fc.property(anyColumns, (chosenColumns) => {
        const columns = captureColumns(declaredColumns, chosenColumns);
        expect(captureColumns(declaredColumns, columns)).toEqual(columns);
        expect(unknownColumns(declaredColumns, columns)).toEqual([]);
      }),
    );
    expect(
      captureColumns(declaredColumns, { hidden: ['date', 'name', 'asn', 'ip'], shown: ['ip', 'asn'], widths: { gone: 50, ip: 90 } }),
    ).toEqual({
      hidden: ['ip', 'date'],
      shown: ['asn'],
      widths: { ip: 90 },
    });
  });

  it('[VIEW-007] opens the default view for an address without parameters alone', () => {
    const isBare = (address: string) => readListAddress(appsQuery, address).isBare;
    expect(['', '?', '?startTabName=Users'].map(isBare)).toEqual([true, true, true]);
    expect(['?search=x', '?view=none', '?page=2', '?add=1', '?view=5'].map(isBare)).toEqual([false, false, false, false, false]);
  });

  it('[VIEW-007] stays without a view after the last filter was removed', () => {
    const keep = (parameters: Record<string, string>, hasDefault: boolean, query?: string) =>
      keepUnfiltered(appsQuery, parameters, { hasDefault, active: query === undefined ? undefined : { query } });
    expect(keep({}, true)).toEqual({ view: 'none' });
    expect(keep({}, false)).toEqual({});
    expect(keep({ search: 'x' }, true)).toEqual({ search: 'x' });
    expect(keep({ view: '5' }, true, 'search=x')).toEqual({ view: 'none' });
    expect(keep({ view: '5' }, false, 'search=x')).toEqual({});
    expect(keep({ view: '5' }, true, '')).toEqual({ view: '5' });
    expect(plainAddress('?startTabName=Users&search=x&view=5', true)).toEqual({ startTabName: 'Users', view: 'none' });
  });

  it('[VIEW-008] names parameters that the list does not have and values that it rejects', () => {
    const query = 'vertical=3&geo=Germany&type=error&orderBy=keyGone&limit=50&startDate=&__proto__=x&page=3';
    expect(unknownParameters(allRequestsQuery, query)).toEqual(['vertical=3', 'geo=Germany', 'orderBy=keyGone', '__proto__=x']);
    expect(knownQuery(allRequestsQuery, query)).toBe('type=error');
    expect(unknownColumns(declaredColumns, { hidden: ['ip', 'payout'], shown: ['asn', 'server'], widths: { payout: 90 } })).toEqual([
      'payout',
      'server',
    ]);
  });
});
