import { pageOf } from '@switchyard/contract/page-of';
import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { stopClock } from '../../../testing/clock.ts';
import { sampleAccount } from '../testing/sample-account.ts';
import { ok, refusal, renderUsers, writes } from '../testing/render-users.tsx';

const access = (name: string) => page.getByRole('switch', { name: `Access of ${name}` });

describe('actions on an account of the list', () => {
  it('[AMB-170, AMB-188] cannot change an account that holds more than the reader, with the reason of the edit form', async () => {
    await renderUsers({ address: '/users', user: { ...sampleAccount, roles: ['Super Admin'], badges: ['S'], isSuperAdmin: true } });
    await expect.element(access('Pavel Manager')).toBeDisabled();
    await expect.element(access('Pavel Manager')).toHaveAttribute('title', 'Only a super admin can change a super admin');
    await expect.element(page.getByRole('button', { name: 'Delete Pavel Manager' })).toBeDisabled();
  });

  it.each([
    [true, /^Edit Pavel Manager\. Needs the permission: Edit staff accounts and buyers \(manager_user_edit\)$/],
    [false, /^Edit Pavel Manager$/],
  ])('[PERMX-011] names the permission that a disabled button needs to readers who manage roles: %s', async (managesRoles, text) => {
    const permissions = ['manager_user_deactivate', ...(managesRoles ? (['manager_settings_roles'] as const) : [])] as const;
    await renderUsers({ address: '/users', permissions, answer: ({ path }) => (path === 'roles' ? ok([]) : null) });
    const edit = page.getByRole('button', { name: 'Edit Pavel Manager' });
    await expect.element(edit).toBeDisabled();
    expect(edit.element().getAttribute('title')).toMatch(text);
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

  it('[LEAVE-101] names what hangs on an account before it is deleted, and hands it over', async () => {
    const nobody = { views: [], boards: [], tiles: [], service_accounts: [], rules: [], schedules: [], silences: [] };
    const { apps: _apps, appIds: _ids, ...account } = sampleAccount;
    const row = { ...account, second_factor: null, is_read_only: false };
    const counts = { private_views: 0, private_tiles: 0, personal_tokens: 0, sessions: 0 };
    const views = [{ id: 1, name: 'Losses', default_of: 2, schedules_of_others: 0 }];
    const silences = ['', 'Works'].map((name, id) => ({ id, name, ends_at: '2026-11-30 10:00:00' }));
    const { calls } = await renderUsers({
      address: '/users',
      answer: ({ path, method }) => {
        if (path === 'users/8/belongings') return ok({ ...nobody, ...counts, views, schedules: [{ id: 2, name: 'Morning' }], silences });
        if (path === 'accounts') {
          return { status: 200, body: { success: true, ...pageOf([row, { ...row, id: 9, name: 'Heir' }], { page: 1, limit: 100 }) } };
        }
        return method === 'DELETE' ? new Response(null, { status: 204 }) : null;
      },
    });
    await page.getByRole('button', { name: 'Delete Pavel Manager' }).click();
    const prompt = page.getByRole('dialog');
    await expect
      .element(prompt.getByText('Shared views (Losses): deleted unless handed over; 2 people open a list with one'))
      .toBeVisible();
    await expect.element(prompt.getByText('Schedules (Morning): deleted')).toBeVisible();
    await expect.element(prompt.getByText('Silences (Works and 1 more): ended')).toBeVisible();
    await prompt.getByRole('combobox', { name: 'New owner of shared views' }).click();
    await page.getByRole('option', { name: 'Heir' }).click();
    await prompt.getByRole('button', { name: 'OK' }).click();
    await expect.poll(() => writes(calls).map(({ path, body }) => [path, body])).toEqual([['users/8', { handOverTo: { views: 9 } }]]);
  });

  it('[LEAVE-116] waits for what hangs on an account before it is deleted', async () => {
    const { promise: loading, resolve: load } = Promise.withResolvers<ReturnType<typeof refusal>>();
    const { calls } = await renderUsers({
      address: '/users',
      answer: ({ path, method }) => {
        if (path === 'users/8/belongings') return loading;
        return method === 'DELETE' ? new Response(null, { status: 204 }) : null;
      },
    });
    await page.getByRole('button', { name: 'Delete Pavel Manager' }).click();
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'OK' });
    await expect.element(confirm).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.element(confirm).toHaveAttribute('aria-disabled', 'true');
    expect(writes(calls)).toEqual([]);
    load(refusal(403, 'Broken'));
    await expect.element(page.getByRole('dialog').getByText(/could not be loaded/)).toBeVisible();
    await confirm.click();
    await expect.poll(() => writes(calls)).toHaveLength(1);
  });

  it('[LEAVE-106] breaks long names of what hangs on an account', async () => {
    await page.viewport(1440, 860);
    const kinds = { boards: [], tiles: [], service_accounts: [], rules: [], schedules: [], silences: [] };
    const counts = { private_views: 0, private_tiles: 0, personal_tokens: 0, sessions: 0 };
    const views = [{ id: 1, name: 'M'.repeat(100), default_of: 0, schedules_of_others: 0 }];
    await renderUsers({
      address: '/users',
      answer: ({ path }) => (path === 'users/8/belongings' ? ok({ ...kinds, ...counts, views }) : null),
    });
    await page.getByRole('button', { name: 'Delete Pavel Manager' }).click();
    const line = page.getByRole('dialog').getByText(/^Shared views \(M+\): deleted/);
    await expect.element(line).toBeVisible();
    const overflow = (): number => {
      const list = line.element().closest('ul');
      return list === null ? -1 : list.scrollWidth - list.clientWidth;
    };
    expect(overflow()).toBe(0);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
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

describe('filters of the list of accounts', () => {
  it('[WID-049] show that the roles could not be loaded, and load them again', async () => {
    let isDown = true;
    await renderUsers({
      address: '/users',
      answer: ({ path }) => (isDown && path === 'roles/users/list' ? refusal(503, 'Database is unavailable, try again') : null),
    });
    await page.getByRole('combobox', { name: 'Role', exact: true }).click();
    const failure = page.getByText('The options could not be loaded.', { exact: false });
    await expect.element(failure).toBeVisible();
    isDown = false;
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect.element(page.getByRole('option', { name: 'App Manager' })).toBeVisible();
    await expect.element(failure).not.toBeInTheDocument();
  });
});

describe('second factors in the list of accounts', () => {
  const rows = page.getByRole('row');
  const cell = (text: string) => page.getByRole('gridcell', { name: text, exact: true });

  it('[IDN-094] are a column and a filter, which the address can name', async () => {
    await renderUsers({ address: '/users?secondFactor=due' });
    await expect.element(cell('None, required')).toBeVisible();
    await expect.element(rows).toHaveLength(2);
    await page.getByRole('combobox', { name: 'Second factor' }).click();
    await page.getByRole('option', { name: 'Set up' }).click();
    await page.getByRole('button', { name: 'Apply filter' }).click();
    await expect.element(cell('Set up')).toBeVisible();
    await expect.element(cell('None, required')).not.toBeInTheDocument();
  });

  it('[IDN-094] are hidden from readers who may not edit accounts', async () => {
    const { calls } = await renderUsers({ address: '/users?secondFactor=due', permissions: ['manager_user_deactivate'] });
    await expect.element(cell('Olga')).toBeVisible();
    await expect.element(page.getByRole('combobox', { name: 'Second factor' })).not.toBeInTheDocument();
    expect(calls.filter(({ path }) => path === 'accounts')).toHaveLength(1);
  });
});

describe('roles in the list of accounts', () => {
  const createdRoles = [
    { id: 11, name: 'Traffic reviewer', label: 'Traffic reviewer', badge: 'TR', panel: 'user', assignable: true },
    { id: 12, name: 'Top reader', label: 'Top reader', badge: 'TR', panel: 'user', assignable: true },
  ];
  const at = '2026-11-20T10:00:00.000000Z';
  const permission = { id: 3, label: 'manager_app_edit', description: 'Edit apps', panel: 'user', group: 'App' };
  const answer = ({ path }: { path: string }) => {
    if (path === 'roles/users/list') return ok(createdRoles);
    const row = {
      is_system: false,
      read_only: false,
      users_count: 1,
      permission_ids: [3],
      permissions: [permission],
      created_at: at,
      updated_at: at,
    };
    return path === 'roles'
      ? ok(createdRoles.map(({ id, name, label, badge, panel }) => ({ id, name, label, badge, panel, ...row, version: 1 })))
      : null;
  };
  const user = { ...sampleAccount, roles: ['Top reader'], badges: ['TR'] };
  const badge = page.getByText('TO', { exact: true });

  it('[AMB-162] have letters of their own, and their permissions where the reader may see roles', async () => {
    const { calls } = await renderUsers({ address: '/users', user, answer, permissions: ['manager_user_edit', 'manager_settings_roles'] });
    await expect.element(badge).toBeVisible();
    await expect.poll(() => calls.filter(({ path }) => path === 'roles')).toHaveLength(1);
    stopClock();
    await badge.hover();
    await expect.element(page.getByRole('tooltip')).toMatchTextContent(/^Top readerApp: Edit apps$/);
  });

  it('[AMB-162] have their names alone for other readers', async () => {
    const { calls } = await renderUsers({ address: '/users', user, answer, permissions: ['manager_user_edit'] });
    await expect.element(badge).toBeVisible();
    stopClock();
    await badge.hover();
    await expect.element(page.getByRole('tooltip')).toMatchTextContent(/^Top reader$/);
    expect(calls.filter(({ path }) => path === 'roles')).toEqual([]);
  });
});
