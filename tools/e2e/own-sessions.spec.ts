import type { APIRequestContext, Page } from '@playwright/test';
import { createJourneyUser, journeyPassword } from './account-api.ts';
import { accounts, password } from '../console/accounts.ts';
import { agree } from './agree.ts';
import { expect, storedValue, test, widths } from './console-test.ts';
import { expectAccessible } from './expect-accessible.ts';
import { fillSignIn } from '../console/sign-in-form.ts';

const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1';

/** Signs an account in on a phone, beside the session of the page; gives the phone's token. */
async function signInOnPhone(request: APIRequestContext): Promise<string> {
  const answer = await request.post('/api/sanctum/login', {
    headers: { 'user-agent': phone },
    data: { email: accounts.restricted.email, password },
  });
  return (await answer.json()).data.token.accessToken;
}

/** Replaces the answers of the list. */
async function answerList(page: Page, answer: { status: number; json: unknown }): Promise<void> {
  await page.route('**/api/sanctum/sessions', (route) => route.fulfill(answer));
}

const card = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text });

test.describe('restricted', () => {
  // A sign-in of its own: these tests end the session they begin with.
  test.use({ account: 'guest' });

  test('[AUTH-057] [SHELL-018] [SHELL-046] the own sessions are reached from the avatar, and one can be ended', async ({
    page,
    request,
  }) => {
    const token = await signInOnPhone(request);
    await page.goto('/login');
    await fillSignIn(page, accounts.restricted.email, password);
    await expect(page).toHaveURL(/\/apps$/);
    await page.getByRole('button', { name: `Account of ${accounts.restricted.name}` }).click();
    await page.getByRole('link', { name: 'My sessions' }).click();
    await expect(page).toHaveURL(/\/sessions$/);
    await expect(page).toHaveTitle('My sessions | Switchyard');
    await expect(page.getByText('Logged As')).toHaveCount(0);
    await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'My sessions' })).toHaveCount(0);

    const own = card(page, 'This session');
    await expect(own).toHaveCount(1);
    await expect(own).toContainText(
      /Created\d\d\.\d\d\.\d{4} \d\d:\d\d:\d\dLast used\d\d\.\d\d\.\d{4} \d\d:\d\d:\d\dExpires\d\d\.\d\d\.\d{4}/,
    );
    const other = card(page, 'Safari 19 on iPhone').first();
    await expect(other).toContainText('127.0.0.1');
    const phones = await card(page, 'Safari 19 on iPhone').count();

    const button = other.getByRole('button', { name: /^End session on Safari 19 on iPhone/ });
    await button.click();
    const prompt = page.getByRole('dialog', { name: 'End this session?' });
    await prompt.getByRole('button', { name: 'Cancel' }).click();
    await expect(button).toBeFocused();
    await button.click();
    await prompt.getByRole('button', { name: 'OK' }).click();
    await expect(page.getByTestId('notification')).toContainText('The session on Safari 19 on iPhone has ended');
    await expect(card(page, 'Safari 19 on iPhone')).toHaveCount(phones - 1);
    const answer = await request.get('/api/sanctum/user', { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status()).toBe(401);
  });

  test('[AUTH-057] [S6] all other sessions end at once, and their pages sign out', async ({ page, request, browser, run }) => {
    // An account of its own: every other session of it ends.
    const person = await createJourneyUser(run);
    const signIn = async (at: Page): Promise<void> => {
      await at.goto(`${run.url}/login`);
      await fillSignIn(at, person.email, journeyPassword);
      await expect(at.getByRole('button', { name: `Account of ${person.name}` })).toBeVisible();
    };
    const elsewhere = await browser.newContext();
    const other = await elsewhere.newPage();
    await signIn(other);
    const token = (await (await request.post('/api/sanctum/login', { data: { email: person.email, password: journeyPassword } })).json())
      .data.token.accessToken;
    await signIn(page);
    await page.goto('/account');
    await page.getByRole('button', { name: 'End all other sessions' }).click();
    expect(await agree(page, 'End all other sessions?')).toEqual([
      'Your account is signed in at 2 other places. Anybody who uses it there must sign in again.',
      'You stay signed in here.',
    ]);
    await expect(page.getByTestId('notification')).toContainText('All other sessions have ended');
    await expect(page.getByRole('list', { name: 'My sessions' }).getByRole('listitem')).toHaveCount(1);
    await expect(page.getByRole('button', { name: 'End all other sessions' })).toHaveCount(0);
    expect((await request.get('/api/sanctum/user', { headers: { authorization: `Bearer ${token}` } })).status()).toBe(401);
    await other.goto(`${run.url}/sessions`);
    await expect(other).toHaveURL(/\/login$/);
    await elsewhere.close();
  });

  test('[AUTH-056] [AUTH-057] ending the session in use signs out', async ({ page }) => {
    await page.goto('/login');
    await fillSignIn(page, accounts.restricted.email, password);
    await expect(page).toHaveURL(/\/apps$/);
    await page.goto('/sessions');
    await card(page, 'This session').getByRole('button', { name: 'End this session and sign out' }).click();
    await page.getByRole('dialog', { name: 'Sign out here?' }).getByRole('button', { name: 'OK' }).click();
    await expect(page).toHaveURL(/\/login$/);
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expect.poll(() => storedValue(page, 'token')).toBeNull();
    await page.goto('/sessions');
    await expect(page).toHaveURL(/\/login$/);
  });
});

