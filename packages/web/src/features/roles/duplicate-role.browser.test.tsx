import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { renderRoles } from './testing/render-roles.tsx';

describe('duplicate of a role', () => {
  it('[HIST-012] begins a new role with the permissions of another one, without its title', async () => {
    await renderRoles({ addresses: ['/roles/user/11/edit'] });
    await expect.element(page.getByRole('link', { name: 'Duplicate' })).toHaveAttribute('href', '/roles/create-user?copy=11');
    await expect.element(page.getByRole('link', { name: 'History' })).toHaveAttribute('href', '/roles/11/history');
    await page.getByRole('link', { name: 'Duplicate' }).click();
    await expect.element(page.getByLabelText('Title', { exact: true })).toHaveValue('');
    await expect.element(page.getByRole('checkbox', { name: 'manager_app_edit', exact: true })).toBeChecked();
    await expect.element(page.getByRole('checkbox', { name: 'manager_app_requests', exact: true })).toBeChecked();
    await expect.element(page.getByRole('region', { name: 'Save' })).toMatchTextContent(/Still needed: Title/);
  });

  it('[HIST-012] leaves out permissions that the account may not grant, and says so', async () => {
    await renderRoles({
      addresses: ['/roles/create-user?copy=11'],
      permissions: ['manager_settings_roles', 'manager_app_edit'],
      isSuperAdmin: false,
    });
    await expect.element(page.getByText('Your account may not grant one permission of the duplicated role.')).toBeVisible();
    await expect.element(page.getByRole('checkbox', { name: 'manager_app_edit', exact: true })).toBeChecked();
    await expect.element(page.getByRole('checkbox', { name: 'manager_app_requests', exact: true })).not.toBeChecked();
  });
});
