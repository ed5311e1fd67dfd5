import type { Page } from '@playwright/test';
import { expect, test } from './console-test.ts';
import { fillSignIn } from '../console/sign-in-form.ts';

test.use({ account: 'guest' });

/** Has sign-in fail with the given answers, one after the other; the last one stays. */
async function failSignIn(page: Page, ...answers: { status: number; body: string; contentType?: string }[]): Promise<void> {
  let next = 0;
  await page.route('**/api/sanctum/login', (route) => {
    const { status, body, contentType = 'application/json' } = answers[Math.min(next, answers.length - 1)] ?? { status: 500, body: '{}' };
    next += 1;
    return route.fulfill({ status, body, contentType });
  });
}

const says = (message: string): string => JSON.stringify({ success: false, message });

test('[ERR-012, ERR-014, WID-028] another failure shows a danger toast that closes on click', async ({ page }) => {
  await failSignIn(page, { status: 503, body: says('Database is unavailable, try again') });
  await page.goto('/login');
  await fillSignIn(page, 'a@example.com', 'x');
  const toast = page.getByTestId('notification');
  await expect(toast).toContainText('Database is unavailable, try again');
  await expect(toast).toHaveAttribute('data-type', 'danger');
  await toast.getByText('Database is unavailable').click();
  await expect(toast).toHaveCount(0);
});

test('[ERR-009] 403 shows no toast', async ({ page }) => {
  await failSignIn(page, { status: 403, body: says('You have no permission for this action') });
  await page.goto('/login');
  const loginAnswer = page.waitForResponse('**/api/sanctum/login');
  await fillSignIn(page, 'a@example.com', 'x');
  await loginAnswer;
  await expect(page.getByRole('button', { name: 'Login' })).toBeEnabled();
  await expect(page.getByTestId('notification')).toHaveCount(0);
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('[ERR-012, WID-023] a newer failure of the same action takes the place of the one before', async ({ page }) => {
  await failSignIn(page, { status: 500, body: says('first') }, { status: 500, body: says('second') });
  await page.goto('/login');
  await fillSignIn(page, 'a@example.com', 'x');
  const toast = page.getByTestId('notification');
  await expect(toast).toContainText('first');
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(toast).toContainText('second');
  await expect(toast).toHaveCount(1);
});
