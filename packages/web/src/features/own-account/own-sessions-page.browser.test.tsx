import type { OwnSession } from '@switchyard/contract/own-sessions';
import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { sessionStore } from '../../shared/session/session-store.ts';
import { renderPages } from '../../testing/render-pages.tsx';
import { stubApi } from '../../testing/stub-api.ts';
import { OwnSessionsPage } from './own-sessions-page.tsx';

function sessionOf(id: number, ip: string): OwnSession {
  const at = '2026-11-20 10:00:00';
  return { id, ip, user_agent: 'curl/8.5.0', created_at: at, last_used_at: at, expires_at: at, current: id === 1 };
}

/** Shows the page over a server that keeps these sessions. */
async function renderSessions(ips: readonly string[]): Promise<void> {
  let remainingSessions = ips.map((ip, index) => sessionOf(index + 1, ip));
  stubApi((url, init) => {
    if (init.method !== 'DELETE') return Promise.resolve(Response.json({ success: true, data: remainingSessions }));
    remainingSessions = remainingSessions.filter(({ id, current }) => (url.endsWith('/sessions') ? current : !url.endsWith(`/${id}`)));
    return Promise.resolve(new Response(null, { status: 204 }));
  });
  const user = { id: 1, name: 'Olga', email: 'o@x.y', panel: 'user', hasAllApps: true, isSuperAdmin: false } as const;
  sessionStore.open({
    user: { ...user, roles: [], badges: [], permissions: [] },
    token: { accessToken: 'swy_1', expiresAt: Date.now() + 3_600_000 },
  });
  await renderPages([['/sessions', 'My sessions', OwnSessionsPage]], ['/sessions']);
}

const endOthers = page.getByRole('button', { name: 'End all other sessions' });
const end = (ip: string) => page.getByRole('button', { name: `End session on curl 8, ${ip}` });

describe('own sessions', () => {
  it('[AUTH-057] are ended one by one with the keyboard, which goes on to the next, and after the last to the one before', async () => {
    await renderSessions(['203.0.113.1', '203.0.113.2', '203.0.113.3']);
    await expect.element(end('203.0.113.2')).toBeVisible();
    const button = end('203.0.113.2').element();
    if (button instanceof HTMLElement) button.focus();
    for (const next of [end('203.0.113.3'), page.getByRole('button', { name: 'End this session and sign out' })]) {
      await userEvent.keyboard('{Enter}');
      await expect.element(page.getByRole('button', { name: 'OK' })).toHaveFocus();
      await userEvent.keyboard('{Enter}');
      await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
      await expect.element(next).toHaveFocus();
    }
  });

  it('[AUTH-057] [S6] but the current one are ended all at once, after a prompt that counts them', async () => {
    await renderSessions(['203.0.113.1', '203.0.113.2', '203.0.113.3']);
    await expect.element(page.getByText('2 other sessions')).toBeVisible();
    await endOthers.click();
    const prompt = page.getByRole('dialog', { name: 'End all other sessions?' });
    await expect.element(prompt.getByText(/signed in at 2 other places/)).toBeVisible();
    await prompt.getByRole('button', { name: 'Cancel' }).click();
    await expect.element(prompt).not.toBeInTheDocument();
    await expect.element(end('203.0.113.3')).toBeVisible();
    await endOthers.click();
    await prompt.getByRole('button', { name: 'OK' }).click();
    await expect.element(page.getByText(/All other sessions have ended/)).toBeVisible();
    await expect.poll(() => page.getByRole('listitem').filter({ hasText: 'curl 8' }).elements()).toHaveLength(1);
    await expect.element(page.getByText('This session')).toBeVisible();
    await expect.element(endOthers).not.toBeInTheDocument();
  });

  it('[AUTH-057] offer no end of others where there are none', async () => {
    await renderSessions(['203.0.113.1']);
    await expect.element(page.getByText('This session')).toBeVisible();
    expect(endOthers.elements()).toHaveLength(0);
  });
});
