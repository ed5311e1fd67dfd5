import { alertMessages, createSilence, type Incident, type Silence } from '@switchyard/contract/alerts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { waitingIncidents } from '../../shared/alerts/critical-incidents.ts';
import { paths } from '../../shared/paths.ts';
import { sessionStore } from '../../shared/session/session-store.ts';
import { correctedClock } from '../../shared/time/corrected-clock.ts';
import { pageOf, renderAlerts } from './testing/render-alerts.tsx';
import { sampleIncident } from './testing/sample-alerts.ts';
import { unsavedWork } from '../../shared/unsaved-work.ts';

const button = (name: string) => page.getByRole('button', { name, exact: true });
const writes = (calls: readonly { call: string; body?: unknown }[]) => calls.filter(({ call }) => !call.startsWith('GET '));

afterEach(() => sessionStore.close());

describe('the list of incidents', () => {
  it('[ALERT-101, ALERT-102] shows the open ones with what is affected and leads to the place, and acknowledges with a note', async () => {
    const other: Incident = {
      ...sampleIncident,
      id: 8,
      severity: 'warning',
      state: 'acknowledged',
      is_silenced: true,
      affected: 12,
      names: ['edge-1', 'edge-2'],
      acknowledged_by: { id: 9, name: 'Olga' },
    };
    const { calls, history } = await renderAlerts({ address: '/incidents', incidents: [sampleIncident, other] });
    const first = page.getByRole('row', { name: /Critical.*expires in 2 days.*Lucky Bet.*\d+ d .*2 days.*Firing.*lucky-bet\.example/ });
    await expect.element(first).toBeVisible();
    await expect
      .element(page.getByRole('row', { name: /Warning.*Acknowledged, silenced.*edge-1, edge-2 and 10 more.*Olga/ }))
      .toBeVisible();
    const list = calls.find(({ call }) => call.startsWith('GET incidents?'));
    expect(list?.call).toContain('state[]=firing&state[]=acknowledged');
    await expect.element(first.getByRole('link', { name: /^Open the app/ })).toHaveAttribute('href', '/apps/12/edit?startTabName=General');

    await first.getByRole('button', { name: /^Acknowledge/ }).click();
    await page.getByLabelText('Note').fill('I call the registrar ');
    await button('Acknowledge').click();
    await expect.poll(() => writes(calls)).toEqual([{ call: 'POST incidents/7/acknowledge', body: { note: 'I call the registrar' } }]);
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
    await expect.poll(() => calls.filter(({ call }) => call.startsWith('GET incidents?')).length).toBeGreaterThan(1);

    history.push('/incidents?startTabName=Incidents&state=resolved&ruleId=3');
    await expect.element(page.getByRole('list', { name: 'Active filters' })).toMatchTextContent(/StateResolved.*RuleDomains/);
  });

  it('[ALERT-101] says when nothing is wrong, and leads to the resolved ones', async () => {
    const { history } = await renderAlerts({ address: '/incidents', incidents: [] });
    await expect.element(page.getByRole('heading', { name: 'No open incidents' })).toBeVisible();
    await page.getByRole('link', { name: 'Show resolved ones' }).click();
    await expect.poll(() => history.location.search).toMatch(/state=resolved/);
    await expect.element(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible();
  });

  it('[ALERT-122] says how many more wait to be opened', async () => {
    waitingIncidents.set(1204);
    await renderAlerts({ address: '/incidents' });
    await expect.poll(() => document.querySelector('output')?.textContent).toMatch(/^1,204 more incidents are waiting to be opened/);
    waitingIncidents.set(0);
  });

  it('[ALERT-107] asks for the permission of the browser only when notifications are switched on', async () => {
    const requestPermission = vi.fn<() => Promise<NotificationPermission>>().mockResolvedValue('denied');
    vi.stubGlobal(
      'Notification',
      Object.assign(function Notification() {}, { requestPermission, permission: 'default' }),
    );
    await renderAlerts({ address: '/incidents' });
    const toggle = page.getByRole('switch', { name: 'Notify me here' });
    await expect.element(toggle).not.toBeChecked();
    expect(requestPermission).not.toHaveBeenCalled();
    await toggle.click();
    await expect.element(page.getByTestId('notification')).toMatchTextContent(/The browser blocks notifications/);
    await expect.element(toggle).not.toBeChecked();
    requestPermission.mockResolvedValue('granted');
    await toggle.click();
    await expect.element(toggle).toBeChecked();
    await toggle.click();
    await expect.element(toggle).not.toBeChecked();
    vi.unstubAllGlobals();
  });
});

describe('many incidents', () => {
  const many = Array.from({ length: 3 }, (_, n): Incident => ({
    ...sampleIncident,
    id: 7 + n,
    reason: `The domain ${n}.example expires.`,
  }));

  it('[ALERT-162, ALERT-163] are acknowledged and silenced together, some or all that match the filters', async () => {
    const { calls } = await renderAlerts({
      address: '/incidents?severity=critical',
      incidents: many,
      answer: {
        'GET incidents': () => pageOf(many, 4_700),
        'POST incidents/acknowledge': () => ({ status: 200, body: { success: true, data: { acknowledged: 2 } } }),
        'POST incidents/silence': () => ({ status: 201, body: { success: true, data: { silences: 12 } } }),
      },
    });
    const bar = page.getByRole('toolbar', { name: 'Selection' });
    for (const n of [0, 2]) await page.getByRole('checkbox', { name: `Select The domain ${n}.example expires.` }).click();
    await bar.getByRole('button', { name: 'Acknowledge' }).click();
    const dialog = page.getByRole('dialog', { name: 'Acknowledge 2 incidents' });
    await dialog.getByRole('button', { name: 'Acknowledge' }).click();
    await expect.element(dialog).not.toBeInTheDocument();

    await page.getByRole('checkbox', { name: 'Select The domain 0.example expires.' }).click();
    await bar.getByRole('button', { name: 'Select all 4,700 that match' }).click();
    await page.getByRole('checkbox', { name: 'Select The domain 1.example expires.' }).click();
    await bar.getByRole('button', { name: 'Silence' }).click();
    await page.getByRole('dialog', { name: 'Silence 4,699 incidents' }).getByRole('button', { name: 'Silence' }).click();
    await expect
      .poll(() => writes(calls))
      .toMatchObject([
        { call: 'POST incidents/acknowledge', body: { target: { keys: ['7', '9'] }, note: '' } },
        {
          call: 'POST incidents/silence',
          body: { target: { filter: expect.stringMatching(/^severity(\[\])?=critical$/), except: ['8'] }, note: '' },
        },
      ]);
  });

  it('[SHELL-077, SHELL-084] say why they could not be acknowledged or silenced, and keep the note', async () => {
    const reject = () => ({ status: 403, body: { success: false, message: 'You have no permission for this action' } });
    await renderAlerts({
      address: '/incidents',
      incidents: many,
      answer: { 'POST incidents/acknowledge': reject, 'POST incidents/silence': reject },
    });
    await page.getByRole('checkbox', { name: 'Select The domain 0.example expires.' }).click();
    for (const act of ['Acknowledge', 'Silence']) {
      await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: act }).click();
      const dialog = page.getByRole('dialog', { name: `${act} 1 incident` });
      await dialog.getByLabelText('Note').fill('I call the registrar');
      expect(unsavedWork.isHeld()).toBe(true);
      await dialog.getByRole('button', { name: act }).click();
      await expect.element(dialog.getByRole('alert')).toHaveTextContent('You have no permission for this action');
      await expect.element(dialog.getByLabelText('Note')).toHaveValue('I call the registrar');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await expect.element(dialog).not.toBeInTheDocument();
    }
  });

  it('[ALERT-161] are counted by rule, and a group opens its incidents with the filters', async () => {
    const group = { total: 1_200, critical: 1_000, firing: 900, since: '2026-11-20 08:00:00', worst: sampleIncident };
    const { calls, history } = await renderAlerts({
      address: '/incidents?severity=critical',
      answer: { 'GET incidents/groups': () => pageOf([group]) },
    });
    await page.getByRole('radiogroup', { name: 'Group by' }).getByText('By rule').click();
    await expect
      .element(page.getByRole('row', { name: /Critical Domains 1,200 900 1,000 20\.11\.2026 08:00:00 The domain/ }))
      .toBeVisible();
    expect(calls.findLast(({ call }) => call.startsWith('GET incidents/groups'))?.call).toMatch(/severity\[\]=critical.*by=rule/);
    await page.getByRole('link', { name: 'Domains' }).click();
    await expect.poll(() => history.location.search).toMatch(/ruleId=3/);
    expect(history.location.search).not.toMatch(/by=/);
    await expect.element(page.getByRole('list', { name: 'Active filters' })).toMatchTextContent(/SeverityCritical.*RuleDomains/);
  });
});

