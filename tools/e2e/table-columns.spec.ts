import type { Page } from '@playwright/test';
import { expect, test } from './console-test.ts';
import { handIn, ownClient } from '../console/hand-in.ts';
import { changeAnswer, headers, listRows } from '../console/list-rows.ts';

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

  test('[APPS-071, WID-082] leave the columns in the specified order at every width', async ({ page }) => {
    await openMillions(page);
    for (const width of [768, 1024, 1440, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      const specified = ['#', 'Name', 'Bundle', 'Domain', 'V', 'T_C', 'T_R', 'QA_C', 'QA_R', 'Bots', 'U'];
      const figures = ['All_C', 'All_R', 'All_Push', 'All_Conversion', '7 days', 'Actions', 'Archive or restore'];
      await expect.poll(() => headers(page)).toEqual([...specified, ...figures]);
    }
  });

  test('[APPS-029, APPS-031] up to U are in view at 1440 px with the menu open, all of them at 1920 px', async ({ page }) => {
    await openMillions(page);
    await expect(page.getByRole('button', { name: 'Close menu' })).toBeVisible();
    await expect.poll(() => headersInView(page)).toContain('U');
    await page.setViewportSize({ width: 1920, height: 900 });
    await expect.poll(() => headersInView(page)).toContain('All_Conversion');
  });
});

test('[REQ-035] the types of all requests are in view at 768 px, with long addresses and labels', async ({ page, run }) => {
  await page.setViewportSize({ width: 768, height: 900 });
  const client_uid = ownClient();
  await handIn(run, [
    { type: 'receive', client_uid, ip: '2001:db8:aaaa:bbbb:cccc:dddd:eeee:ffff', country: 'DE', bot: 'HLL VLA ORG', body_request: {} },
    { type: 'receive', client_uid, ip: '203.203.203.203' },
  ]);
  await page.goto(`/requests?search=${client_uid}`);
  await expect(listRows(page)).toHaveCount(2);
  await expect.poll(() => headersInView(page)).toEqual(['#', 'App', 'Stream', 'IP', 'Bot', 'Date', 'Req_Type']);
  await expect.poll(() => cutCells(page, 'td:has([class*=date])')).toEqual([]);
});

test.describe('nothing moves', () => {
  for (const [id, path, call] of [
    // The sums are asked beside the rows: whichever came later would decide whether figures become wider.
    ['APPS-072', '/apps', /\/api\/apps\?/],
    ['REQ-036', '/requests', /\/api\/all-requests/],
  ] as const) {
    for (const width of [768, 1440]) {
      test(`[${id}] when the rows of ${path} arrive late at ${width} px`, async ({ page, run }) => {
        await handIn(
          run,
          Array.from({ length: 40 }, () => ({ type: 'create' as const })),
        );
        await page.setViewportSize({ width, height: 900 });
        let release: () => void = () => undefined;
        const released = new Promise<void>((resolve) => (release = resolve));
        await page.route(call, async (route) => {
          await released;
          await route.fallback();
        });
        await page.addInitScript(`
          window.shifts = [];
          new PerformanceObserver((list) => {
            for (const { value, sources } of list.getEntries())
              // The words of a button change where they stand.
              if (value > 0.001) for (const { node, previousRect, currentRect } of sources)
                window.shifts.push([value, (node?.textContent ?? '').slice(0, 60), JSON.stringify([previousRect, currentRect])]);
          }).observe({ type: 'layout-shift', buffered: true });
        `);
        await page.goto(path);
        await expect(page.getByRole('grid')).toHaveAttribute('aria-busy', 'true');
        await page.evaluate('document.fonts.ready.then(() => { window.shifts.length = 0; })');
        release();
        await expect(listRows(page).first()).toBeVisible();
        await page.waitForLoadState('networkidle');
        expect(await page.evaluate('window.shifts')).toEqual([]);
      });
    }
  }
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

test('[APPS-074] the domain of three links is whole at 1920 px', async ({ page }) => {
  await page.setViewportSize({ width: 1920, height: 900 });
  await changeAnswer(page, /\/api\/apps\?/, (body) => {
    const link = { server_name: 'edge', is_bind: true, ssl_at: null, registrar: null, is_only_cf: false, error: null, next_stage_at: null };
    const links = [1, 2, 3].map((id) => ({ ...link, id, server_id: id, status: 'ok' }));
    inMillions(body.data);
    Object.assign(body.data[0] ?? {}, { domain: 'three-links.example', check_domains: links });
  });
  await page.goto('/apps');
  const domain = page.getByText('three-links.example', { exact: true });
  await expect(domain).toBeVisible();
  await expect.poll(() => domain.evaluate((text) => text.closest('span')?.scrollWidth === text.closest('span')?.clientWidth)).toBe(true);
  const top = async (place: typeof domain) => (await place.boundingBox())?.y ?? 0;
  expect(await top(listRows(page).first().locator('[data-icon]').first())).toBeGreaterThan((await top(domain)) + 10);
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
