import { home, type Home } from '@switchyard/contract/home';
import type { Page } from '@playwright/test';
import type { AccountName } from '../console/accounts.ts';
import { callApi } from '../console/app-api.ts';
import { expect, test } from './console-test.ts';
import { expectAccessible } from './expect-accessible.ts';
import type { RunState } from '../console/run-state.ts';

const heading = (page: Page) => page.getByRole('heading', { name: 'Needs attention', level: 2 });
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

async function homeOf(run: RunState, account: AccountName): Promise<Home> {
  return home.parse(await callApi(run, account, 'GET', 'home'));
}

/** Paths of the calls to the API that a page has made. */
function recordCalls(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', (request) => calls.push(new URL(request.url()).pathname));
  return calls;
}

test('[HOME-001, HOME-005, HOME-007] a super admin sees what needs attention and follows a link', async ({ page, run }) => {
  const { expiring_certificates: certificates } = await homeOf(run, 'super');
  const [first] = certificates?.rows ?? [];
  if (first === undefined) throw new Error('The demo has no certificate that runs out');
  await page.goto('/');
  await expect(heading(page)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Today', level: 2 })).toBeVisible();
  const section = card(page, 'Expiring certificates');
  await expect(section.getByRole('listitem')).toHaveCount(certificates?.rows.length ?? 0);
  await expect(section.getByRole('listitem').first()).toContainText(/(Expired|Expires in) .*, \d\d\.\d\d\.\d{4}/);
  await expectAccessible(page);
  await section.getByRole('link', { name: first.app.name, exact: true }).first().click();
  await expect(page).toHaveURL(new RegExp(`/apps/${first.app.id}/edit`));
});

test.describe('restricted', () => {
  test.use({ account: 'restricted' });

  test('[HOME-006] an account with few apps sees those alone, and no section that it may not', async ({ page, run }) => {
    const own = await homeOf(run, 'restricted');
    const all = await homeOf(run, 'super');
    expect(own.expiring_certificates?.total).toBeLessThan(all.expiring_certificates?.total ?? 0);
    expect([own.unseen_servers, own.traffic]).toEqual([null, null]);
    await page.goto('/');
    await expect(heading(page)).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Today', level: 2 })).toHaveCount(0);
    await expect(card(page, 'Servers not seen')).toHaveCount(0);
    const rows = card(page, 'Expiring certificates').getByRole('listitem');
    await expect(rows).toHaveCount(own.expiring_certificates?.rows.length ?? 0);
  });
});

test.describe('buyer', () => {
  test.use({ account: 'buyer' });

  test('[HOME-006] a buyer has the page as it was, and nothing is asked for', async ({ page }) => {
    const calls = recordCalls(page);
    await page.goto('/');
    await expect(page.getByRole('heading', { name: 'No sections available' })).toBeVisible();
    await expect(heading(page)).toHaveCount(0);
    expect(calls).not.toContain('/api/home');
  });
});