it('[ALERT-103] an incident shows its facts, what is affected, and its course', async () => {
  await renderAlerts({ address: '/incidents/7' });
  await expect.element(page.getByRole('heading', { name: 'The domain lucky-bet.example expires in 2 days.' })).toBeVisible();
  await expect.element(page.getByText('7 days or less')).toBeVisible();
  await expect
    .element(page.getByRole('region', { name: /^Affected/ }))
    .toMatchTextContent(/3.*lucky-bet\.example.*second\.example.*and 1 more/);
  await expect
    .element(page.getByRole('region', { name: 'Timeline' }))
    .toMatchTextContent(/10:00:00Fired.*11:00:00Acknowledged by OlgaThe registrar is informed/);
  await expect
    .element(page.getByRole('link', { name: 'Silence' }))
    .toHaveAttribute('href', '/incidents?startTabName=Silences&add=3&addApp=12');
  expect(button('Acknowledge').elements()).toHaveLength(0);
});

it('[ALERT-166] the chart of an incident is narrowed by keyboard as by a drag, and shown whole again', async () => {
  const points = Array.from({ length: 6 }, (_, at) => ({ at: `2026-11-20 1${at}:00:00`, value: at }));
  await renderAlerts({
    address: '/incidents/7',
    answer: {
      'GET incidents/7': () => ({
        status: 200,
        body: {
          success: true,
          data: { ...sampleIncident, rule: { id: 3, name: 'Errors', kind: 'error_share' }, threshold: 3, timeline: [], messages: null },
        },
      }),
      'GET incidents/7/values': () => ({ status: 200, body: { success: true, data: { points } } }),
    },
  });
  const slider = page.getByRole('slider', { name: 'Time to zoom to' });
  await expect.element(slider).toHaveAttribute('max', '6');
  slider.element().focus();
  await userEvent.keyboard('{Home}{ArrowRight}{Shift>}{ArrowRight}{ArrowRight}{/Shift}{Enter}');
  await expect.element(slider).toHaveAttribute('max', '3');
  await userEvent.keyboard('{Home}');
  await expect.element(slider).toHaveAttribute('aria-valuetext', '20.11.2026 11:00: Share of errors 1%');
  await button('Show all hours').click();
  await expect.element(slider).toHaveAttribute('max', '6');
  expect(button('Show all hours').elements()).toHaveLength(0);
});

