import { expect, test } from './console-test.ts';
import { expectAccessible } from './expect-accessible.ts';
import { fillSignIn } from '../console/sign-in-form.ts';

for (const width of [390, 1440]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 844 } });

    test('[SHELL-016, SHELL-045] home, account menu, navigation and 404 are accessible', async ({ page }) => {
      await page.goto('/');
      // Axe reads the place of each control when it comes to it, so that nothing may move meanwhile.
      await expect(page.getByRole('heading', { name: 'Open incidents' })).toBeVisible();
      await expectAccessible(page);
      await page.getByRole('button', { name: /^Account of/ }).click();
      await expect(page.getByText('Logged As')).toBeVisible();
      await expectAccessible(page, { layer: '[role="dialog"]' });
      await page.getByRole('button', { name: /^About / }).click();
      const about = page.getByRole('dialog', { name: /^About / });
      await expect(about.getByText('Open data')).toBeVisible();
      await expectAccessible(page);
      for (const link of ['MIT', /^Packages/]) {
        const address = await about.getByRole('link', { name: link }).getAttribute('href');
        expect(await (await page.request.get(address ?? '')).text()).toContain('Permission is hereby granted');
      }
      await page.keyboard.press('Escape');
      if (width < 1140) {
        await page.getByRole('button', { name: 'Open navigation' }).click();
        await expect(page.getByRole('dialog')).toBeVisible();
        await expectAccessible(page);
      }
      await page.goto('/no/such/page');
      await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
      await expectAccessible(page);
    });
  });

  test.describe(`denied, ${width} px`, () => {
    test.use({ viewport: { width, height: 844 }, account: 'manager' });

    test('[AUTH-038] the login page that a denied page leads to is accessible', async ({ page }) => {
      await page.goto('/requests');
      await expect(page.getByRole('alert')).toHaveText('You do not have access to Phone Requests');
      await expectAccessible(page);
    });
  });

  test.describe(`login, ${width} px`, () => {
    test.use({ viewport: { width, height: 844 }, account: 'guest' });

    test('[AUTH-013, ERR-014] the login page with its error and a toast is accessible', async ({ page }) => {
      await page.route('**/api/sanctum/login', (route) =>
        route.fulfill(
          route.request().postDataJSON().password === 'toast'
            ? { status: 500, json: { success: false, message: 'Something went wrong' } }
            : { status: 401, json: { success: false, message: 'Invalid e-mail or password' } },
        ),
      );
      await page.goto('/login');
      await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
      await expectAccessible(page);
      await fillSignIn(page, 'a@example.com', 'toast');
      await expect(page.getByTestId('notification')).toBeVisible();
      await fillSignIn(page, 'a@example.com', 'wrong');
      await expect(page.getByRole('alert').filter({ hasText: 'Invalid' })).toBeVisible();
      await expectAccessible(page);
    });
  });
}
