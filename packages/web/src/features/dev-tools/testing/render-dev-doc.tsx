import { pageOf } from '@switchyard/contract/page-of';
import type { Permission } from '@switchyard/contract/permissions';
import type { SessionUser } from '@switchyard/contract/session';
import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useEffectEvent, type ComponentProps, type ReactNode } from 'react';
import { page } from 'vitest/browser';
import { queryClient } from '../../../shared/api/query-client.ts';
import { sessionStore } from '../../../shared/session/session-store.ts';
import { clearNotifications } from '../../../shared/ui/notifications/notification-center.ts';
import { NotificationStacks } from '../../../shared/ui/notifications/notifications.tsx';
import { renderPage } from '../../../testing/render-pages.tsx';
import { stubApi } from '../../../testing/stub-api.ts';
import { DevDocPage, RequestTools } from '../dev-doc-page.tsx';
import type { SendOutcome } from '../query-frame/frame-messages.ts';
import type { QueryFrame } from '../query-frame/query-frame.tsx';

type DevDocOptions = {
  /** Answers a call of the API; null leaves it to the test's server. */
  answer?: (path: string, body: unknown) => Response | Promise<Response> | null;
  /** Outcome of a message to an app; null: the frame could not be loaded. */
  outcome?: (text: string) => SendOutcome | Promise<SendOutcome>;
  isFrameAway?: () => boolean;
};

const apps = ['Acme Bet', 'Goal Rush'].map((name, at) => {
  const word = name.toLowerCase().replace(' ', '-');
  return { id: at + 1, name, bundle: `com.${word}`, domain: `${word}.example`, label: name };
});

export const ok = (data: unknown): Response => Response.json({ success: true, data });
export const refusal = (status: number, message: string, more: object = {}): Response =>
  Response.json({ success: false, message, ...more }, { status });

/** The guide as the server gives it. */
export const guide = '<!doctype html><html lang="en"><title>Guide</title><h1>The guide</h1></html>';

/** Signs an account in that holds the permissions and nothing else. */
function signIn(permissions: readonly Permission[]): void {
  const badges = { panel: 'user', roles: [], badges: [], hasAllApps: true, isSuperAdmin: false } satisfies Partial<SessionUser>;
  const user = { id: 7, name: 'Olga', email: 'olga@example.com', permissions: [...permissions], ...badges };
  sessionStore.open({ user, token: { accessToken: 'staff-token', expiresAt: Date.now() + 3_600_000 } });
}

/** A server that encodes by writing `E:` before the JSON, and decodes accordingly; gives what it was asked. */
function serve(answer: DevDocOptions['answer']) {
  const calls: { path: string; body: unknown }[] = [];
  stubApi(async (url, { body }) => {
    const path = url.replace(/^.*\/api\//, '');
    const sentBody: unknown = typeof body === 'string' ? JSON.parse(body) : undefined;
    calls.push({ path, body: sentBody });
    const own = await answer?.(path, sentBody);
    if (own) return own;
    const data = typeof sentBody === 'object' && sentBody !== null && 'data' in sentBody ? sentBody.data : undefined;
    if (path.startsWith('picks/apps')) return Response.json({ success: true, ...pageOf(apps, { page: 1, limit: 50 }) });
    if (path === 'dev/encode') return ok(`E:${JSON.stringify(data)}`);
    if (path === 'dev/decode') return ok(JSON.parse(String(data).trim().replace(/^E:/, '')));
    return new Response(guide, {
      headers: { 'content-type': 'text/html; charset=utf-8' },
    });
  });
  return calls;
}

async function show(content: ReactNode): Promise<void> {
  queryClient.clear();
  clearNotifications();
  await renderPage(
    <QueryClientProvider client={queryClient}>
      {content}
      <NotificationStacks onOpen={() => undefined} />
    </QueryClientProvider>,
    '/page',
  );
}

/** Opens the page as somebody with these permissions; gives what the server was asked. */
export async function showPage(permissions: readonly Permission[], { answer }: DevDocOptions = {}) {
  signIn(permissions);
  const calls = serve(answer);
  await show(<DevDocPage />);
  return calls;
}

/** Opens encoder and query over a frame of the test's own; gives what was sent to apps, and what the server was asked. */
export async function showTools({ answer, outcome, isFrameAway }: DevDocOptions = {}) {
  signIn(['manager_dev_request_encryption']);
  const calls = serve(answer);
  const queries: { domain: string; text: string }[] = [];
  const Frame = ({ domain, onChannel }: ComponentProps<typeof QueryFrame>) => {
    const load = useEffectEvent(() => {
      const send = async (text: string): Promise<SendOutcome> => {
        queries.push({ domain, text });
        const echo = { domain, received: { text }, time: '2026-11-20 10:11:12' };
        return (await outcome?.(text)) ?? answerOf(JSON.stringify({ success: true, data: `E:${JSON.stringify(echo)}` }));
      };
      const address = `https://${domain}/api/dev`;
      onChannel(isFrameAway?.() === true ? null : { address, consoleOrigin: window.location.origin, send });
    });
    // Once for each frame, as with the real one.
    useEffect(() => load(), []);
    return null;
  };
  await show(<RequestTools Frame={Frame} />);
  return { calls, queries };
}

/** An answer of the host of an app. */
export function answerOf(text: string, status = 200, type = 'application/json; charset=utf-8'): SendOutcome {
  return { kind: 'answer', status, type, text };
}

export const input = () => page.getByLabelText('JSON', { exact: true });
export const encodedField = () => page.getByLabelText('Encoded result', { exact: true });
export const decodeField = () => page.getByLabelText('Encoded answer', { exact: true });
export const button = (name: string) => page.getByRole('button', { name, exact: true });
export const notifications = () => page.getByTestId('notification');

/** Types into the input and encodes it. */
export async function encode(text: string): Promise<void> {
  await input().fill(text);
  await button('Encode').click();
}

export async function chooseDomain(domain: string): Promise<void> {
  await page.getByRole('combobox', { name: 'App domain', exact: true }).click();
  await page.getByRole('option', { name: domain }).click();
}
