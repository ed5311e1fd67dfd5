import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { sampleAccount } from '../testing/sample-account.ts';
import { ok, renderUsers, writes } from '../testing/render-users.tsx';

const access = (name: string) => page.getByRole('switch', { name: `Access of ${name}` });

describe('actions on an account of the list', () => {
  it('[AMB-170, AMB-188] cannot change an account that holds more than the reader, with the reason of the edit form', async () => {
    await renderUsers({ address: '/users', user: { ...sampleAccount, roles: ['Super Admin'], badges: ['S'], isSuperAdmin: true } });
    await expect.element(access('Pavel Manager')).toBeDisabled();
    await expect.element(access('Pavel Manager')).toHaveAttribute('title', 'Only a super admin can change a super admin');
    await expect.element(page.getByRole('button', { name: 'Delete Pavel Manager' })).toBeDisabled();
  });

  it('[USER-058] asks before access is denied, and grants it at once', async () => {
    const { calls } = await renderUsers({
      address: '/users',
      answer: ({ path, method }) =>
        method === 'PUT' && path === 'users/8/switch-access' ? ok({ ...sampleAccount, hasAccess: false, version: 6 }) : null,
    });
    await access('Pavel Manager').click({ force: true });
    const prompt = page.getByRole('dialog');
    await expect.element(prompt).toMatchTextContent(/Deny access to "Pavel Manager"\? All sessions of the account end at once\./);
    await prompt.getByRole('button', { name: 'Cancel' }).click();
    await expect.element(access('Pavel Manager')).toBeChecked();
    expect(writes(calls)).toEqual([]);
    await access('Pavel Manager').click({ force: true });
    await prompt.getByRole('button', { name: 'OK' }).click();
    await expect.poll(() => writes(calls).map(({ path }) => path)).toEqual(['users/8/switch-access']);
  });

  it('[BUY-008, AMB-169] says before anything is typed that no role of a buyer can be given', async () => {
    await renderUsers({
      address: '/users/buyers/add',
      permissions: ['manager_user_buyer_create'],
      answer: ({ path }) =>
        path === 'roles/buyers/list' ? ok([{ id: 5, name: 'Buyer', label: 'Buyer', badge: 'B', panel: 'buyer', assignable: false }]) : null,
    });
    await expect.element(page.getByRole('region', { name: 'Save' })).toMatchTextContent(/You cannot create a buyer/);
    await expect.element(page.getByLabelText('Name', { exact: true })).toHaveAttribute('readonly');
  });
});
