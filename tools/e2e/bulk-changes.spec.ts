import { z } from 'zod';
import { callApi } from '../console/app-api.ts';
import { expect, test } from './console-test.ts';
import { expectAccessible } from './expect-accessible.ts';

/** Systems that no other test bans. */
const path = 'octopus-app/asn?search=digitalocean&limit=10';
const systems = z.array(z.object({ code: z.int(), is_ban_create: z.boolean() }));

test('[BULK-009, BULK-010, BULK-012] systems are selected by the keyboard, banned after a check, and freed by an undo', async ({
  page,
  run,
}) => {
  // The first start loads the registry beside its other work, on a busy machine for longer than a test takes.
  test.setTimeout(180_000);
  const read = async () => systems.parse(await callApi(run, 'super', 'GET', path)).slice(0, 2);
  await expect.poll(async () => (await read()).length, { timeout: 120_000 }).toBe(2);
  const codes = (await read()).map(({ code }) => code);
  const bans = async () => (await read()).map(({ is_ban_create: isBanned }) => isBanned);
  expect(await bans()).toEqual([false, false]);

  await page.goto('/asns?search=digitalocean');
  const rows = page.locator('tr[data-index]');
  await rows.first().focus();
  await page.keyboard.press('x');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Shift+X');
  for (const code of codes) await expect(page.getByRole('checkbox', { name: `Select AS${code}` })).toBeChecked();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Actions' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Ban create', exact: true }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Ban create' });
  await expect(dialog).toContainText('2 autonomous systems: will change');
  expect(await bans()).toEqual([false, false]);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Ban 2 autonomous systems' }).click();
  await expect(dialog).toContainText('2 autonomous systems: changed');
  expect(await bans()).toEqual([true, true]);
  await expectAccessible(page);

  await dialog.getByRole('button', { name: 'Undo' }).click();
  const undo = page.getByRole('dialog', { name: 'Undo a change' });
  await undo.getByRole('button', { name: 'Undo 2 autonomous systems' }).click();
  await expect(undo).toContainText('Done.');
  expect(await bans()).toEqual([false, false]);
  await undo.getByRole('button', { name: 'Close' }).last().click();
  for (const code of codes) await expect(page.getByRole('button', { name: `Create of AS${code}: FREE` })).toBeVisible();
});
