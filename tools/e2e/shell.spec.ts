import { productVersion } from '../../packages/contract/src/limits.ts';
import { versionTone } from '../../packages/web/src/shell/version-tone.ts';
import { accounts } from '../console/accounts.ts';
import { expect, storedValue, test } from './console-test.ts';
import { expectAccessible } from './expect-accessible.ts';

test('[SHELL-006, SHELL-008, APPS-002] each page has its title', async ({ page }) => {
  await page.goto('/');
  await expect(page).toHaveTitle('Home | Switchyard');
  await page.goto('/apps');
  await expect(page).toHaveTitle('Apps | Switchyard');
  await page.goto('/requests');
  await expect(page).toHaveTitle('Phone Requests | Switchyard');
});

test('[SHELL-008, SHELL-010, SHELL-012, AMB-031] names, title and version come from the deployment', async ({ page }) => {
  await page.route('**/api/settings', async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    const data = { ...body.data, appTitle: 'Yard 7', productName: 'Yard', version: '2.0.0-dev' };
    await route.fulfill({ response: answer, json: { ...body, data } });
  });
  await page.goto('/');
  await expect(page).toHaveTitle('Home | Yard 7');
  await expect(page.getByRole('banner').getByText('Yard', { exact: true })).toBeVisible();
  await expect(page.getByTestId('version')).toHaveAttribute('data-tone', 'danger');
});

test('[SHELL-009, SHELL-010, SHELL-011, SHELL-015, SHELL-024, SHELL-028, SHELL-033] the frame shows menu, product and version', async ({
  page,
}) => {
  await page.goto('/');
  await expect(page.getByRole('banner').getByText('Switchyard')).toBeVisible();
  await expect(page.getByTestId('version')).toHaveText(productVersion);
  await expect(page.getByTestId('version')).toHaveAttribute('data-tone', versionTone(productVersion));
  const menu = page.getByRole('navigation', { name: 'Main' });
  const pagesOfSpecification = 'Apps, Servers, ASNs, Black IP, All Requests, Roles, Users, All logs, App logs, DevDoc'.split(', ');
  const analyse = ['Reports', 'Schedules', /^Incidents\d*$/];
  await expect(menu.getByRole('link')).toHaveText(
    ['Home', pagesOfSpecification, analyse, 'Service accounts', 'API tokens', 'Channels', 'Inbox', 'Activity'].flat(),
  );
  await menu.getByRole('link', { name: 'All Requests' }).click();
  await expect(page).toHaveURL(/\/requests$/);
  await expect(page.getByRole('heading', { name: 'Phone Requests', level: 1 })).toBeVisible();
  await expect(menu.getByRole('link', { name: 'All Requests' })).toHaveAttribute('aria-current', 'page');
  await menu.getByRole('link', { name: 'Apps' }).click();
  await expect(page).toHaveURL(/\/apps$/);
});

test('[SHELL-068] groups of the menu close and stay so', async ({ page }) => {
  await page.goto('/');
  const menu = page.getByRole('navigation', { name: 'Main' });
  await expect(menu.getByRole('button')).toHaveText(['Logs', /^Analyse/, 'Access', 'System']);
  await menu.getByRole('button', { name: 'System' }).click();
  await expect(menu.getByRole('link', { name: 'Activity' })).toHaveCount(0);
  await page.reload();
  await expect(menu.getByRole('link', { name: 'Reports' })).toBeVisible();
  await expect(menu.getByRole('link', { name: 'Activity' })).toHaveCount(0);
  await menu.getByRole('button', { name: 'System' }).click();
  await expect(menu.getByRole('link', { name: 'Activity' })).toBeVisible();
});

test.describe('manager', () => {
  test.use({ account: 'manager' });

  test('[SHELL-034, AMB-001] menu and home offer only what the account may open', async ({ page }) => {
    await page.goto('/');
    await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link')).toHaveText([
      'Home',
      'Apps',
      'Users',
      'Schedules',
      'Incidents',
    ]);
    const sections = page.getByRole('list', { name: 'Sections' }).getByRole('link');
    await expect(sections).toHaveCount(4);
    await sections.filter({ hasText: 'Apps' }).first().click();
    await expect(page).toHaveURL(/\/apps$/);
  });
});

test('[SHELL-016, SHELL-017, KEY-007] the theme is switched for the whole interface and survives a reload', async ({ page }) => {
  await page.goto('/');
  const html = page.locator('html');
  const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  await expect(html).toHaveAttribute('data-mantine-color-scheme', 'light');
  const light = await background();
  await page.getByRole('button', { name: 'Switch to dark theme' }).click();
  await expect(html).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await expect.poll(() => background()).not.toBe(light);
  await expect.poll(() => storedValue(page, 'theme')).toBe('dark');
  await page.reload();
  await expect(page.getByRole('button', { name: 'Switch to light theme' })).toBeVisible();
  await expect(html).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('radiogroup').getByText('System', { exact: true }).click();
  await expect(html).toHaveAttribute('data-mantine-color-scheme', 'light');
  expect(await storedValue(page, 'theme')).toBeNull();
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(html).toHaveAttribute('data-mantine-color-scheme', 'dark');
});

test('[SHELL-017] the stored theme is there before the console itself has loaded', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('switchyard_theme', 'dark'));
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.goto('/login');
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await expect(page.locator('#root')).toBeEmpty();
});

