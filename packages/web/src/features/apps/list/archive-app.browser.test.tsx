import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { sessionStore } from '../../../shared/session/session-store.ts';
import { renderPages } from '../../../testing/render-pages.tsx';
import { stubApi } from '../../../testing/stub-api.ts';
import { passTime, stopClock } from '../../../testing/clock.ts';
import { confirmArchive } from './archive-app.ts';

function Page() {
  return (
    <button type="button" onClick={() => confirmArchive({ id: 7, name: 'Goal Rush' })}>
      Archive
    </button>
  );
}

/** Archives an app over a server of the test's own; gives the calls. */
async function archive() {
  const calls: string[] = [];
  stubApi((url, { method }) => {
    calls.push(`${method} ${url.replace('/api/', '')}`);
    if (method === 'DELETE') return new Response(null, { status: 204 });
    return Response.json({ success: true, data: { id: 7, deleted_at: null, version: 3 } });
  });
  const user = { id: 1, name: 'Olga', email: 'o@x.y', panel: 'user', hasAllApps: true, isSuperAdmin: false } as const;
  sessionStore.open({
    user: { ...user, roles: [], badges: [], permissions: ['manager_app_delete'] },
    token: { accessToken: 'swy_1', expiresAt: Date.now() + 3_600_000 },
  });
  await renderPages([['/apps', 'Apps', Page]], ['/apps']);
  await page.getByRole('button', { name: 'Archive' }).click();
  await page.getByRole('button', { name: 'OK' }).click();
  await expect.element(page.getByText(/App "Goal Rush" archived/)).toBeVisible();
  return calls;
}

const undo = page.getByRole('button', { name: 'Undo' });

describe('archiving an app', () => {
  it('[BULK-015] offers an undo by the keyboard, which restores the app', async () => {
    const calls = await archive();
    undo.element().focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByText(/App "Goal Rush" restored/)).toBeVisible();
    expect(calls).toEqual(['DELETE apps/7', 'PUT apps/7/restore']);
    await expect.element(undo).not.toBeInTheDocument();
  });

  it('[BULK-015] offers it for ten seconds, and longer while the pointer is on it', async () => {
    stopClock();
    await archive();
    await undo.hover();
    await passTime(60_000);
    await expect.element(undo).toBeVisible();
    await page.getByRole('button', { name: 'Archive' }).hover();
    await passTime(9_999);
    await expect.element(undo).toBeVisible();
    await passTime(1);
    await expect.element(undo).not.toBeInTheDocument();
  });
});