it('[ALERT-127] the course of an incident says which channels took its messages, when, and with what answer', async () => {
  await renderAlerts({ address: '/incidents/7' });
  await expect
    .element(page.getByRole('region', { name: 'Timeline' }))
    .toMatchTextContent(
      /10:00:00Fired.*10:00:00Beginning not delivered yet to Night shift\. Next attempt: .*10:04:00The receiver answered 503.*10:00:02Beginning sent to On call200 OK.*11:00:00Acknowledged/,
    );
  await expect.element(page.getByRole('link', { name: 'Night shift' })).toHaveAttribute('href', '/channels/5/edit');
});

it('[ALERT-126] a link of a mail opens the dialog that acknowledges, or a silence of the app, and changes nothing by itself', async () => {
  const firing = {
    'GET incidents/7': () => ({ status: 200, body: { success: true, data: { ...sampleIncident, timeline: [], messages: null } } }),
  };
  const { calls, history } = await renderAlerts({ address: '/incidents/7?do=acknowledge', answer: firing });
  await expect.element(page.getByRole('dialog', { name: 'Acknowledge the incident' })).toBeVisible();
  expect(writes(calls)).toEqual([]);
  await button('Cancel').click();
  await expect.poll(() => history.location.href).toBe('/incidents/7');
  const { calls: later, history: silenced } = await renderAlerts({ address: '/incidents/7?do=silence', answer: firing });
  await expect.poll(() => silenced.location.href).toBe('/incidents?startTabName=Silences&add=3&addApp=12');
  expect(writes(later)).toEqual([]);
});

