import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { sessionStore } from '../shared/session/session-store.ts';
import { timeSpans } from '../shared/ui/display-limits.ts';
import { passTime, stopClock } from '../testing/clock.ts';
import { renderPages } from '../testing/render-pages.tsx';
import { stubApi } from '../testing/stub-api.ts';
import { SessionWatch } from './session-watch.tsx';

const user = {
  id: 1,
  name: 'Olga',
  email: 'o@x.y',
  panel: 'user' as const,
  hasAllApps: true,
  isSuperAdmin: false,
  roles: ['QA'],
  badges: ['Q'],
  permissions: [],
};

it('[IDN-033] asks for the second factor after the password in the dialog of an expired session, which keeps the page', async () => {
  const bodies: unknown[] = [];
  const token = { accessToken: 'swy_2', expiresAt: Date.now() + 3_600_000 };
  const ok = (data: unknown) => Response.json({ success: true, data });
  stubApi((url, init) => {
    bodies.push([url, typeof init.body === 'string' ? JSON.parse(init.body) : null]);
    if (url.endsWith('/login')) return ok({ second_factor: { methods: ['totp', 'recovery_code'], challenge: 'c1' } });
    if (bodies.length > 2) return ok({ user, token });
    const errors = { code: ['This code is wrong or was used before. Enter the next one'] };
    return Response.json({ success: false, message: 'The given data was invalid.', errors, data: { errors } }, { status: 422 });
  });
  sessionStore.open({ user, token: { accessToken: 'swy_1', expiresAt: Date.now() - 1 } });
  stopClock();
  const Page = () => (
    <>
      <input aria-label="Note" />
      <SessionWatch />
    </>
  );
  await renderPages([['/page', 'Page', Page]], ['/page']);
  await page.getByLabelText('Note').fill('half a wo');
  await passTime(timeSpans.sessionCheck);
  await page.getByLabelText('Password', { exact: true }).fill('Str0ngPassw0rd');
  await userEvent.keyboard('{Enter}');
  const code = page.getByLabelText('Code', { exact: true });
  await code.fill('000000');
  await userEvent.keyboard('{Enter}');
  await expect.element(code).toHaveAccessibleDescription('This code is wrong or was used before. Enter the next one');
  expect(sessionStore.get()?.token.accessToken).toBe('swy_1');
  await code.fill('287082');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => sessionStore.get()?.token.accessToken).toBe('swy_2');
  await expect.element(page.getByLabelText('Note')).toHaveValue('half a wo');
  expect(bodies).toEqual([
    ['/api/sanctum/login', { email: 'o@x.y', password: 'Str0ngPassw0rd' }],
    ['/api/sanctum/second-factor', { challenge: 'c1', code: '000000' }],
    ['/api/sanctum/second-factor', { challenge: 'c1', code: '287082' }],
  ]);
});
