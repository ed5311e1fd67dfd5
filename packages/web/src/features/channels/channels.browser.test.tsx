import type { Channel, ChannelMessage, InboxEntry } from '@switchyard/contract/channels';
import { afterEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { hasInbox } from '../../shared/demo-inbox.ts';
import { sessionStore } from '../../shared/session/session-store.ts';
import { renderPages } from '../../testing/render-pages.tsx';
import { sampleChannel } from '../../testing/sample-channel.ts';
import { stubApi } from '../../testing/stub-api.ts';
import { ChannelsPage, CreateChannelPage, EditChannelPage, InboxPage } from './channel-pages.ts';

const grouping = { group_wait_seconds: 30, group_minutes: 5 };
const webhook: Channel = {
  ...sampleChannel,
  id: 5,
  name: 'Hook',
  kind: 'webhook',
  url: 'https://example.com/hook',
  chat_id: null,
  shown_target: 'https://example.com/hook',
};
const longName = 'Wide'.repeat(20);
const failed: ChannelMessage = {
  id: 9,
  uid: 'msg_1',
  state: 'failed',
  severity: 'critical',
  title: 'Domain expires',
  attempts: 12,
  answer: '500 Internal Server Error',
  created_at: '2026-11-20 10:00:00',
  sent_at: null,
  next_attempt_at: null,
};

const fired: InboxEntry['messages'][number] = {
  id: 21,
  type: 'incident.fired',
  severity: 'critical',
  title: 'CRITICAL · Server silent: edge-1',
  lines: ['The server edge-1 has not called for 12 minutes.', 'Open since 20.11.2026 10:00 UTC.'],
  path: '/incidents/7',
  happened_at: '2026-11-20 10:00:00',
};
const entry: InboxEntry = {
  id: 21,
  channel: { id: 7, name: 'Inbox' },
  title: fired.title,
  severity: 'critical',
  sent_at: '2026-11-20 10:00:05',
  to: null,
  attachment: null,
  messages: [fired],
};
let inbox: InboxEntry[] = [];
function Incident() {
  return <h1>The incident</h1>;
}

const button = (name: string) => page.getByRole('button', { name, exact: true });
afterEach(() => sessionStore.close());

async function render(
  address: string,
  { hasAllApps = true, rejects }: { hasAllApps?: boolean; rejects?: Readonly<Record<string, Response>> } = {},
) {
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
      permissions: ['manager_settings_server'],
    },
    token: { accessToken: 'swy_x', expiresAt: Date.now() + 3_600_000 },
  });
  const writes: [call: string, body?: unknown][] = [];
  const ok = (data: unknown, status = 200): Response => Response.json({ success: true, data }, { status });
  const page0 = {
    total: null,
    count: 1,
    limit: 50,
    currentPage: null,
    totalPages: null,
    current_page: null,
    last_page: null,
    links: [],
    prev_cursor: null,
    next_cursor: null,
  };
  const answers: Record<string, (body: unknown) => Response> = {
    'GET channels': () => ok([sampleChannel, webhook, { ...webhook, id: 6, name: longName }]),
    'GET channels/4': () => ok(sampleChannel),
    'GET channels/5': () => ok(webhook),
    'GET channels/4/rules': () => ok([{ id: 3, name: 'Domains', is_only: true }]),
    'GET channels/4/schedules': () =>
      ok([
        { id: 5, name: 'Morning', is_only: true },
        { id: 6, name: null, is_only: false },
      ]),
    'GET inbox': () =>
      Response.json({ success: true, data: inbox, pagination: { ...page0, total: inbox.length, currentPage: 1, totalPages: 1 } }),
    'GET channels/5/messages': () => Response.json({ success: true, data: [failed], pagination: page0 }),
    'POST channels': (body) => ok({ channel: { ...webhook, ...Object(body), target: undefined }, signing_secret: 'whsec_first' }, 201),
    'PUT channels/4': (body) => ok({ ...sampleChannel, ...Object(body), target: undefined, version: 2 }),
    'POST channels/5/test': () => ok({ is_sent: false, status: 500, answer: 'Out of order', milliseconds: 1234 }),
    'POST channels/5/secret': () => ok({ channel: webhook, signing_secret: 'whsec_second' }, 201),
    'POST channels/messages/9/resend': () => ok({ ...failed, state: 'pending' }),
    'DELETE channels/4': () => new Response(null, { status: 204 }),
  };
  stubApi((url, { method, body }) => {
    const { pathname, search } = new URL(url, 'http://console');
    const call = `${method} ${pathname.replace('/api/', '')}`;
    const sentBody: unknown = typeof body === 'string' ? JSON.parse(body) : undefined;
    if (method !== 'GET') writes.push(sentBody === undefined ? [call + search] : [call, sentBody]);
    return rejects?.[call] ?? answers[call]?.(sentBody) ?? Response.json({ success: false, message: 'Not found' }, { status: 404 });
  });
  const history = await renderPages(
    [
      ['/channels', 'Channels', ChannelsPage],
      ['/channels/create', 'Create channel', CreateChannelPage],
      ['/inbox', 'Inbox', InboxPage],
      ['/incidents/7', 'Incident', Incident],
      ['/channels/$id/edit', 'Edit channel', EditChannelPage],
    ],
    ['/before', address],
  );
  return { writes, history };
}

