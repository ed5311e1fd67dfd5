import { accountTokensQuery, type AccountToken } from '@switchyard/contract/account-tokens';
import { readQuery } from '@switchyard/contract/listing';
import { describe, expect, it } from 'vitest';
import { arrangeTokens } from './arrange-tokens.ts';

const sample: AccountToken = {
  id: 1,
  name: 'Deployment',
  ends_with: 'AAAA',
  permission_ids: [23],
  has_all_apps: true,
  app_ids: [],
  networks: [],
  created_at: '2026-11-20 08:00:00',
  expires_at: '2027-11-20 08:00:00',
  is_expired: false,
  expires_soon: false,
  last_used_at: '2026-11-21 08:00:00',
  last_used_ip: '203.0.113.9',
  kind: 'personal',
  owner: { id: 8, name: 'Pavel', email: 'pavel@example.com', panel: 'user' },
};
const tokens: AccountToken[] = [
  sample,
  { ...sample, id: 2, name: 'Backup', last_used_at: null, last_used_ip: null, created_at: '2026-11-21 08:00:00' },
  { ...sample, id: 3, name: 'Export', expires_at: '2026-11-29 08:00:00', expires_soon: true },
  { ...sample, id: 4, name: 'Old', expires_at: '2026-11-01 08:00:00', is_expired: true },
  { ...sample, id: 5, name: 'Edge', kind: 'service', expires_at: null, owner: { ...sample.owner, id: 31, name: 'Ann', email: 'ann@x.y' } },
];
const find = (search: string): number[] => arrangeTokens(tokens, accountTokensQuery.parse(readQuery(search))).data.map(({ id }) => id);

describe('a page of API tokens', () => {
  it.each([
    ['', [2, 5, 4, 3, 1]],
    ['use=never', [2]],
    ['use=used', [5, 4, 3, 1]],
    ['expiry=none', [5]],
    ['expiry=soon', [3]],
    ['expiry=expired', [4]],
    ['kind=service', [5]],
    ['search=EXPO', [3]],
    ['search=ann@', [5]],
    ['use=never&expiry=soon', []],
  ])('[IDN-114] shows for "%s" the tokens that match all filters, newest first', (search, ids) => {
    expect(find(search)).toEqual(ids);
  });

  it.each([
    ['keyName', [2, 1, 5, 3, 4]],
    ['keyOwner', [5, 1, 2, 3, 4]],
    ['keyExpires', [4, 3, 1, 2, 5]],
    ['keyUsed', [2, 1, 3, 4, 5]],
  ])('[IDN-114] sorts by %s, tokens without expiry last and never used ones first', (key, ids) => {
    expect(find(`orderBy=${key}&orderDirection=asc`)).toEqual(ids);
    expect(find(`orderBy=${key}&orderDirection=desc`)).toEqual(ids.toReversed());
  });

  it('[IDN-114] counts the tokens of all pages', () => {
    const { data, pagination } = arrangeTokens(tokens, accountTokensQuery.parse(readQuery('limit=2&page=3')));
    expect([data.map(({ id }) => id), pagination.total, pagination.totalPages]).toEqual([[1], 5, 3]);
  });
});