describe('rules', () => {
  it('[ALERT-208] say in place of a preview that their comparison looks back further than retention', async () => {
    const comparison = [alertMessages.retention(8, 7)];
    const body = { success: false, message: 'The given data was invalid.', errors: { comparison }, data: { errors: { comparison } } };
    const { history } = await renderAlerts({
      address: '/incidents?startTabName=Rules',
      answer: { 'POST alerts/rules/preview': () => ({ status: 422, body }) },
    });
    history.push('/incidents/rules/create');
    await page.getByRole('combobox', { name: 'Kind' }).click();
    await page.getByRole('option', { name: 'Conversions dropped' }).click();
    await expect.element(page.getByText('This comparison needs 8 days of data, but only 7 are kept (EVENT_RETENTION_DAYS).')).toBeVisible();
    await expect.element(page.getByText('The preview could not be computed.')).not.toBeInTheDocument();
  });

  it('[ALERT-104, ALERT-105, ALERT-138] are switched in the list, and created with a preview of what they would have seen', async () => {
    const { calls, history } = await renderAlerts({ address: '/incidents?startTabName=Rules' });
    await expect.element(page.getByRole('row', { name: /Domains.*Domain expires.*7 days or less.*Critical.*All apps/ })).toBeVisible();
    const toggle = page.getByRole('switch', { name: 'Rule Domains' }).element();
    if (toggle instanceof HTMLElement) toggle.click();
    await expect.poll(() => writes(calls)).toEqual([{ call: 'PUT alerts/rules/3', body: { is_on: false } }]);

    history.push('/incidents/rules/create');
    await page.getByRole('combobox', { name: 'Kind' }).click();
    await expect.element(page.getByRole('option', { name: 'Activity seal' })).not.toBeInTheDocument();
    await page.getByRole('option', { name: 'Share of errors' }).click();
    await expect.element(page.getByLabelText('Threshold')).toHaveValue('20');
    await page.getByLabelText('Threshold').fill('101');
    await expect.element(page.getByText('Enter a whole number from 1 to 100.')).toBeVisible();
    await expect.element(page.getByText('Complete the condition to see a preview.')).toBeVisible();
    await page.getByLabelText('Threshold').fill('25');
    const measure = { window_minutes: 180, minimum: 30, comparison: null, request_filter: '' };
    const lastPreview = () => calls.findLast(({ call }) => call === 'POST alerts/rules/preview')?.body;
    await expect.poll(lastPreview).toEqual({
      kind: 'error_share',
      threshold: 25,
      scope: { apps: 'all', verticals: [], app_ids: [] },
      pending_minutes: 0,
      ...measure,
      rule_id: null,
    });
    await expect.element(page.getByText('Would have fired once in the last 30 days.')).toBeVisible();
    await expect.element(page.getByRole('figure', { name: /^Line chart: Share of errors/ })).toBeVisible();
    await page.getByText('Present values: 1 app').click();
    await expect.element(page.getByRole('list', { name: 'Present values' })).toMatchTextContent('Lucky Bet: 30.5%, fires');
    await expect
      .element(page.getByRole('list', { name: 'Present values' }).getByRole('link', { name: 'Lucky Bet' }))
      .toHaveAttribute('href', paths.appEdit(12, 'General'));
    await expect
      .element(page.getByRole('list', { name: 'Would have fired' }))
      .toMatchTextContent('Lucky Bet: 20.11.2026 11:00:00 to 20.11.2026 12:00:00');
    await page.getByLabelText('Name', { exact: true }).fill(' Errors ');
    await button('Create').click();
    await expect
      .poll(() => writes(calls).at(-1))
      .toEqual({
        call: 'POST alerts/rules',
        body: {
          name: 'Errors',
          kind: 'error_share',
          threshold: 25,
          scope: { apps: 'all', verticals: [], app_ids: [] },
          pending_minutes: 0,
          ...measure,
          hold_minutes: 0,
          further_thresholds: [],
          reminder_minutes: 0,
          severity: 'warning',
          is_on: true,
          channel_ids: null,
        },
      });
  });

  it('[ALERT-137] are duplicated: the form of a new one begins with the values of another', async () => {
    const { calls } = await renderAlerts({ address: '/incidents/rules/3/edit' });
    await page.getByRole('link', { name: 'Duplicate' }).click();
    await expect.element(page.getByLabelText('Name', { exact: true })).toHaveValue('Copy of Domains');
    await expect.element(page.getByLabelText('Threshold')).toHaveValue('7');
    await button('Create').click();
    await expect
      .poll(() => calls.find(({ call }) => call === 'POST alerts/rules'))
      .toMatchObject({
        call: 'POST alerts/rules',
        body: { name: 'Copy of Domains', kind: 'domain_expiry', threshold: 7, severity: 'critical' },
      });
  });

  it('[ALERT-194] about expiries are announced again at lower thresholds', async () => {
    const { calls } = await renderAlerts({ address: '/incidents/rules/create' });
    await page.getByLabelText('Name', { exact: true }).fill('Domains');
    const field = page.getByRole('combobox', { name: 'Announce again at' });
    await field.click();
    await page.getByRole('option', { name: '7 days', exact: true }).click();
    await page.getByRole('option', { name: '14 days', exact: true }).click();
    await page.getByRole('option', { name: '1 day', exact: true }).click();
    expect(page.getByRole('option', { name: '30 days', exact: true }).elements()).toHaveLength(0);
    await page.getByLabelText('Threshold').fill('14');
    await expect.element(page.getByText('Announced at 14, 7, 1 days.')).toBeVisible();
    await button('Create').click();
    await expect
      .poll(() => writes(calls).at(-1))
      .toMatchObject({ call: 'POST alerts/rules', body: { threshold: 14, further_thresholds: [7, 1] } });
  });

  it('[ALERT-199] about requests count some of them only', async () => {
    const { calls } = await renderAlerts({ address: '/incidents/rules/create' });
    await page.getByLabelText('Name', { exact: true }).fill('Germany');
    await page.getByRole('combobox', { name: 'Kind' }).click();
    await page.getByRole('option', { name: 'Share of bots', exact: true }).click();
    await page.getByRole('combobox', { name: 'Countries' }).click();
    await userEvent.keyboard('Germany');
    await page.getByRole('option', { name: /Germany/ }).click();
    await userEvent.keyboard('{Escape}');
    const systems = page.getByLabelText('Autonomous systems');
    await systems.fill('AS3320, Telekom');
    await expect.element(button('Create')).toBeDisabled();
    await systems.fill('as3320, 13335');
    await page.getByLabelText('Streams').fill('us-1\nfb,2');
    await button('Create').click();
    const filter = 'geo=DE&asn=13335&asn=3320&streamUid%5B%5D=fb%2C2&streamUid%5B%5D=us-1';
    await expect.poll(() => writes(calls).at(-1)).toMatchObject({ body: { kind: 'bot_share', request_filter: filter } });
  });

  it('[ALERT-106] are read-only for an account that sees some apps only', async () => {
    const { calls } = await renderAlerts({ address: '/incidents/rules/3/edit', hasAllApps: false });
    await expect.element(page.getByLabelText('Name', { exact: true })).toBeDisabled();
    await expect.element(page.getByText(/^Only accounts that see all apps/)).toBeVisible();
    expect(button('Save').elements()).toHaveLength(0);
    expect(calls.map(({ call }) => call)).toEqual(['GET alerts/rules/3']);
  });
});