it('[CHAN-101, CHAN-118] lists channels with what waits and failed, deletes one, and keeps the secrets of another', async () => {
  const { writes, history } = await render('/channels');
  await expect
    .element(page.getByRole('row', { name: /On call.*Telegram.*Chat -100123.*Warning.*5 min.*20\.11\.2026 10:00:00/ }))
    .toBeVisible();
  await button('Delete On call').click();
  await expect
    .element(page.getByRole('dialog'))
    .toMatchTextContent(/Channel "On call" and the list of its messages.*1 waiting message will not be sent\./);
  await expect.element(page.getByText('A rule names this channel: Domains. Without another channel it will reach nobody.')).toBeVisible();
  await expect
    .element(
      page.getByText('2 schedules send to this channel: Morning and 1 more. Without another channel 1 of them will be switched off.'),
    )
    .toBeVisible();
  await page.getByRole('combobox', { name: 'Replacement channel' }).click();
  await page.getByRole('option', { name: webhook.name, exact: true }).click();
  await expect.element(page.getByText('A rule names this channel: Domains.', { exact: true })).toBeVisible();
  await button('OK').click();
  await expect.poll(() => writes).toEqual([['DELETE channels/4?replacement=5']]);

  await page.viewport(390, 844);
  await expect.element(page.getByRole('listitem').filter({ hasText: longName })).toBeVisible();
  expect(page.getByRole('link', { name: longName }).element().getBoundingClientRect().right).toBeLessThanOrEqual(390);
  await page.viewport(1280, 800);

  history.push('/channels/4/edit');
  await page.getByLabelText('Name', { exact: true }).fill('Night shift');
  await page.getByLabelText('Chat').fill('@alerts');
  await expect.element(page.getByText('Still needed: Bot token')).toBeVisible();
  await page.getByLabelText('Chat').fill('-100123');
  await button('Save').click();
  await expect
    .poll(() => writes.at(-1))
    .toEqual([
      'PUT channels/4',
      { name: 'Night shift', is_on: true, minimum_severity: 'warning', digest_minutes: 5, per_hour: 60, ...grouping },
    ]);
});

it('[CHAN-102, CHAN-103] shows the secret of a webhook once, the answer to a test, and sends a failed message again', async () => {
  const { writes, history } = await render('/channels/create');
  await page.getByText('Webhook', { exact: true }).click();
  await page.getByLabelText('Name', { exact: true }).fill('Hook');
  await expect.element(page.getByText('Still needed: Url')).toBeVisible();
  await page.getByLabelText('Url').fill('https://example.com/hook');
  await button('Create').click();
  await expect.element(page.getByRole('dialog', { name: 'Signing secret' })).toMatchTextContent(/whsec_first/);
  expect(writes).toEqual([
    [
      'POST channels',
      {
        name: 'Hook',
        target: { kind: 'webhook', url: 'https://example.com/hook' },
        is_on: true,
        minimum_severity: 'info',
        digest_minutes: 0,
        per_hour: 60,
        ...grouping,
      },
    ],
  ]);
  await button('Done').click();
  await expect.poll(() => history.location.pathname).toBe('/channels/5/edit');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();

  await button('Send a test').click();
  await expect
    .element(page.getByRole('dialog', { name: 'Test of Hook' }))
    .toMatchTextContent(/The message was not delivered\.Status500Time1[^\d]?234 msOut of order/);
  await page.getByRole('dialog').getByRole('button').click();
  await button('New secret').click();
  await button('OK').click();
  await expect
    .element(page.getByRole('dialog', { name: 'Signing secret' }))
    .toMatchTextContent(/old signature as well for 24 hours.*whsec_second/);
  await button('Done').click();

  await page.getByRole('tab', { name: 'Messages' }).click();
  await expect.element(page.getByRole('row', { name: /Failed.*Domain expires.*Critical.*12.*500 Internal Server Error/ })).toBeVisible();
  await button('Send again: Domain expires').click();
  await expect.poll(() => writes.at(-1)?.[0]).toBe('POST channels/messages/9/resend');
});

