import type { Incident } from '@switchyard/contract/alerts';
import type { Home } from '@switchyard/contract/home';
import type { Loss } from '@switchyard/contract/losses';
import type { Permission } from '@switchyard/contract/permissions';
import type { SessionUser } from '@switchyard/contract/session';
import { describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { renderPages } from '../../testing/render-pages.tsx';
import { stubApi } from '../../testing/stub-api.ts';
import { Attention } from './attention.tsx';
import { InvalidDomains } from './invalid-domains.tsx';
import { Losses } from './losses.tsx';
import { changeText } from './traffic-of-today.tsx';

const incident: Incident = {
  id: 7,
  rule: { id: 2, name: 'Certificate expires', kind: 'certificate_expiry' },
  severity: 'warning',
  state: 'firing',
  app: { id: 12, name: 'Acme Bet' },
  server: null,
  affected: 1,
  names: ['edge-fra-1'],
  value: 11,
  threshold: 14,
  reason: 'The certificate on edge-fra-1 expires on 01.12.2026.',
  is_silenced: false,
  window: null,
  compared: null,
  request_filter: '',
  started_at: '2026-11-20 09:00:00',
  acknowledged_at: null,
  acknowledged_by: null,
  resolved_at: null,
};
const nothing: Home = { incidents: { total: 0, rules: 0, rows: [] }, unheard_rules: 0, traffic: null };
const expiring: Home = {
  incidents: {
    total: 1_223,
    rules: 7,
    rows: [
      { total: 1, critical: 0, firing: 1, since: incident.started_at, worst: incident },
      {
        total: 1_200,
        critical: 1_000,
        firing: 1_199,
        since: '2026-11-20 08:00:00',
        worst: { ...incident, id: 8, rule: { id: 3, name: 'Disk', kind: 'log_disk' }, severity: 'critical', app: null },
      },
    ],
  },
  unheard_rules: 0,
  traffic: null,
};

const userWith = (permissions: readonly Permission[]): SessionUser => ({
  id: 1,
  name: 'Olga',
  email: 'olga@example.com',
  panel: 'user',
  hasAllApps: true,
  isSuperAdmin: false,
  roles: ['Admin'],
  badges: ['A'],
  permissions: [...permissions],
});

const render = (permissions: readonly Permission[]) =>
  renderPages([['/', 'Home', () => <Attention user={userWith(permissions)} />]], ['/']);
const answer = (data: Home): Response => Response.json({ success: true, data });

describe('domains to correct', () => {
  it('[NAME-003] are listed with the reason and a link to the app, if there are any', async () => {
    const invalidDomain = { id: 5, name: 'Acme', domain: 'acme.example:8443', is_archived: false, same_as: null };
    const other = { id: 6, name: 'Bücher', domain: 'BÜCHER.example', is_archived: true, same_as: { id: 7, name: 'Books' } };
    stubApi(() => Response.json({ success: true, data: [invalidDomain, other] }));
    await renderPages([['/', 'Home', () => <InvalidDomains />]], ['/']);
    const section = page.getByRole('region', { name: 'Domains to correct' });
    await expect.element(section.getByText('acme.example:8443 is not a host name, so it cannot be reached.')).toBeVisible();
    await expect.element(section.getByText('BÜCHER.example is also the domain of Books.')).toBeVisible();
    await expect.element(section.getByRole('link', { name: 'Acme' })).toHaveAttribute('href', '/apps/5/edit?startTabName=General');
  });
});

describe('what is no longer shared', () => {
  const owner_name = 'Anna Smith';
  const view: Loss = {
    id: 4,
    kind: 'view',
    list: 'apps',
    name: 'Stale apps',
    was_default: true,
    owner_name,
    lost_at: '2026-11-20 09:00:00',
  };
  const tile: Loss = { ...view, id: 3, kind: 'tile', name: 'Revenue', was_default: false };

  it('[LEAVE-110] is named with the reason until it is dismissed', async () => {
    let losses = [view, tile];
    const dismissed: unknown[] = [];
    stubApi((_url, { method, body }) => {
      if (method === 'GET') return Response.json({ success: true, data: losses });
      dismissed.push(body);
      losses = [];
      return new Response(null, { status: 204 });
    });
    await renderPages([['/', 'Home', () => <Losses />]], ['/']);
    const rows = page.getByRole('region', { name: 'No longer shared with you' }).getByRole('listitem');
    await expect
      .element(rows.first())
      .toHaveTextContent('Stale appsShared view, your default. It ended because the account of Anna Smith was deleted.');
    await expect.element(rows.nth(1)).toHaveTextContent('RevenueShared tile. It ended because the account of Anna Smith was deleted.');
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await expect.element(page.getByRole('region', { name: 'No longer shared with you' })).not.toBeInTheDocument();
    expect(dismissed).toEqual([JSON.stringify({ ids: [4, 3] })]);
  });
});

describe('what needs attention', () => {
  it('[HOME-008] says that it loads, that it failed and that nothing needs attention', async () => {
    const pending = Promise.withResolvers<Response>();
    const answers = [pending.promise, answer(nothing)];
    stubApi(() => answers.shift() ?? answer(nothing));
    await render(['manager_app_edit']);
    await expect.element(page.getByRole('status', { name: 'Loading' })).toBeVisible();
    pending.resolve(Response.json({ success: false, message: 'The server is busy, try again' }, { status: 503 }));
    await expect.element(page.getByRole('heading', { name: 'Open incidents and traffic could not be loaded' })).toBeVisible();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.element(page.getByText('No open incidents.')).toBeVisible();
  });

  it('[HOME-008] is read again when the tab is shown again, and keeps its rows when that fails', async () => {
    const answers = [answer(nothing), answer(expiring)];
    stubApi(() => answers.shift() ?? Response.json({ success: false, message: 'Database is unavailable, try again' }, { status: 503 }));
    await render(['manager_app_edit']);
    await expect.element(page.getByText('No open incidents.')).toBeVisible();
    window.dispatchEvent(new Event('visibilitychange'));
    const row = page.getByRole('listitem').first();
    await expect.element(row.getByText('The certificate on edge-fra-1 expires on 01.12.2026.')).toBeVisible();
    window.dispatchEvent(new Event('visibilitychange'));
    await expect.element(page.getByText(/These figures may be old/)).toBeVisible();
    await expect.element(row).toBeVisible();
  });

  it('[HOME-008] is read again every minute', async () => {
    const answers = [answer(nothing), answer(expiring)];
    vi.useFakeTimers({ toFake: ['setInterval', 'setTimeout', 'clearInterval', 'clearTimeout'] });
    try {
      stubApi(() => answers.shift() ?? answer(expiring));
      await render(['manager_app_edit']);
      await vi.waitFor(() => expect(document.body.textContent).toContain('No open incidents.'));
      await vi.advanceTimersByTimeAsync(59_000);
      expect(document.body.textContent).toContain('No open incidents.');
      await vi.advanceTimersByTimeAsync(2_000);
      await vi.waitFor(() => expect(document.body.textContent).toContain('Certificate expires: Acme Bet'));
    } finally {
      vi.useRealTimers();
    }
  });

  it('[OUT-005] shows what is not known as missing, and claims nothing about it, until it is known again', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'setTimeout', 'clearInterval', 'clearTimeout'] });
    try {
      const figure = { today: 1200, yesterday: 1000 };
      const traffic = { from: '2026-11-20 00:00:00', until: '2026-11-20 10:00:00', push: figure, conversion: figure };
      const incomplete: Home = {
        ...nothing,
        traffic: { ...traffic, create: null, receive: null },
      };
      const answers = [answer(incomplete), answer({ ...nothing, traffic: { ...traffic, create: figure, receive: figure } })];
      stubApi(() => answers.shift() ?? answer(nothing));
      await render(['manager_app_edit', 'manager_app_statistics']);
      await vi.waitFor(() => expect(document.body.textContent).toContain('Statistics are missing: the event store is unavailable'), 5_000);
      const numbers = () =>
        page
          .getByRole('definition')
          .elements()
          .flatMap(({ textContent }) => (/than/.test(textContent) ? [] : [textContent]));
      expect(numbers()).toEqual(['–Missing', '–Missing', '1,200', '1,200']);
      await vi.advanceTimersByTimeAsync(10_500);
      await vi.waitFor(() => expect(document.body.textContent).not.toContain('Statistics are missing'), 5_000);
      expect(numbers()).toEqual(['1,200', '1,200', '1,200', '1,200']);
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([
    [390, [2, 2]],
    [700, [2, 2]],
    [1000, [4]],
  ] as const)('[HOME-005] shows its four figures in even rows in %i px', async (width, rows) => {
    const figure = { today: 1200, yesterday: 1000 };
    const figures = { create: figure, receive: figure, push: figure, conversion: figure };
    stubApi(() => answer({ ...nothing, traffic: { from: '2026-11-20 00:00:00', until: '2026-11-20 10:00:00', ...figures } }));
    await page.viewport(width + 16, 800);
    await render(['manager_app_edit']);
    const terms = page.getByRole('region', { name: 'Today' }).getByRole('term');
    await expect.poll(() => terms.elements().length).toBe(4);
    const tops = terms.elements().map((term) => term.getBoundingClientRect().top);
    expect([...Map.groupBy(tops, (top) => top).values()].map((row) => row.length)).toEqual(rows);
  });

  it('[HOME-002, HOME-007] names what fires, why and since when, and leads to the incident', async () => {
    stubApi(() => answer(expiring));
    await render(['manager_app_edit']);
    const link = page.getByRole('link', { name: 'Certificate expires: Acme Bet' });
    await expect.element(link).toHaveAttribute('href', '/incidents/7');
    await expect.element(page.getByRole('link', { name: 'All 1,223 incidents' })).toHaveAttribute('href', '/incidents');
    await expect.element(page.getByRole('link', { name: /^Disk/ })).toHaveAttribute('href', '/incidents?ruleId=3');
    const texts = page
      .getByRole('listitem')
      .elements()
      .map((row) => row.textContent);
    expect(texts[0]).toBe(`WarningCertificate expires: Acme Bet${incident.reason}Since 20.11.2026 09:00:00`);
    expect(texts[1]).toBe(`CriticalDisk · 1,200 incidents${incident.reason}Since 20.11.2026 08:00:00, 1,000 critical, 1 acknowledged`);
    await expect.element(page.getByText(/2 of 7 rules shown/)).toBeVisible();
  });
});

it.each([
  [0, 0, 'None yesterday either'],
  [5, 0, 'None yesterday'],
  [5, 5, 'The same as yesterday'],
  [1200, 1000, '20% more than yesterday (1,000)'],
  [0, 10, '100% less than yesterday (10)'],
  [10_001, 10_000, 'Under 0.1% more than yesterday (10,000)'],
])('[HOME-005] describes the change from yesterday in words: %i and %i', (today, yesterday, text) => {
  expect(changeText({ today, yesterday })).toBe(text);
});
