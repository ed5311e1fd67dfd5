import type { AccountToken } from '@switchyard/contract/account-tokens';

/** An API token of a member of staff, for tests. */
export const sampleToken: AccountToken = {
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