it('[ENT-045] a number is saved within its range only, and what is rejected of a target is shown at its control', async () => {
  const errors = { 'target.chat_id': ['No such chat.'] };
  const rejected = Response.json({ success: false, message: 'The given data was invalid.', errors, data: { errors } }, { status: 422 });
  const { writes } = await render('/channels/4/edit', { rejects: { 'PUT channels/4': rejected } });
  const perHour = page.getByLabelText('Maximum messages per hour');
  await perHour.fill('1001');
  await expect.element(page.getByText('Enter a whole number from 1 to 1000.')).toBeVisible();
  await expect.element(page.getByText('Still needed: Maximum messages per hour')).toBeVisible();
  await perHour.fill('');
  await expect.element(page.getByText('Enter a whole number from 1 to 1000.')).not.toBeInTheDocument();
  await expect.element(page.getByText('Still needed: Maximum messages per hour')).toBeVisible();
  await button('Discard').click();
  await expect.element(perHour).toHaveValue('60');
  await perHour.fill('70');
  await page.getByLabelText('Chat').fill('@nobody');
  await page.getByLabelText('Bot token').fill('123456:ABC');
  await button('Save').click();
  await expect.element(page.getByLabelText('Chat')).toHaveAccessibleDescription(/^No such chat\./);
  expect(writes.at(-1)).toMatchObject([
    'PUT channels/4',
    { per_hour: 70, target: { kind: 'telegram', bot_token: '123456:ABC', chat_id: '@nobody' } },
  ]);
});

it('[ENT-046] an account that may only look sees a locked form without buttons, and creating says why', async () => {
  const { history } = await render('/channels/4/edit', { hasAllApps: false });
  await expect.element(page.getByLabelText('Name', { exact: true })).toBeDisabled();
  await expect.element(page.getByRole('radio', { name: 'Warning' })).toBeDisabled();
  await expect.element(page.getByRole('switch', { name: /^Switched on/ })).toBeDisabled();
  expect(button('Save').elements()).toHaveLength(0);
  history.push('/channels/create');
  await expect.element(page.getByText('You cannot create channels')).toBeVisible();
  expect(button('Create').elements()).toHaveLength(0);
});

it('[CHAN-117] the inbox shows messages with their text, those that were combined as one, and leads to the incident', async () => {
  const second = { ...fired, id: 20, title: 'Resolved · Link failed: Acme', severity: 'warning' as const, lines: ['No link is failing.'] };
  inbox = [
    entry,
    {
      ...entry,
      id: 20,
      title: 'Links: 1 warning, 1 resolved',
      messages: [{ ...fired, id: 19, title: 'WARNING · Link failed: Bolt' }, second],
    },
    {
      ...entry,
      id: 18,
      title: 'Morning',
      severity: 'info',
      to: 'olga@example.com',
      attachment: { name: 'apps.csv', bytes: 12_345 },
      messages: [{ ...fired, id: 18, type: 'report.mail', title: 'Morning', lines: ['The saved view is attached.'], path: '/apps' }],
    },
  ];
  const { history } = await render('/inbox');
  await expect
    .element(page.getByRole('row', { name: /20\.11\.2026 10:00:05.*CRITICAL · Server silent: edge-1.*not called for 12 minutes.*Inbox/ }))
    .toBeVisible();
  await expect
    .element(page.getByRole('row', { name: /Links: 1 warning, 1 resolved.*Link failed: Bolt.*Link failed: Acme.*No link/ }))
    .toBeVisible();
  await expect
    .element(page.getByRole('row', { name: /Morning.*is attached.*apps\.csv.*13.?kB.*not kept.*olga@example\.com/ }))
    .toBeVisible();
  await page.viewport(390, 844);
  await expect.element(page.getByRole('listitem').filter({ hasText: 'The saved view is attached.' })).toBeVisible();
  await page.viewport(1280, 800);
  await page.getByRole('link', { name: fired.title }).first().click();
  await expect.poll(() => history.location.pathname).toBe('/incidents/7');
});

it('[CHAN-117] an empty inbox says how to fill it, and without the demo that there is none', async () => {
  inbox = [];
  hasInbox.set(true);
  await render('/inbox');
  await expect.element(page.getByText('No messages yet')).toBeVisible();
  hasInbox.set(false);
  await expect.element(page.getByText(/^Only the demo keeps messages here\./)).toBeVisible();
});
