import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { sessionStore } from '../shared/session/session-store.ts';
import { passTime, stopClock } from '../testing/clock.ts';
import { renderPages } from '../testing/render-pages.tsx';
import { stubApi } from '../testing/stub-api.ts';
import { DemoNotice } from './demo-notice.tsx';

it('[SHELL-065] a notice says how much of the demo is loaded, until all is', async () => {
  const shares = [0.418, 0.9, null];
  stubApi(() => Response.json({ success: true, data: { loaded: shares.shift() ?? null } }));
  const user = { id: 1, name: 'Olga', email: 'o@x.y', panel: 'user', roles: [], badges: [], permissions: [] } as const;
  sessionStore.open({
    user: { ...user, roles: [], badges: [], permissions: [], hasAllApps: true, isSuperAdmin: false },
    token: { accessToken: 'swy_1', expiresAt: Date.now() + 3_600_000 },
  });
  stopClock();
  await renderPages([['/', 'Home', DemoNotice]], ['/']);
  const notice = page.getByRole('complementary', { name: 'Demo data' });
  await expect.element(notice).toMatchTextContent(/^Demo data is still loading \(41%\)\./);
  await passTime(5_000);
  await expect.element(notice).toMatchTextContent(/\(90%\)/);
  await passTime(5_000);
  await expect.element(notice).not.toBeInTheDocument();
});
