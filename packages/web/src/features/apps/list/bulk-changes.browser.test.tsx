import { emptyCounterSet } from '@switchyard/contract/app-statistics';
import type { AppRow } from '@switchyard/contract/apps';
import type { Permission } from '@switchyard/contract/permissions';
import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { createBulkServer, pageOf } from '../../../shared/bulk/testing/bulk-server.ts';
import { sessionStore } from '../../../shared/session/session-store.ts';
import { renderPages } from '../../../testing/render-pages.tsx';
import { stubApi } from '../../../testing/stub-api.ts';
import { AppsPage } from './apps-page.tsx';

const none = emptyCounterSet();
const names = ['Alpha', 'Bravo', 'Charlie', 'Delta'];
const rows = names.map((name, index): AppRow => ({
  id: index + 1,
  name,
  bundle: `com.${name.toLowerCase()}`,
  domain: `${name.toLowerCase()}.example`,
  label: name,
  vertical: 'bet',
  expiration_at: null,
  deleted_at: null,
  app_mode: 'default',
  response_mode: 'white',
  cloak_mode: 'default',
  has_clients: false,
  check_domains: [],
  monitoring: null,
  users_count: null,
  statistics: { all: { today: none, all_time: null }, qa: none },
  created_at: '2026-11-01 00:00:00',
  updated_at: '2026-11-01 00:00:00',
}));
/** `beforeWrite`: what each write waits for. */
async function show(
  permissions: Permission[] = ['manager_app_delete'],
  address = '/apps?search=a',
  beforeWrite: () => Promise<unknown> = async () => undefined,
) {
  const server = createBulkServer('app');
  stubApi(async (url, init) => {
    if (init.method === 'POST') await beforeWrite();
    return server.respond(url, init) ?? Response.json({ success: true, data: rows, pagination: pageOf(4, 1234) });
  });
  const user = { id: 1, name: 'Olga', email: 'o@x.y', panel: 'user', hasAllApps: true, isSuperAdmin: false } as const;
  sessionStore.open({
    user: { ...user, roles: [], badges: [], permissions },
    token: { accessToken: 'swy_1', expiresAt: Date.now() + 3_600_000 },
  });
  await renderPages([['/apps', 'Apps', AppsPage]], [address]);
  await expect.element(page.getByText('Alpha', { exact: true })).toBeVisible();
  return server;
}

