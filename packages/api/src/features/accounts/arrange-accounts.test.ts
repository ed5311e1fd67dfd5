import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accountsQuery } from '@switchyard/contract/accounts-query';
import { arrangeAccounts } from './arrange-accounts.ts';

type Row = { id: number; name: string; email: string; hasAccess: boolean; roles: string[] };
const sampleRow: Row = { id: 8, name: 'Pavel', email: 'pavel@example.com', hasAccess: true, roles: ['App Manager'] };

const row: fc.Arbitrary<Row> = fc
  .record({
    id: fc.integer({ min: 1, max: 9_999 }),
    name: fc.constantFrom<string>('Ann', 'Bea', 'ann'),
    email: fc.constantFrom('a@x.y', 'B@x.y'),
    hasAccess: fc.boolean(),
    roles: fc.subarray(['Admin', 'Log Reviewer', 'Buyer'], { minLength: 1 }),
  })
  .map((changes): Row => ({ ...sampleRow, ...changes }));
const rows = fc.uniqueArray(row, { selector: ({ id }) => id, maxLength: 60 });
const query = fc.record({
  search: fc.constantFrom([''], ['AN'], ['b@']),
  access: fc.constantFrom([''], ['granted'], ['denied']),
  role: fc.constantFrom([''], ['Admin']),
  orderBy: fc.constantFrom(['keyId'], ['keyName'], ['keyEmail'], ['keyStatus']),
  orderDirection: fc.constantFrom(['asc'], ['desc']),
  limit: fc.constantFrom(['7'], ['20']),
});

describe('pages of accounts', () => {
  it('[USER-005, BUY-003, AMB-184] show the newest account last', () => {
    fc.assert(
      fc.property(rows, (accounts) => {
        const { data, pagination } = arrangeAccounts(accounts, accountsQuery.parse({}));
        const ids = accounts.map(({ id }) => id);
        expect(data.map(({ id }) => id)).toEqual(ids.toSorted((a, b) => a - b));
        expect(pagination.total).toBe(ids.length);
      }),
    );
  });

  it('hold every account that the filters choose exactly once over all pages', () => {
    fc.assert(
      fc.property(rows, query, (accounts, raw) => {
        const first = arrangeAccounts(accounts, accountsQuery.parse(raw));
        const pages = Array.from({ length: first.pagination.totalPages ?? 0 }, (_, at) =>
          arrangeAccounts(accounts, accountsQuery.parse({ ...raw, page: [String(at + 1)] })),
        );
        const shownIds = pages.flatMap(({ data }) => data.map(({ id }) => id));
        const needle = raw.search.join('').toLowerCase();
        const matching = accounts.filter(
          (account) =>
            `${account.name} ${account.email} ${account.id}`.toLowerCase().includes(needle) &&
            (raw.access[0] === '' || account.hasAccess === (raw.access[0] === 'granted')) &&
            (raw.role[0] === '' || account.roles.includes('Admin')),
        );
        expect(shownIds.toSorted((a, b) => a - b)).toEqual(matching.map(({ id }) => id).toSorted((a, b) => a - b));
      }),
    );
  });

  it('sort by the column that was chosen, either way', () => {
    const accounts = [3, 1, 2].map((id) => ({ ...sampleRow, id, name: `N${4 - id}`, hasAccess: id === 2 }));
    const ids = (orderBy: string, orderDirection: string): number[] =>
      arrangeAccounts(accounts, accountsQuery.parse({ orderBy: [orderBy], orderDirection: [orderDirection] })).data.map(({ id }) => id);
    expect(ids('keyName', 'asc')).toEqual([3, 2, 1]);
    expect(ids('keyName', 'desc')).toEqual([1, 2, 3]);
    expect(ids('keyStatus', 'asc')).toEqual([2, 1, 3]);
  });
});
