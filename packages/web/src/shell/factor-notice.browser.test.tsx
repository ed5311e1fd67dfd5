import { expect, describe, it } from 'vitest';
import { page } from 'vitest/browser';
import { sessionStore } from '../shared/session/session-store.ts';
import { renderPages } from '../testing/render-pages.tsx';
import { stubApi } from '../testing/stub-api.ts';
import { FactorNotice } from './factor-notice.tsx';

const day = 86_400_000;
const wire = (instant: number): string => new Date(instant).toISOString().slice(0, 19).replace('T', ' ');

let calls = 0;

async function render(own: object): Promise<void> {
  const data = { factors: [], recovery_codes_left: 0, required: false, required_from: null, may_add: true, ...own };
  calls = 0;
  stubApi(() => {
    calls += 1;
    return Promise.resolve(Response.json({ success: true, data }));
  });
  sessionStore.open({
    user: {
      id: 1,
      name: 'Olga',
      email: 'o@x.y',
      panel: 'user',
      roles: [],
      badges: [],
      permissions: [],
      hasAllApps: true,
      isSuperAdmin: false,
    },
    token: { accessToken: 'swy_1', expiresAt: Date.now() + 3_600_000 },
  });
  await renderPages([['/', 'Home', FactorNotice]], ['/']);
}

const notice = page.getByRole('complementary', { name: 'Second factor' });

describe('the notice of a coming rule', () => {
  it('[IDN-093] names the day and the days left, and leads to My account', async () => {
    const start = Math.ceil(Date.now() / day) * day + 7 * day;
    await render({ required_from: wire(start) });
    await expect.element(notice).toMatchTextContent(/needs a second factor from \d\d\.\d\d\.\d{4}\. 8 days left/);
    await expect.element(notice.getByRole('link', { name: 'Add second factor' })).toHaveAttribute('href', '/account');
  });

  it('[IDN-093] says when less than a day is left', async () => {
    await render({ required_from: wire(Date.now() + day / 2) });
    await expect.element(notice).toMatchTextContent(/Less than a day left/);
  });

  it('[IDN-093] is absent without such a rule and with a second factor', async () => {
    const factor = { id: 1, kind: 'totp', name: 'Phone', created_at: '2026-11-20 10:11:12', last_used_at: null };
    await render({ required_from: wire(Date.now() + 9 * day), factors: [factor] });
    await expect.poll(() => calls).toBe(1);
    await expect.element(notice).not.toBeInTheDocument();
  });
});
