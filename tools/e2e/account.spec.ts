import type { APIRequestContext } from '@playwright/test';
import { createJourneyBuyer, createJourneyUser, journeyPassword } from './account-api.ts';
import { expect, test } from './console-test.ts';
import { fillSignIn } from '../console/sign-in-form.ts';

const newPassword = 'Harbour-Lantern-58';

/** Signs in beside the page; gives the status of the answer and the token. */
async function signIn(request: APIRequestContext, email: string, password: string): Promise<{ status: number; token: string }> {
  const answer = await request.post('/api/sanctum/login', { data: { email, password } });
  return { status: answer.status(), token: answer.ok() ? (await answer.json()).data.token.accessToken : '' };
}

test.use({ account: 'guest' });

for (const [who, create] of [
  ['a staff account', createJourneyUser],
  ['a buyer', createJourneyBuyer],
] as const) {
  test(`[O39] [S38] ${who} changes the own password, which ends the other sessions only`, async ({ page, request, run }) => {
    const { name, email } = await create(run);
    const { token } = await signIn(request, email, journeyPassword);
    const other = async (): Promise<number> =>
      (await request.get('/api/sanctum/user', { headers: { authorization: `Bearer ${token}` } })).status();

    await page.goto('/login');
    await fillSignIn(page, email, journeyPassword);
    await page.getByRole('button', { name: `Account of ${name}` }).click();
    await page.getByRole('link', { name: 'My account' }).click();
    await expect(page).toHaveURL(/\/account$/);
    await expect(page).toHaveTitle('My account | Switchyard');
    await expect(page.getByRole('main').getByText(email, { exact: true })).toBeVisible();
    await expect(page.getByRole('listitem').filter({ hasText: 'This session' })).toHaveCount(1);

    const current = page.getByLabel('Current password', { exact: true });
    const change = page.getByRole('button', { name: 'Change password' });
    await current.fill('Wrong-Lantern-58');
    await page.getByLabel('New password', { exact: true }).fill(newPassword);
    await change.click();
    await expect(current).toHaveAccessibleDescription('*The current password is wrong');
    await expect(current).toBeFocused();
    await expect(page.getByTestId('notification')).toHaveCount(0);
    expect(await other()).toBe(200);

    await current.fill(journeyPassword);
    await change.click();
    await expect(page.getByTestId('notification')).toContainText('Your password is changed. All your other sessions have ended');
    await expect(current).toHaveValue('');
    expect(await other()).toBe(401);
    await page.reload();
    await expect(page.getByRole('listitem').filter({ hasText: 'This session' })).toHaveCount(1);
    await expect(page).toHaveURL(/\/account$/);
    expect((await signIn(request, email, journeyPassword)).status).not.toBe(200);
    expect((await signIn(request, email, newPassword)).status).toBe(200);
  });
}