it('[ALERT-108] silences are planned in the time of the server, and ended', async () => {
  const active: Silence = {
    id: 5,
    note: 'New certificate',
    kind: null,
    rule: { id: 3, name: 'Domains' },
    server: null,
    scope: { apps: 'verticals', verticals: ['bet'], app_ids: [] },
    starts_at: '2026-01-01 00:00:00',
    ends_at: '2099-01-01 00:00:00',
    weekly: null,
    created_by: { id: 9, name: 'Olga' },
  };
  const { calls } = await renderAlerts({
    address: '/incidents?startTabName=Silences&add=3&addApp=12',
    silences: [active],
    answer: {
      'POST alerts/silences': (body) => {
        const { scope, starts_at: start, ends_at: end } = createSilence.body.parse(body);
        return {
          status: 201,
          body: { success: true, data: { ...active, id: 6, note: '', scope, starts_at: start ?? '', ends_at: end } },
        };
      },
    },
  });
  await expect.element(page.getByText('Mutes 1 open incident and any new ones that match.')).toBeVisible();
  await page.getByText('Dates', { exact: true }).click();
  await page.getByLabelText('From', { exact: true }).fill('2099-02-01T10:00');
  await page.getByLabelText('Until').fill('2099-02-01T09:00');
  await expect.element(page.getByText('The end must be after the start.')).toBeVisible();
  await expect.element(button('Create')).toBeDisabled();
  await page.getByLabelText('Until').fill('2099-02-01T12:00');
  await button('Create').click();
  await expect.poll(() => writes(calls)).toHaveLength(1);
  expect(writes(calls)[0]?.body).toMatchObject({
    kind: null,
    rule_id: 3,
    server_id: null,
    scope: { apps: 'chosen', verticals: [], app_ids: [12] },
    starts_at: expect.stringMatching(/^2099-02-01T10:00:00[+-]\d\d:\d\d$/),
    ends_at: expect.stringMatching(/^2099-02-01T12:00:00[+-]\d\d:\d\d$/),
  });
  await expect.element(page.getByRole('row', { name: /Active.*Rule Domains, Bet.*New certificate.*Olga/ })).toBeVisible();
  await button('End the silence of Rule Domains, Bet').click();
  await button('OK').click();
  await expect.poll(() => writes(calls).at(-1)).toEqual({ call: 'DELETE alerts/silences/5' });
});