test('[SHELL-021, SHELL-023, CONST-047] the desktop menu closes to icons and stays so', async ({ page }) => {
  await page.goto('/');
  const menu = page.getByRole('navigation', { name: 'Main' });
  await expect(menu).toHaveCSS('width', '224px');
  await page.getByRole('button', { name: 'Close menu' }).click();
  await expect(menu).toHaveCSS('width', '64px');
  await expect.poll(() => storedValue(page, 'menu_opened')).toBe('false');
  await page.reload();
  await expect(menu).toHaveCSS('width', '64px');
  await menu.getByRole('link', { name: 'Apps' }).hover();
  await expect(page.getByRole('tooltip', { name: 'Apps' })).toBeVisible();
  await page.getByRole('button', { name: 'Open menu' }).click();
  await expect(menu).toHaveCSS('width', '224px');
});

test('[SHELL-022, SHELL-045, AMB-035] below 1140 px the menu is a drawer, from there on beside the page', async ({ page }) => {
  await page.setViewportSize({ width: 1140, height: 800 });
  await page.goto('/');
  await expect(page.getByText('Welcome')).toBeVisible();
  const beside = page.getByRole('navigation', { name: 'Main' });
  const open = page.getByRole('button', { name: 'Open navigation' });
  await expect(beside).toBeVisible();
  await expect(open).toBeHidden();
  for (const [width, link] of [
    [1139, 'Servers'],
    [390, 'Apps'],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await expect(beside).toBeHidden();
    await open.click();
    await page.getByRole('dialog').getByRole('link', { name: link }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    const overflow = () => page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    await expect.poll(overflow).toBeLessThanOrEqual(0);
  }
  await expect(page).toHaveURL(/\/apps$/);
});

test('[SHELL-042, AUTH-066, AMB-034, AUTH-024, AMB-022] the server time is shown and refreshed every minute', async ({ page }) => {
  await page.clock.install();
  let callCount = 0;
  page.on('request', (request) => (callCount += request.url().endsWith('/api/time') ? 1 : 0));
  await page.goto('/');
  await expect(page.getByTestId('server-time')).toHaveText(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2} GMT\+02:00$/);
  await expect.poll(() => storedValue(page, 'gmt')).toBe('+02:00');
  const before = callCount;
  await page.clock.fastForward(60_500);
  await expect.poll(() => callCount).toBe(before + 1);
});

for (const account of ['guest', 'super'] as const) {
  test.describe(`404 page for ${account}`, () => {
    test.use({ account });

    test('[SHELL-004, ERR-025, AMB-030] an unknown path shows it, with a way home', async ({ page }) => {
      await page.goto('/no/such/page');
      await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
      await expect(page).toHaveTitle('Page not found | Switchyard');
      await expect(page).toHaveURL(/\/no\/such\/page$/);
      await expect(page.getByRole('navigation', { name: 'Main' })).toHaveCount(account === 'guest' ? 0 : 1);
      await page.getByRole('link', { name: 'Go home' }).click();
      await expect(page).toHaveURL(account === 'guest' ? /\/login$/ : /:\d+\/$/);
    });
  });
}

test('[SHELL-040] the loading bar shows while a call runs', async ({ page }) => {
  let answer = (): void => undefined;
  const holding = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.goto('/');
  await expect(page.getByTestId('loading-bar')).not.toHaveAttribute('data-active');
  await page.route('**/api/apps?*', async (route) => {
    await holding;
    await route.continue();
  });
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Apps' }).click();
  await expect(page.getByTestId('loading-bar')).toHaveAttribute('data-active');
  answer();
  await expect(page.getByTestId('loading-bar')).not.toHaveAttribute('data-active');
});

test('[SHELL-045] the keyboard reaches the content past the menu', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByText(`Welcome, ${accounts.super.name}.`)).toBeVisible();
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await expect(skip).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
});

test('[ERR-002] a console that cannot reach its server says so and can try again', async ({ page }) => {
  await page.route('**/api/settings', (route) => route.abort());
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'The console cannot be reached' })).toBeVisible();
  await page.unroute('**/api/settings');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('Welcome')).toBeVisible();
});

for (const [account, theme] of [
  ['restricted', 'dark'],
  ['reviewer', 'light'],
] as const) {
  test.describe(`${account} on a phone, ${theme}`, () => {
    test.use({ account, theme, viewport: { width: 390, height: 844 } });

    test('[SHELL-064] every page of the menu opens, is accessible and does not scroll sideways', async ({ page }) => {
      // No page of the menu, so that each link leads to another page than the one it is on.
      await page.goto('/account');
      const drawer = page.getByRole('dialog').getByRole('link');
      const open = async (): Promise<void> => {
        await page.getByRole('button', { name: 'Open navigation' }).click();
        await expect(drawer.first()).toBeVisible();
      };
      await open();
      const names = await drawer.allTextContents();
      expect(names.length).toBeGreaterThan(1);
      for (const [at, name] of names.entries()) {
        if (at > 0) await open();
        // The page sets it again once it is there: the heading may still be that of the page before.
        await page.evaluate(`document.title = ''`);
        await drawer.filter({ hasText: name }).first().click();
        await expect(page).toHaveTitle(/./u);
        await expect(page.getByRole('dialog')).toHaveCount(0);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
        const overflow = () => page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
        await expect.poll(overflow, name).toBeLessThanOrEqual(0);
        await expectAccessible(page);
      }
    });
  });
}
