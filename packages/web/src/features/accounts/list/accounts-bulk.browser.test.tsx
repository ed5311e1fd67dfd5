import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { createBulkServer } from '../../../shared/bulk/testing/bulk-server.ts';
import { renderUsers } from '../testing/render-users.tsx';

async function show(options: Partial<Parameters<typeof renderUsers>[0]> = {}) {
  await page.viewport(1440, 900);
  const server = createBulkServer('account');
  const { calls } = await renderUsers({ address: '/users', answer: server.answer, ...options });
  await expect.element(page.getByRole('row').nth(1)).toBeVisible();
  return { ...server, calls };
}

const dialog = page.getByRole('dialog');
const box = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` });
async function openMenu(): Promise<void> {
  await page.getByRole('button', { name: 'Actions' }).click();
}
async function choose(name: string): Promise<void> {
  await openMenu();
  await page.getByRole('menuitem', { name }).click();
}
const lastRun = ({ posts }: ReturnType<typeof createBulkServer>) => posts.findLast(({ path }) => path === 'bulk/runs')?.body;

describe('bulk changes of accounts', () => {
  it('[BULK-014, LEAVE-105] says that sessions end and what stops before access is denied, and grants it without', async () => {
    const server = await show();
    page.getByRole('row', { name: /Pavel/ }).element().focus();
    await userEvent.keyboard('x');
    await expect.element(box('Pavel Manager')).toBeChecked();
    await choose('Deny access…');
    await dialog.getByRole('button', { name: 'Check' }).click();
    await expect
      .element(dialog.getByText(/^All sessions of these accounts end at once, their schedules pause.* tiles and alert rules stay/))
      .toBeVisible();
    const target = { keys: ['8'] };
    expect(lastRun(server)).toEqual({ change: { action: 'account.set_access', params: { hasAccess: false } }, target });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await choose('Grant access');
    await expect.element(dialog.getByText('2 accounts: will change')).toBeVisible();
    await expect.element(dialog.getByText(/sessions/)).not.toBeInTheDocument();
    expect(lastRun(server)).toEqual({ change: { action: 'account.set_access', params: { hasAccess: true } }, target });
  });

  it('[BULK-035] hands what the accounts share over to an account that is not among them', async () => {
    const server = await show();
    await box('Pavel Manager').click();
    await choose('Deny access…');
    await dialog.getByRole('combobox', { name: 'New owner' }).click();
    expect(page.getByRole('option', { name: 'Pavel Manager' }).elements()).toHaveLength(0);
    await page.getByRole('option', { name: 'Olga', exact: true }).click();
    await dialog.getByRole('button', { name: 'Check' }).click();
    await expect
      .element(dialog.getByText(/service accounts and alert rules go to the new owner\. An undo grants access again/))
      .toBeVisible();
    expect(lastRun(server)).toMatchObject({ change: { params: { hasAccess: false, handOverTo: 1 } }, target: { keys: ['8'] } });
  });

  it('[LEAVE-112] names what hangs on the accounts before they are denied access, and says when it cannot', async () => {
    const server = await show();
    const none = { count: 0, names: [] };
    const nothing = { boards: none, tiles: none, service_accounts: none, rules: none, schedules: none, silences: none, personal_tokens: 0 };
    const views = { count: 1204, names: ['Losses', 'Sent daily', 'Leads'], default_of: 1 };
    server.hang('failed');
    await box('Pavel Manager').click();
    await choose('Deny access…');
    await dialog.getByRole('button', { name: 'Check' }).click();
    await expect.element(dialog.getByRole('alert')).toMatchTextContent(/^What belongs to these accounts could not be loaded\./);
    server.hang({ ...nothing, views, service_accounts: { count: 1, names: ['Deploy'] }, silences: { count: 2, names: [] } });
    await dialog.getByRole('button', { name: 'Try again' }).click();
    const lines = dialog.getByRole('list', { name: 'Belongings' }).getByRole('listitem');
    await expect
      .poll(() => lines.elements().map((line) => line.textContent))
      .toEqual([
        'Shared views (Losses, Sent daily, Leads and 1,201 more): kept; 1 person opens a list with one',
        'Service accounts (Deploy): stopped',
        'Silences (2): kept',
      ]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    server.hang({ ...nothing, views: { ...none, default_of: 0 }, rules: { count: 1, names: ['Silent'] } });
    await choose('Deny access…');
    await dialog.getByRole('combobox', { name: 'New owner' }).click();
    await page.getByRole('option', { name: 'Olga', exact: true }).click();
    await dialog.getByRole('button', { name: 'Check' }).click();
    await expect.element(dialog.getByText('Alert rules (Silent): handed over to the new owner')).toBeVisible();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    server.hang({ ...nothing, views: { ...none, default_of: 0 } });
    await choose('Deny access…');
    await dialog.getByRole('button', { name: 'Check' }).click();
    await expect.element(dialog.getByText(/^These accounts share nothing/)).toBeVisible();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await choose('Grant access');
    await expect.element(dialog.getByText('2 accounts: will change')).toBeVisible();
    await expect.element(dialog.getByText(/^These accounts share nothing/)).not.toBeInTheDocument();
  });

  it('[LEAVE-112] asks nothing before an undo by who may not switch access', async () => {
    const server = await show({ permissions: ['manager_user_edit'] });
    server.hang('failed');
    await box('Pavel Manager').click();
    await choose('Add apps to accounts…');
    await dialog.getByRole('combobox', { name: 'Apps' }).click();
    await page.getByRole('option', { name: 'App 12 (com.app12.x)' }).click();
    await dialog.getByRole('button', { name: 'Check' }).click();
    await dialog.getByRole('button', { name: /^Add apps to 2 accounts/ }).click();
    server.finish();
    await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.element(dialog.getByRole('button', { name: 'Undo 2 accounts' })).toBeVisible();
    expect(dialog.getByText(/^What belongs to these accounts/).elements()).toHaveLength(0);
    expect(dialog.getByText(/^Loading what belongs/).elements()).toHaveLength(0);
  });

  it.each([
    ['Add roles to accounts', 'account.add_roles', 'Roles', 'App Manager', 3],
    ['Remove roles from accounts', 'account.remove_roles', 'Roles', 'Log Reviewer', 4],
    ['Add apps to accounts', 'account.add_apps', 'Apps', 'App 12 (com.app12.x)', 12],
    ['Remove apps from accounts', 'account.remove_apps', 'Apps', 'App 14 (com.app14.x)', 14],
  ])('[BULK-014] %s, for all that match', async (name, action, label, option, id) => {
    const server = await show({ address: '/users?search=a' });
    await box('Pavel Manager').click();
    await page.getByRole('button', { name: 'Select all 2 that match' }).click();
    await choose(`${name}…`);
    await dialog.getByRole('combobox', { name: label }).click();
    expect(page.getByRole('option', { name: 'Super Admin' }).elements()).toHaveLength(0);
    await page.getByRole('option', { name: option }).click();
    // The list is still open.
    await dialog.getByRole('button', { name: 'Check' }).click();
    await expect
      .poll(() => lastRun(server))
      .toEqual({ change: { action, params: { ids: [id] } }, target: { filter: 'panel=user&search=a', except: [] } });
  });

  it('[BULK-014] ends sessions of buyers, which cannot be undone, and reads the list again', async () => {
    const server = await show({ address: '/users?startTabName=Buyers' });
    await box('Ivan Buyer').click();
    await choose('End sessions of accounts');
    await expect.element(dialog.getByText(/^This cannot be undone/)).toBeVisible();
    expect(lastRun(server)).toMatchObject({ change: { action: 'account.end_sessions' }, target: { keys: ['31'] } });
    await dialog.getByRole('button', { name: 'End sessions of 2 accounts' }).click();
    const reads = () => server.calls.filter(({ path }) => path === 'accounts').length;
    const before = reads();
    server.finish();
    await expect.element(dialog.getByText('1 account: changed')).toBeVisible();
    await expect.poll(reads).toBe(before + 1);
    expect(dialog.getByRole('button', { name: 'Undo' }).elements()).toHaveLength(0);
  });

  it('[BULK-014] offers what the reader may do, and not all that match a second factor', async () => {
    await show({ address: '/users?secondFactor=due', permissions: ['manager_user_edit'] });
    await page.getByRole('checkbox', { name: 'Select all users on this page' }).click();
    expect(page.getByRole('button', { name: /^Select all/ }).elements()).toHaveLength(0);
    await openMenu();
    await expect.element(page.getByRole('menuitem').first()).toBeVisible();
    expect(
      page
        .getByRole('menuitem')
        .elements()
        .map((item) => item.textContent),
    ).toEqual(['Add roles to accounts…', 'Remove roles from accounts…', 'Add apps to accounts…', 'Remove apps from accounts…']);
  });
});