it('[SHELL-083] a silence of an hour ends an hour later by the clock of the server, however long its dialog was open', async () => {
  const rejected = { status: 403, body: { success: false, message: 'You have no permission for this action' } };
  const { calls } = await renderAlerts({
    address: '/incidents?startTabName=Silences&add=3',
    answer: { 'POST alerts/silences': () => rejected },
  });
  await page.getByLabelText('Note').fill('Maintenance');
  const serverNow = Date.now() + 14 * 60_000;
  correctedClock.observe(new Date(serverNow).toUTCString());
  await button('Create').click();
  await expect.poll(() => writes(calls)).toHaveLength(1);
  const { ends_at: end } = createSilence.body.parse(writes(calls)[0]?.body);
  expect(Math.round((Date.parse(end) - serverNow) / 60_000)).toBe(60);
});

it('[ALERT-181] a silence of a server repeats each week at clock times of the server', async () => {
  const weekly = { weekdays: [1, 7], from: '02:00', until: '04:30' };
  const planned: Silence = {
    id: 5,
    note: '',
    kind: null,
    rule: null,
    server: { id: 8, name: 'edge-1' },
    scope: { apps: 'all', verticals: [], app_ids: [] },
    starts_at: '2026-01-01 00:00:00',
    ends_at: '2099-01-01 00:00:00',
    // Of the day that is neither today nor yesterday anywhere.
    weekly: { ...weekly, weekdays: [((new Date().getUTCDay() + 3) % 7) + 1] },
    created_by: null,
  };
  const { calls } = await renderAlerts({
    address: '/incidents?startTabName=Silences&addServer=8',
    silences: [planned],
    answer: {
      'POST alerts/silences': (body) => {
        const { starts_at: start, ends_at: end } = createSilence.body.parse(body);
        return { status: 201, body: { success: true, data: { ...planned, id: 6, weekly, starts_at: start ?? '', ends_at: end } } };
      },
    },
  });
  await page.getByText('Weekly', { exact: true }).click();
  await expect.element(button('Create')).toBeDisabled();
  await page.getByRole('combobox', { name: 'Weekdays' }).click();
  for (const name of ['Monday', 'Sunday']) await page.getByRole('option', { name }).click();
  await page.getByLabelText('Until').fill('04:30');
  await button('Create').click();
  await expect.poll(() => writes(calls)).toHaveLength(1);
  expect(writes(calls)[0]?.body).toMatchObject({ rule_id: null, server_id: 8, weekly });
  await expect.element(page.getByRole('row', { name: /Planned.*server edge-1.*Every \w+day, 02:00 to 04:30/ })).toBeVisible();
});