test('[AUTH-040] [AMB-026] a session that has ended meanwhile is taken off the list', async ({ page }) => {
  await page.route('**/api/sanctum/sessions/*', (route) => route.fulfill({ status: 404, json: { success: false, message: 'Not found' } }));
  await page.goto('/sessions');
  // The page asks for the list itself when it opens; only what follows is counted.
  await expect(card(page, 'This session')).toBeVisible();
  let callCount = 0;
  page.on('request', (request) => (callCount += request.url().endsWith('/sanctum/sessions') ? 1 : 0));
  await page.getByRole('button', { name: 'End this session and sign out' }).click();
  await page.getByRole('button', { name: 'OK' }).click();
  await expect.poll(() => callCount).toBe(1);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByTestId('notification')).toHaveCount(0);
});

test('[ERR-012] [AUTH-040] a list that could not be loaded says why and can be asked again', async ({ page }) => {
  await answerList(page, { status: 503, json: { success: false, message: 'Database is unavailable, try again' } });
  await page.goto('/sessions');
  await expect(page.getByRole('heading', { name: 'Your sessions could not be loaded' })).toBeVisible();
  await page.unroute('**/api/sanctum/sessions');
  await page.getByRole('main').getByRole('button', { name: 'Try again' }).click();
  await expect(card(page, 'This session')).toBeVisible();
});

test('[AMB-062] [ERR-009] a list without permission says so without a toast', async ({ page }) => {
  await answerList(page, { status: 403, json: { success: false, message: 'You have no permission for this action' } });
  await page.goto('/sessions');
  await expect(page.getByRole('heading', { name: 'No access' })).toBeVisible();
  await expect(page.getByTestId('notification')).toHaveCount(0);
});

test('[SHELL-038] an empty list and a loading list look different', async ({ page }) => {
  await page.route('**/api/sanctum/sessions', () => undefined);
  await page.goto('/sessions');
  await expect(page.getByRole('main').getByRole('status', { name: 'Loading' })).toBeVisible();
  await page.unroute('**/api/sanctum/sessions');
  await answerList(page, { status: 200, json: { success: true, data: [] } });
  await page.reload();
  await expect(page.getByRole('heading', { name: 'No sessions' })).toBeVisible();
});

for (const width of widths(390)) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 844 } });

    test('[SHELL-045] the own sessions are accessible and fit', async ({ page }) => {
      await page.goto('/sessions');
      await expect(card(page, 'This session')).toBeVisible();
      await expectAccessible(page);
      const overflow = () => page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
      await expect.poll(overflow).toBeLessThanOrEqual(0);
    });
  });
}
