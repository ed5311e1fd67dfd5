import type { Page } from '@playwright/test';
import { expect, test } from './console-test.ts';
import { endTokenIn } from './end-token.ts';
import { expectAccessible } from './expect-accessible.ts';
import { listRows, rowOf } from '../console/list-rows.ts';
import { password } from '../console/accounts.ts';

/** A name that no other test uses. */
function ownName(): string {
  return `journey${Math.random().toString(36).slice(2, 10)}`;
}

const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });
const prompt = (page: Page) => page.getByRole('dialog', { name: 'Are you sure?' });

async function fillRequired(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill(`App ${name}`);
  await page.getByLabel('Bundle', { exact: true }).fill(`com.${name}.app`);
  await page.getByLabel('Domain', { exact: true }).fill(`${name}.example`);
  await page.getByRole('radio', { name: 'Fantasy' }).check();
}

async function confirmSave(page: Page): Promise<void> {
  await save(page).click();
  await expect(prompt(page)).toContainText('Please check all data TWICE!');
  await prompt(page).getByRole('button', { name: 'OK' }).click();
}

test('[CONF-001] [CONF-002] [CONF-003] [CONF-004] [CONF-023] [CONF-056] [UACC-004] [UACC-008] [RESP-025] an app from nothing to the list, and edited', async ({
  page,
}) => {
  const name = ownName();
  await page.goto('/apps');
  await page.getByRole('link', { name: 'Create app' }).click();
  await expect(page).toHaveURL(/\/apps\/create$/);
  await expect(page).toHaveTitle(/^Create app \| /);
  await fillRequired(page, name);
  await page.getByRole('combobox', { name: 'Add users' }).click();
  const first = page.getByRole('listbox', { name: 'Add users' }).getByRole('option').first();
  const buyer = (await first.innerText()).split(' · ')[0] ?? '';
  await first.click();
  await page.keyboard.press('Escape');
  const receive = page.getByRole('group', { name: 'Receive response' });
  await receive.getByLabel('Code').selectOption('302');
  await receive.getByLabel('Response', { exact: true }).fill('https://offer.example/x');
  await page.getByRole('textbox', { name: 'Proxy API URL' }).fill('proxy.example');
  await save(page).click();
  await prompt(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL(/\/apps\/create$/);
  await confirmSave(page);

  await expect(page.getByText(`App "App ${name}" created`)).toBeVisible();
  await expect(page).toHaveURL(/\/apps\/\d+\/edit\?startTabName=General$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Edit app: App ${name}`);
  await expect(page.getByRole('textbox', { name: 'Proxy API URL' })).toHaveValue('https://proxy.example');
  await expect(page.getByRole('textbox', { name: 'Static response path' })).toHaveValue('/');
  await expect(page.getByRole('listitem').filter({ hasText: buyer })).toBeVisible();

  await page.getByRole('button', { name: `Remove ${buyer}` }).click();
  await page.getByRole('radio', { name: 'MagicChecker' }).check();
  await expect(save(page)).toBeDisabled();
  await page.getByRole('textbox', { name: 'MagicChecker Cloak ID' }).fill('0f8fad5bd9cb469fa16570867728950e');
  await expect(save(page)).toBeEnabled();
  await confirmSave(page);
  await expect(page.getByText(`App "App ${name}" saved`)).toBeVisible();
  await page.reload();
  await expect(page.getByText('No buyer has access to this app.')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'MagicChecker Cloak ID' })).toHaveValue('0f8fad5bd9cb469fa16570867728950e');
  await expect(receive.getByLabel('Response', { exact: true })).toHaveValue('https://offer.example/x');

  await page.goto(`/apps?search=${name}`);
  await expect(listRows(page)).toHaveCount(1);
  await expect(rowOf(page, `com.${name}.app`)).toContainText(`${name}.example`);
});

test('[CONF-060] [CONF-061] [CONF-062] [CONF-064] [AMB-091] a value that another app has, archived or not, is reported while typing', async ({
  page,
}) => {
  await page.goto('/apps/create');
  for (const [label, text, message] of [
    ['Name', 'goal rush', 'The "name" goal rush was previously used.'],
    ['Bundle', 'COM.turftips.app', 'The "bundle" COM.turftips.app was previously used.'],
  ] as const) {
    await page.getByLabel(label, { exact: true }).fill(text);
    await expect(page.getByText(message)).toBeVisible();
  }
  await expect(save(page)).toBeDisabled();
});

test('[CONF-069] [AUTH-061] what is typed is not lost by leaving unasked, nor by a session that ends', async ({ page }) => {
  await page.clock.install();
  await endTokenIn(page, 120_000);
  await page.goto('/apps/create');
  await page.getByLabel('Name', { exact: true }).fill('Half an app');
  await page.getByRole('link', { name: 'Apps' }).first().click();
  await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible();
  await page.getByRole('button', { name: 'Stay here' }).click();
  await page.clock.fastForward(301_000);
  const popup = page.getByRole('dialog', { name: 'You are not authorized' });
  await popup.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await expect(popup).toHaveCount(0);
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Half an app');
});

test.describe('without the permission', () => {
  test.use({ account: 'reviewer' });

  test('[CONF-001] [UACC-006] the page does not open', async ({ page }) => {
    await page.goto('/apps/create');
    await expect(page).toHaveURL(/\/login$/);
  });
});

for (const width of [390, 1440]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 844 } });

    test('[CONF-026] [CONF-033] the form is accessible, also with everything wrong, and fits its window', async ({ page }) => {
      await page.goto('/apps/create');
      await page.getByLabel('Name', { exact: true }).fill(' x');
      await page.getByLabel('Domain', { exact: true }).fill('https://x');
      await page.getByLabel('Code').nth(1).selectOption('302');
      await page.getByLabel('Response', { exact: true }).nth(1).fill('no address');
      await page.getByRole('radio', { name: 'Custom (Adspect)' }).check();
      await page.getByRole('textbox', { name: 'Adspect Cloak ID' }).fill('no id');
      await page.getByRole('radio', { name: 'Casino', exact: true }).check();
      await page.getByRole('combobox', { name: 'Add users' }).click();
      await page.getByRole('listbox', { name: 'Add users' }).getByRole('option').first().click();
      await page.keyboard.press('Escape');
      await expect(page.getByText('4 fields need to be corrected')).toBeVisible();
      // Where the page happens to be scrolled to, the header may lie over half a link.
      await page.evaluate('scrollTo(0, 0)');
      await expectAccessible(page);
      await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    });
  });
}
