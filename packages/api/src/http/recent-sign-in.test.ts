import { expect, it } from 'vitest';
import { guardRecentSignIn } from './recent-sign-in.ts';
import type { AccountCaller } from './request-context.ts';

const account = {
  id: 0,
  name: 'Admin',
  email: '',
  panel: 'user',
  roles: [],
  badges: [],
  permissions: [],
  hasAllApps: true,
  isSuperAdmin: false,
} as const;
const caller: AccountCaller = {
  kind: 'account',
  by: { kind: 'view-as', viewerId: 7, permissionIds: new Set() },
  mustSetUpFactor: false,
  account: { ...account, roles: [], badges: [], permissions: [] },
  scope: 'all',
};

it('[PERMX-022] a write of a view that came as far as its audit entry is not committed', async () => {
  for (const recentSignIn of [undefined, null, { before: 'call' }, { before: 'change', of: ['name'] }] as const) {
    const guard = await guardRecentSignIn(recentSignIn === undefined ? {} : { recentSignIn }, caller, async () => null);
    expect(() => guard?.({ fields: [], hasProvenPassword: true })).toThrow('Read only');
  }
});
