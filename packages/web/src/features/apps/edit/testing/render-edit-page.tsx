import type { FullApp } from '@switchyard/contract/app-form';
import type { Permission } from '@switchyard/contract/permissions';
import { sessionStore } from '../../../../shared/session/session-store.ts';
import { renderPages } from '../../../../testing/render-pages.tsx';
import { stubApi } from '../../../../testing/stub-api.ts';
import { EditAppPage, type AppTabContents } from '../edit-app-page.tsx';

/** A call that the page made of the test's server. */
export type AskedCall = { readonly method: string; readonly path: string; readonly body: unknown; readonly ifMatch: string | null };

type Answer = { readonly status: number; readonly body?: unknown };

type PageOptions = {
  app: FullApp;
  permissions?: readonly Permission[];
  /** Answers a call; null leaves it to the server, which knows the app and three traffic servers. */
  answer?: (call: AskedCall) => Answer | null;
  contents?: AppTabContents;
  address?: string;
};

const pickedServers = [
  { id: 3, name: 'edge-fra-1', ip: '203.0.113.20' },
  { id: 4, name: 'edge-ams-1', ip: '203.0.113.21' },
  { id: 5, name: 'edge-with-a-name-that-is-far-too-long-for-its-row', ip: null },
];

export const ok = (data: unknown): Answer => ({ status: 200, body: { success: true, data } });
export const refusal = (status: number, message: string, more: object = {}): Answer => ({
  status,
  body: { success: false, message, ...more },
});

function respond({ status, body }: Answer): Response {
  return body === undefined ? new Response(null, { status }) : Response.json(body, { status });
}

function readText(body: BodyInit | null | undefined): unknown {
  return typeof body === 'string' ? JSON.parse(body) : body;
}

const editors = ['manager_app_create', 'manager_app_edit', 'manager_app_push_setting'] as const;

/** Opens the edit page of an app over a server of the test's own; gives its calls and a way to change the app behind the page's back. */
export async function renderEditPage({ app, permissions = editors, answer, contents = {}, address = `/apps/${app.id}/edit` }: PageOptions) {
  const server = { app };
  const calls: AskedCall[] = [];
  stubApi((url, init) => {
    const path = new URL(url, 'http://console').pathname.replace('/api/', '');
    const call = { method: init.method, path, body: readText(init.body), ifMatch: new Headers(init.headers).get('if-match') };
    calls.push(call);
    const own = answer?.(call);
    if (own !== undefined && own !== null) return Promise.resolve(respond(own));
    if (path === 'servers/list') return Promise.resolve(respond(ok(pickedServers)));
    if (path === `apps/${server.app.id}` && call.method === 'GET') return Promise.resolve(respond(ok(server.app)));
    return Promise.resolve(
      respond(
        path.endsWith('/list') || path.startsWith('app/check-not') ? ok(path.endsWith('/list') ? [] : true) : { status: 404, body: {} },
      ),
    );
  });
  const user = { id: 1, name: 'Olga', email: 'o@x.y', panel: 'user', hasAllApps: true, isSuperAdmin: false } as const;
  sessionStore.open({
    user: { ...user, roles: [], badges: [], permissions: [...permissions] },
    token: { accessToken: 'swy_1', expiresAt: Date.now() + 3_600_000 },
  });
  const history = await renderPages(
    [
      ['/apps/$id/edit', 'Edit app', () => <EditAppPage contents={contents} />],
      ['/apps', 'Apps', () => 'The apps'],
    ],
    [address],
  );
  return { server, calls, history };
}
