import { home, type Home } from '@switchyard/contract/home';
import type { Page } from '@playwright/test';
import type { AccountName } from '../console/accounts.ts';
import { callApi } from '../console/app-api.ts';
import { expect, test } from './console-test.ts';
import { expectAccessible } from './expect-accessible.ts';
import type { RunState } from '../console/run-state.ts';

const heading = (page: Page) => page.getByRole('heading', { name: 'Open incidents', level: 2 });

async function homeOf(run: RunState, account: AccountName): Promise<Home> {
  return home.parse(await callApi(run, account, 'GET', 'home'));
}

/** Paths of the calls to the API that a page has made. */
function recordCalls(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', (request) => calls.push(new URL(request.url()).pathname));
  return calls;
}

const rows = (page: Page) => page.getByRole('region', { name: 'Open incidents', exact: true }).getByRole('listitem');

test('[HOME-001, HOME-003, HOME-007] a super admin sees what needs attention and follows a link', async ({ page, run }) => {
  const { incidents } = await homeOf(run, 'super');
  const group = incidents?.rows.find(({ total, worst }) => total > 1 && worst.app !== null);
  if (group === undefined) throw new Error('The demo has no rule with several incidents of apps');
  const { rule, reason } = group.worst;
  await page.goto('/');
  await expect(heading(page)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Today', level: 2 })).toBeVisible();
  await expect(rows(page)).toHaveCount(incidents?.rows.length ?? 0);
  const row = rows(page).filter({ hasText: rule.name });
  await expect(row).toContainText(reason);
  await expect(row).toContainText(/Since \d\d\.\d\d\.\d{4}/);
  await expectAccessible(page);
  await page.getByRole('link', { name: new RegExp(`^${rule.name} · \\d+ incidents$`) }).click();
  await expect(page).toHaveURL(new RegExp(`/incidents\\?.*ruleId=${rule.id}`));
  await expect(page.getByRole('link', { name: reason, exact: true })).toBeVisible();
});

test.describe('restricted', () => {
  test.use({ account: 'restricted' });

  test('[HOME-006] an account with few apps sees those alone, and no part that it may not', async ({ page, run }) => {
    const own = await homeOf(run, 'restricted');
    const all = await homeOf(run, 'super');
    expect(own.incidents?.total).toBeLessThan(all.incidents?.total ?? 0);
    expect(own.incidents?.rows.every(({ worst }) => worst.app !== null)).toBe(true);
    expect(own.traffic).toBeNull();
    await page.goto('/');
    await expect(heading(page)).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Today', level: 2 })).toHaveCount(0);
    await expect(rows(page)).toHaveCount(own.incidents?.rows.length ?? 0);
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
