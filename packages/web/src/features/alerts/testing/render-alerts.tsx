import { previewRule, type Incident, type IncidentDetails, type Silence } from '@switchyard/contract/alerts';
import type { Permission } from '@switchyard/contract/permissions';
import { sessionStore } from '../../../shared/session/session-store.ts';
import { renderPages } from '../../../testing/render-pages.tsx';
import { stubApi } from '../../../testing/stub-api.ts';
import { sampleIncident, samplePreview, sampleRule } from './sample-alerts.ts';
import { CreateRulePage, EditRulePage, IncidentPage, IncidentsPage } from '../alert-pages.ts';

type Answer = { status: number; body?: unknown };
const ok = (data: unknown, status = 200): Answer => ({ status, body: { success: true, data } });
const pagination = { limit: 50, links: [], prev_cursor: null, next_cursor: null };
export const pageOf = (data: readonly unknown[], total = data.length): Answer => ({
  status: 200,
  body: {
    success: true,
    data,
    pagination: { ...pagination, total, count: data.length, currentPage: 1, totalPages: 1, current_page: 1, last_page: 1 },
  },
});

type Options = {
  address: string;
  permissions?: readonly Permission[];
  hasAllApps?: boolean;
  incidents?: readonly Incident[];
  silences?: readonly Silence[];
  answer?: Readonly<Record<string, (body: unknown) => Answer>>;
};

/** Opens an address of the pages of alerts. Gives the calls with their queries and bodies, and the history. */
export async function renderAlerts({
  address,
  permissions,
  hasAllApps = true,
  incidents = [sampleIncident],
  silences = [],
  answer = {},
}: Options) {
  sessionStore.open({
    user: {
      id: 8,
      name: 'Rita',
      email: 'rita@example.com',
      panel: 'user',
      hasAllApps,
      isSuperAdmin: false,
      roles: [],
      badges: [],
      permissions: [...(permissions ?? (['manager_app_edit', 'manager_app_statistics', 'manager_settings_server'] as const))],
    },
    token: { accessToken: 'swy_x', expiresAt: Date.now() + 3_600_000 },
  });
  const calls: { call: string; body?: unknown }[] = [];
  const details: IncidentDetails = {
    ...sampleIncident,
    state: 'acknowledged',
    affected: 3,
    names: ['lucky-bet.example', 'second.example'],
    acknowledged_at: '2026-11-20 11:00:00',
    acknowledged_by: { id: 9, name: 'Olga' },
    timeline: [
      { at: '2026-11-20 10:00:00', event: 'fired', actor: null, note: null },
      { at: '2026-11-20 11:00:00', event: 'acknowledged', actor: { id: 9, name: 'Olga' }, note: 'The registrar is informed' },
    ],
    messages: [
      {
        channel: { id: 4, name: 'On call' },
        event: 'fired',
        state: 'sent',
        attempts: 1,
        answer: '200 OK',
        created_at: '2026-11-20 10:00:00',
        sent_at: '2026-11-20 10:00:02',
        next_attempt_at: null,
      },
      {
        channel: { id: 5, name: 'Night shift' },
        event: 'fired',
        state: 'pending',
        attempts: 3,
        answer: 'The receiver answered 503',
        created_at: '2026-11-20 10:00:00',
        sent_at: null,
        next_attempt_at: '2026-11-20 10:04:00',
      },
    ],
  };
  const own: Record<string, (body: unknown) => Answer> = {
    'GET incidents': () => pageOf(incidents),
    'GET incidents/7': () => ok(details),
    'POST incidents/7/acknowledge': () => ok(details),
    'GET alerts/rules': () => pageOf([sampleRule]),
    'GET alerts/rules/list': () => ok([{ id: sampleRule.id, name: sampleRule.name }]),
    'GET alerts/rules/3': () => ok(sampleRule),
    'PUT alerts/rules/3': (body) => ok({ ...sampleRule, ...Object(body), version: 2 }),
    'POST alerts/rules': (body) => ok({ ...sampleRule, ...Object(body) }, 201),
    'POST alerts/rules/preview': (body) => ok({ ...samplePreview, threshold: previewRule.body.parse(body).threshold }),
    'GET alerts/silences': () => ok(silences),
    'GET picks/apps': () => pageOf([]),
    'GET servers/list': () => ok([]),
    'GET channels': () => ok([]),
    'DELETE alerts/silences/5': () => ({ status: 204 }),
    ...answer,
  };
  stubApi((url, { method, body }) => {
    const { pathname, search } = new URL(url, 'http://console');
    const name = `${method} ${pathname.replace('/api/', '')}`;
    const sentBody: unknown = typeof body === 'string' ? JSON.parse(body) : undefined;
    calls.push({ call: name + decodeURIComponent(search), ...(sentBody === undefined ? {} : { body: sentBody }) });
    const { status, body: answerBody } = own[name]?.(sentBody) ?? { status: 404, body: { success: false, message: 'Not found' } };
    return answerBody === undefined ? new Response(null, { status }) : Response.json(answerBody, { status });
  });
  const history = await renderPages(
    [
      ['/incidents', 'Incidents', IncidentsPage],
      ['/incidents/$id', 'Incident', IncidentPage],
      ['/incidents/rules/create', 'Create rule', CreateRulePage],
      ['/incidents/rules/$id/edit', 'Edit rule', EditRulePage],
    ],
    ['/before', address],
  );
  return { calls, history };
}
