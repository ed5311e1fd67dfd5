import type { Account, AccountRow } from '@switchyard/contract/accounts';

/** A staff account as lists show it, for tests. */
export const sampleRow: AccountRow = {
  id: 8,
  name: 'Pavel Manager',
  email: 'pavel@example.com',
  panel: 'user',
  hasAccess: true,
  isQa: false,
  roles: ['App Manager'],
  badges: ['M'],
  appIds: [12, 14],
  hasAllApps: false,
  isSuperAdmin: false,
  deleted_at: null,
  created_at: '2026-02-01 00:00:00',
  updated_at: '2026-11-01 12:00:00',
  version: 5,
};

/** A staff account with two apps, one of them archived, for tests. */
export const sampleAccount: Account = {
  ...sampleRow,
  apps: [
    { id: 12, name: 'Acme Bet', bundle: 'com.acme.bet', deleted_at: null },
    { id: 14, name: 'Goal Rush', bundle: 'com.goalrush.app', deleted_at: '2026-10-01 00:00:00' },
  ],
};

/** A buyer with the same apps, for tests. */
export const sampleBuyer = {
  ...sampleAccount,
  id: 31,
  name: 'Ivan Buyer',
  email: 'ivan@example.com',
  panel: 'buyer',
  roles: ['Buyer'],
  badges: ['B'],
  app_ids: [12, 14],
} as const;