const box = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` });
const choose = async (action: string) => {
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: action }).click();
};
const dialog = page.getByRole('dialog');

describe('selecting apps', () => {
  it('[BULK-009, BULK-033] always shows boxes; that in the head selects the page, from where all that match are selected', async () => {
    await page.viewport(1440, 900);
    await show();
    const ofPage = page.getByRole('checkbox', { name: 'Select all apps on this page' });
    await expect.element(page.getByText('Select apps to change several at once')).toBeVisible();
    const [toolbar, table] = [page.getByRole('toolbar', { name: 'Selection' }), page.getByRole('grid')];
    const topOf = (part: typeof table): number => part.element().getBoundingClientRect().top;
    const before = topOf(table);
    await box('Alpha').click();
    await expect.element(page.getByText('1 selected')).toBeVisible();
    expect([topOf(table), topOf(toolbar) < before]).toEqual([before, true]);
    await expect.element(ofPage).toBePartiallyChecked();
    await ofPage.click();
    await expect.element(page.getByText('4 selected')).toBeVisible();
    await expect.element(ofPage).toBeChecked();
    await ofPage.click();
    await expect.element(box('Alpha')).not.toBeChecked();
    await ofPage.click();
    await page.getByRole('button', { name: 'Select all 1,234 that match' }).click();
    await ofPage.click();
    await expect.element(page.getByText('1,230 selected')).toBeVisible();
    await page.getByRole('button', { name: 'Clear selection' }).click();
    await expect.element(ofPage).not.toBeChecked();
  });

  it('[BULK-009] is not offered to those who may not change apps', async () => {
    await page.viewport(1440, 900);
    await show(['manager_app_requests']);
    expect(box('Alpha').query()).toBeNull();
    const row = page.getByRole('row', { name: /Alpha/ }).element();
    if (row instanceof HTMLElement) row.focus();
    await userEvent.keyboard('x');
    expect(page.getByRole('toolbar', { name: 'Selection' }).query()).toBeNull();
  });

  it('[BULK-009] selects by x, and a range with Shift', async () => {
    await page.viewport(1440, 900);
    await show();
    const row = page.getByRole('row', { name: /Alpha/ }).element();
    if (row instanceof HTMLElement) row.focus();
    await userEvent.keyboard('x');
    await expect.element(box('Alpha')).toBeChecked();
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{Shift>}X{/Shift}');
    for (const name of ['Alpha', 'Bravo', 'Charlie']) await expect.element(box(name)).toBeChecked();
    await expect.element(box('Delta')).not.toBeChecked();
    await box('Alpha').click();
    await box('Charlie').click({ modifiers: ['Shift'] });
    await expect.element(page.getByText(/^Select apps to change/)).toBeVisible();
  });

  it('[BULK-009] sends the filters for all that match, with those taken out, and the ids of chosen ones', async () => {
    await page.viewport(1440, 900);
    const { posts } = await show();
    await box('Alpha').click();
    await page.getByRole('button', { name: 'Select all 1,234 that match' }).click();
    await box('Bravo').click();
    await expect.element(page.getByText('1,233 selected')).toBeVisible();
    await choose('Archive apps');
    await expect
      .poll(() => posts[0])
      .toEqual({
        path: 'bulk/runs',
        body: { change: { action: 'app.archive', params: {} }, target: { filter: 'search=a', except: ['2'] } },
      });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Clear selection' }).click();
    await box('Delta').click();
    await choose('Archive apps');
    await expect.poll(() => posts.findLast(({ path }) => path === 'bulk/runs')?.body).toMatchObject({ target: { keys: ['4'] } });
  });

  it('[BULK-009, BULK-020] says that all are meant where no filter chooses', async () => {
    await page.viewport(1440, 900);
    const { posts } = await show(['manager_app_delete'], '/apps');
    await box('Alpha').click();
    await page.getByRole('button', { name: 'Select all 1,234 that match' }).click();
    await choose('Archive apps');
    await expect.poll(() => posts[0]?.body).toMatchObject({ target: { except: [], all: true } });
  });
});

describe('the dialog of a bulk change', () => {
  it('[MARK-027] opens for the run that the address names, and leaves the address when it closes', async () => {
    await show(['manager_app_delete'], '/apps?search=a&run=1');
    await expect.element(dialog).toHaveAccessibleName('Bulk change');
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog).not.toBeInTheDocument();
  });

  it.each([390, 768, 1440])('[BULK-010, BULK-030] shows the check, starts the run and undoes it in %i px', async (width) => {
    await page.viewport(width, 900);
    const { posts, finish } = await show();
    for (const name of names) await box(name).click();
    await choose('Archive apps');
    await expect.element(dialog.getByText('2 apps: will change')).toBeVisible();
    await expect.element(dialog.getByText('1 app: not allowed')).toBeVisible();
    await expect.element(dialog.getByText('Not found')).toBeVisible();
    await expect.element(dialog.getByText(/^Traffic servers stop serving these apps/)).toBeVisible();
    await dialog.getByRole('button', { name: 'Archive 2 apps' }).click();
    await expect.element(dialog.getByText(/^Changing…/)).toBeVisible();
    finish();
    await expect.element(dialog.getByText('1 app: changed')).toBeVisible();
    await expect.element(dialog.getByText('1 app: skipped, because they changed meanwhile')).toBeVisible();
    await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.element(dialog.getByText('Archive 4 apps, 20.11.2026 10:00:01')).toBeVisible();
    await dialog.getByRole('button', { name: 'Undo 2 apps' }).click();
    expect(posts.map(({ path }) => path)).toEqual(['bulk/runs', 'bulk/runs/9/start', 'bulk/runs/9/undo', 'bulk/runs/10/start']);
  });

  it('[BULK-040] leaves a run alone that was only looked at, and cancels it when it is asked to', async () => {
    const { posts } = await show(['manager_app_delete'], '/apps?search=a&run=9');
    await expect.element(dialog.getByText('Nothing has been changed yet.')).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog).not.toBeInTheDocument();
    expect(posts).toEqual([]);
    await page.getByRole('button', { name: 'Recent changes' }).click();
    await page.getByRole('menuitem').first().click();
    await dialog.getByRole('button', { name: 'Cancel the run' }).click();
    await expect.element(dialog.getByText('Cancelled. Nothing was changed.')).toBeVisible();
    expect(posts.map(({ path }) => path)).toEqual(['bulk/runs/9/cancel']);
  });

  it('[BULK-010, BULK-040] cancels a check whose dialog was closed before the server knew of it', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const { posts } = await show(['manager_app_delete'], '/apps?search=a', () => promise);
    await box('Alpha').click();
    await choose('Archive apps');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    resolve(undefined);
    await expect.poll(() => posts.map(({ path }) => path)).toEqual(['bulk/runs', 'bulk/runs/9/cancel']);
  });

  it('[BULK-010] cancels a run, and a check when it is closed', async () => {
    await page.viewport(1440, 900);
    const { posts } = await show();
    await box('Alpha').click();
    await choose('Archive apps');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => posts.at(-1)?.path).toBe('bulk/runs/9/cancel');
    await choose('Archive apps');
    await dialog.getByRole('button', { name: 'Archive 2 apps' }).click();
    await dialog.getByRole('button', { name: 'Cancel the change' }).click();
    await expect.element(dialog.getByText('Cancelled. Rows changed before stay changed.')).toBeVisible();
  });
});
