import type { Page } from '@playwright/test';
import { expect, test } from './console-test.ts';
import { changeAnswer, listRows } from '../console/list-rows.ts';

test.use({ account: 'catalogue' });

/** Makes every counter of an answer a number in the millions. */
function inMillions(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if ('all' in value && 'success' in value && typeof value.all === 'number') Object.assign(value, { all: 1_516_094, success: 1_495_312 });
  else for (const part of Object.values(value)) inMillions(part);
}

async function openMillions(page: Page): Promise<void> {
  await changeAnswer(page, /\/api\/apps\?/, (body) => {
    inMillions(body.data);
    Object.assign(body.data[1] ?? {}, { bundle: `com.${'w'.repeat(80)}.app` });
  });
  await page.goto('/apps');
  await expect(listRows(page)).toHaveCount(20);
  await page.evaluate('document.fonts.ready');
}

/** Texts of the cells of a column's kind that their column cuts off. */
const cutCells = (page: Page, cells: string) =>
  page.locator(cells).evaluateAll((all) => all.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent));

/** The headers in view that nothing covers. */
const headersInView = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const frame = document.querySelector('table').parentElement.getBoundingClientRect();
    const end = Math.min(frame.right, ...[...document.querySelectorAll('th[data-pin=end]')].map((th) => th.getBoundingClientRect().left));
    return [...document.querySelectorAll('th:not([data-pin=end])')]
      .filter((th) => th.getBoundingClientRect().right <= end + 1)
      .map((th) => th.textContent.trim());
  })()`);

test.describe('numbers', () => {
  test('[APPS-022, APPS-028] in the millions are never cut', async ({ page }) => {
    await openMillions(page);
    const figure = listRows(page).first().locator('td[data-figure]').first();
    for (const width of [768, 1024, 1440, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      await expect(figure).toHaveText('1.52M | 1.5M');
      await expect.poll(() => cutCells(page, 'td[data-figure]')).toEqual([]);
    }
    await figure.locator('[data-tooltip]').hover();
    await expect(page.getByRole('tooltip')).toContainText('1,516,094 in all, 1,495,312 successful');
    await page.setViewportSize({ width: 3000, height: 900 });
    await expect(figure).toHaveText('1,516,094 | 1,495,312');
    await expect.poll(() => cutCells(page, 'td[data-figure]')).toEqual([]);
  });

  test('[APPS-029, APPS-031] up to All_R are in view at 1440 px with the menu open, all of them at 1920 px', async ({ page }) => {
    await openMillions(page);
    await expect(page.getByRole('button', { name: 'Close menu' })).toBeVisible();
    await expect.poll(() => headersInView(page)).toContain('All_R');
    await page.setViewportSize({ width: 1920, height: 900 });
    await expect.poll(() => headersInView(page)).toContain('All_Conversion');
  });
});

test('[APPS-016] a name keeps its 28 characters at 1440 px, on two lines', async ({ page }) => {
  await openMillions(page);
  const name = page.getByText('Golden Compass Fantasy Leagu...', { exact: true });
  await expect(name).toBeVisible();
  const isWhole = (): Promise<boolean> =>
    name.evaluate((text) => {
      const cell = text.closest('td');
      return [...(cell?.querySelectorAll('*') ?? [])].every(
        (part) => part.clientHeight === 0 || part.scrollHeight <= part.clientHeight + 1,
      );
    });
  await expect.poll(isWhole).toBe(true);
});

test('[SRV-007, SRV-008] dates of servers are whole', async ({ page }) => {
  await page.goto('/servers');
  await expect(listRows(page).first()).toBeVisible();
  for (const width of [1024, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => cutCells(page, 'td:has(> .tabular)')).toEqual([]);
  }
});

test.describe('widths that a reader chose', () => {
  test('are kept on this device and can be reset', async ({ page }) => {
    await page.goto('/servers');
    await expect(listRows(page).first()).toBeVisible();
    const header = page.getByRole('columnheader', { name: 'Name', exact: true });
    const width = async (): Promise<number> => Math.round((await header.boundingBox())?.width ?? 0);
    const before = await width();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('slider', { name: 'Width of Name' }).focus();
    await page.keyboard.press('Shift+ArrowRight');
    await expect.poll(width).toBe(before + 40);
    await page.reload();
    await expect.poll(width).toBe(before + 40);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('button', { name: 'Reset widths' }).click();
    await expect.poll(width).toBe(before);
  });
});
