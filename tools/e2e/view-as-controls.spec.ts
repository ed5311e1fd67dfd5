import type { Page } from '@playwright/test';
import { viewAsMessages } from '@switchyard/contract/view-as';
import { z } from 'zod';
import { callApi } from '../console/app-api.ts';
import { fillSignIn } from '../console/sign-in-form.ts';
import { createJourneyBuyer, createJourneyUser, journeyPassword } from './account-api.ts';
import { expect, test } from './console-test.ts';

// A session has one view at a time.
test.use({ account: 'guest' });

type Run = Parameters<typeof callApi>[0];

/** The routes of the console. Its types need a browser, so they are read as data. */
const routeTable = z.object({ routeTable: z.array(z.looseObject({ path: z.string(), isLoginPage: z.boolean().optional() })) });
const routeFile = '../../packages/web/src/shell/route-table.ts';

const banner = (page: Page) => page.getByRole('region', { name: 'View as' });

/** The id of the first row of a list. */
async function firstOf(run: Run, path: string): Promise<string> {
  const [row] = z.array(z.object({ id: z.int() })).parse(await callApi(run, 'super', 'GET', path));
  if (row === undefined) throw new Error(`${path} has no rows`);
  return String(row.id);
}

const parts = 4;
/** The part of a route, which follows from its path: a further route moves no other one. */
const partOf = (path: string): number => Buffer.from(path).reduce((sum, byte) => sum + byte, 0) % parts;

/** The addresses of the screens of signed-in accounts that are in a part, each with an entity of the run. */
async function listScreens(run: Run, part: number): Promise<string[]> {
  const webhook = { name: 'Read only', target: { kind: 'webhook', url: 'http://127.0.0.1:9/' } };
  const { channel } = z.object({ channel: z.object({ id: z.int() }) }).parse(await callApi(run, 'super', 'POST', 'channels', webhook));
  const day = new Date().toISOString().slice(0, 10);
  const entities: Readonly<Record<string, string>> = {
    '/apps/': await firstOf(run, 'apps'),
    '/servers/': await firstOf(run, 'servers'),
    '/incidents/rules/': await firstOf(run, 'alerts/rules'),
    '/incidents/': await firstOf(run, 'incidents'),
    '/clients/': 'client-1',
    '/addresses/': '203.0.113.9',
    '/roles/user/': '3',
    '/roles/buyer/': '5',
    '/roles/': '3',
    '/channels/': String(channel.id),
    '/users/buyers/': String((await createJourneyBuyer(run)).id),
    '/users/': String((await createJourneyUser(run)).id),
    '/logs/': day,
    '/app-logs/': day,
  };
  const { routeTable: routes } = routeTable.parse({ ...(await import(routeFile)) });
  return routes.flatMap(({ path, isLoginPage }) => {
    if (isLoginPage === true || partOf(path) !== part) return [];
    const prefix = Object.keys(entities).find((start) => path.startsWith(`${start}$`));
    if (prefix === undefined) return path.includes('$') ? [] : [path];
    return [path.replace(/\$\w+/, entities[prefix] ?? '')];
  });
}

/**
 * A script that clicks the next enabled control of the page that is not tried yet, or of the dialog or menu over it, waits until that is
 * painted, and gives the control's name; null if there is none, and an empty text if a dialog has none left. Of the controls of rows, which
 * are named after them, one of each kind is enough.
 */
const clickNext = (tried: readonly string[]): string => `(async () => {
  const layers = [...document.querySelectorAll('[role="dialog"], [role="menu"], [role="listbox"]')].filter((one) => one.checkVisibility());
  const layer = layers.at(-1) ?? document.querySelector('main');
  const title = layers.length === 0 ? '' : (layer.querySelector('h2')?.textContent ?? layer.role) + ' › ';
  const selector = 'button:enabled, [role="menuitem"]:not([data-disabled]), [role="menuitemradio"], input[type="checkbox"]:enabled';
  for (const control of layer.querySelectorAll(selector)) {
    const label = control.getAttribute('aria-label')?.split(' ')[0] ?? control.textContent.replaceAll(/[\\d.,]+/g, '#');
    if (${JSON.stringify(tried)}.includes(title + label)) continue;
    control.click();
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return title + label;
  }
  return layers.length === 0 ? null : '';
})()`;

async function open(page: Page, screen: string): Promise<void> {
  await page.goto(screen);
  await page.locator('main').waitFor();
  await page.waitForLoadState('networkidle');
}

/** Signs in as somebody who may do everything, and views as a role. */
async function viewAsSuperAdmin(page: Page, run: Run): Promise<void> {
  const viewer = await createJourneyUser(run, { roles: ['Super Admin'] });
  await page.goto('/login');
  await fillSignIn(page, viewer.email, journeyPassword);
  await expect(page).toHaveURL(/\/apps$/);
  await page.goto('/roles');
  await page.getByRole('button', { name: 'View as Super Admin' }).click();
  await expect(banner(page)).toContainText('Read only, 15 min left');
}

test('[PERMX-029] my account shows no form in a view', async ({ page, run }) => {
  await viewAsSuperAdmin(page, run);
  await page.goto('/account');
  await expect(page.getByText(viewAsMessages.notShown)).toBeVisible();
  await expect(page.locator('main').locator('form, button')).toHaveCount(0);
});

// Some fifty screens, in tests that run side by side.
for (const part of Array.from({ length: parts }).keys())
  test(`[PERMX-027] no control of any screen writes in a view, and no form can be filled (${part + 1} of ${parts})`, async ({
    page,
    run,
  }) => {
    test.setTimeout(400_000);
    const screens = await listScreens(run, part);
    await viewAsSuperAdmin(page, run);
    let last = '';
    const writes: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      const isFile = /download|\/raw$|log\.xlsx/.test(pathname);
      if (pathname.startsWith('/api/') && (request.method() !== 'GET' || isFile)) writes.push(`${last}: ${request.method()} ${pathname}`);
    });
    let lockedCount = 0;
    for (const screen of screens) {
      await open(page, screen);
      lockedCount += await page.locator(`main [title="${viewAsMessages.readOnly}"]`).count();
      const fields = await page.locator('main form:has([data-save-bar]) :is(input, textarea, select):enabled').count();
      if (fields > 0) writes.push(`${screen}: ${fields} fields can be filled`);
      const tried: string[] = [];
      for (;;) {
        last = `${screen} ${tried.at(-1) ?? ''}`;
        const name = await page.evaluate<string | null>(clickNext(tried));
        if (name === null) break;
        last = `${screen} ${name}`;
        if (name === '') {
          await page.keyboard.press('Escape');
          if (tried.at(-1) === '') await open(page, screen);
        }
        tried.push(name);
        if (new URL(page.url()).pathname !== screen) await open(page, screen);
      }
    }
    expect(writes).toEqual([]);
    // Otherwise the screens were not reached; of all parts together more than 50.
    expect(lockedCount).toBeGreaterThan(12);
    await expect(banner(page)).toBeVisible();
  });
