import { afterEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { sessionStore } from '../../shared/session/session-store.ts';
import { unsavedWork } from '../../shared/unsaved-work.ts';
import { ok, renderServers, sampleServer, writes } from './testing/render-servers.tsx';

const button = (name: string) => page.getByRole('button', { name, exact: true });
const field = (label: string) => page.getByLabelText(label, { exact: true });
const toast = () => page.getByTestId('notification');
const prompt = () => page.getByRole('dialog', { name: 'Are you sure?' });
const valueOf = (label: string): string => {
  const input = field(label).element();
  return input instanceof HTMLInputElement ? input.value : 'no input';
};

describe('the list of servers', () => {
  it('[AMB-193] shows when each was last seen and how many events it reports', async () => {
    const servers = [
      sampleServer,
      { ...sampleServer, id: 4, name: 'edge-new' },
      { ...sampleServer, id: 5, name: 'edge-mute', ingest_enabled: false },
    ];
    const activity = ok([
      { id: 3, last_seen_at: '2026-11-20 10:11:12', events_last_hour: 12_345 },
      { id: 4, last_seen_at: null, events_last_hour: 0 },
      { id: 5, last_seen_at: null, events_last_hour: 0 },
    ]);
    await renderServers({ address: '/servers', servers, answer: { 'GET servers/activity': activity } });
    const row = (id: number) => page.getByRole('row', { name: new RegExp(`^${id} edge`) });
    await expect.element(row(3)).toMatchTextContent(/20\.11\.2026 10:11:12\s*12[^\d]?345/);
    await expect.element(row(4)).toMatchTextContent(/Never0$/);
    await expect.element(row(5)).toMatchTextContent(/Cannot call0$/);
  });

  it('[SRV-025] are chosen by text, by whether they call and by links, and chips say so', async () => {
    const { history } = await renderServers({ address: '/servers?silent=1&linked=0' });
    await expect.element(button('Remove filter None for 10 minutes')).toBeVisible();
    await button('Remove filter Without links').click();
    await page.getByPlaceholder('Name, url, region or address').fill('fra');
    await button('Apply filter').click();
    await expect.poll(() => history.location.search).toBe('?search=fra&silent=1');
  });

  it('[SRV-012] names what depends on a server before it is removed; cancelled, nothing is sent', async () => {
    const app = (id: number) => ({
      id,
      name: `App ${id}`,
      domain: `app${id}.example`,
      deleted_at: id === 2 ? '2026-01-01 00:00:00' : null,
    });
    const links = Array.from({ length: 9 }, (_, nth) => ({ id: nth, status: 'ok', app: app(nth + 1) }));
    const { calls } = await renderServers({ address: '/servers', answer: { 'GET servers/3/dependants': ok({ links, others: 2 }) } });
    await button('Remove edge-fra-1').click();
    await expect
      .element(prompt())
      .toMatchTextContent(/All data will be DELETED!Server "edge-fra-1"These apps lose their link to it:App 1 \(app1\.example\)/);
    await expect.element(prompt()).toMatchTextContent(/App 2 \(app2\.example\), archived.*App 8 \(app8\.example\)and 3 more/);
    await expect.element(prompt()).not.toMatchTextContent(/App 9/);
    await button('Cancel').click();
    await expect.element(prompt()).not.toBeInTheDocument();
    expect(writes(calls)).toEqual([]);

    await button('Remove edge-fra-1').click();
    await button('OK').click();
    await expect.poll(() => writes(calls)).toEqual([['DELETE servers/3']]);
    await expect.element(toast()).toMatchTextContent(/Server "edge-fra-1" removed/);
    await expect.poll(() => calls.filter(([call]) => call === 'GET servers')).toHaveLength(2);
  });

  it('[SRV-012] says only what is lost where nothing depends on it', async () => {
    await renderServers({ address: '/servers' });
    await button('Remove edge-fra-1').click();
    await expect.element(prompt()).toMatchTextContent(/^Are you sure\?All data will be DELETED!Server "edge-fra-1"CancelOK$/);
    await button('Cancel').click();
    await expect.element(prompt()).not.toBeInTheDocument();
  });

  it('asks nothing about a deleted server, says so and loads the list again', async () => {
    const notFoundAnswer = { status: 404, body: { success: false, message: 'Not found' } };
    const { calls } = await renderServers({ address: '/servers', answer: { 'GET servers/3/dependants': notFoundAnswer } });
    await button('Remove edge-fra-1').click();
    await expect.element(toast()).toMatchTextContent(/There is no such server/);
    await expect.poll(() => calls.filter(([call]) => call === 'GET servers')).toHaveLength(2);
    expect(prompt().elements()).toHaveLength(0);
  });
});

describe('the form of a server', () => {
  it('[SRV-014] shows a new token once: it is sent, and the saved server has it nowhere', async () => {
    const { calls, history } = await renderServers({ address: '/servers/create' });
    await expect.element(page.getByText('Still needed: Name, Url')).toBeVisible();
    await expect
      .element(field('Token'))
      .toHaveAccessibleDescription(/^The server authenticates with it\. It needs at least 24 characters\.$/);
    await expect.element(field('Hash')).not.toHaveAccessibleDescription();
    await field('Name').fill('edge-fra-1');
    await field('Url').fill('https://edge-fra-1.example');
    await button('Generate token').click();
    const token = valueOf('Token');
    expect(token).toMatch(/^swy_[\w-]{43}$/);
    await expect.element(page.getByRole('note', { name: 'New token' })).toMatchTextContent(new RegExp(token));
    await button('Create').click();
    await button('OK').click();
    await expect.poll(() => history.location.pathname).toBe('/before');
    expect(writes(calls)).toEqual([
      ['POST servers', { name: 'edge-fra-1', url: 'https://edge-fra-1.example', region: null, ip: null, token }],
    ]);
    // The form that was sent is shown until the page has followed its address.
    await expect.element(field('Name')).not.toBeInTheDocument();
    history.push('/servers/3/edit');
    await expect.element(field('Name')).toHaveValue('edge-fra-1');
    expect(valueOf('Token')).toBe('');
    expect(document.body.textContent).not.toContain(token);
    expect(page.getByRole('note').elements()).toHaveLength(0);
  });

  it('[SRV-021, SRV-022, SRV-023, AMB-195] reads no secret, says since when each is set, and sends only what was typed', async () => {
    const { calls, history } = await renderServers({ address: '/servers/3/edit' });
    await expect.element(field('Token')).toHaveAccessibleDescription(/^Set on 01\.06\.2026 00:00:00\. Leave empty to keep it\./);
    await expect.element(field('Main hash')).toHaveAccessibleDescription('Set. Leave empty to keep it.');
    await expect.element(field('Hash')).toHaveAccessibleDescription('Not set.');
    for (const label of ['Token', 'Main hash', 'Hash']) {
      expect([label, valueOf(label), field(label).element().getAttribute('type')]).toEqual([label, '', 'password']);
    }
    await expect.element(button('Save')).toBeDisabled();
    await field('Main hash').fill('one-more');
    await button('Save').click();
    await button('OK').click();
    await expect.poll(() => history.location.pathname).toBe('/before');
    const { name, region, ip } = sampleServer;
    expect(writes(calls)).toEqual([['PUT servers/3', { name, region, ip, mainHash: 'one-more' }]]);
  });

  it('[S40] saves a new name beside an url that today would be rejected', async () => {
    const server = { ...sampleServer, url: 'https://edge.example/admin?x=1' };
    const { calls } = await renderServers({ address: '/servers/3/edit', servers: [server], answer: { 'GET servers/3': ok(server) } });
    await expect.element(field('Url')).toHaveValue(server.url);
    await field('Name').fill('edge-renamed');
    await button('Save').click();
    await button('OK').click();
    const { region, ip } = server;
    await expect.poll(() => writes(calls)).toEqual([['PUT servers/3', { name: 'edge-renamed', region, ip }]]);
  });

  it('[ERR-015, AMB-061] shows a rejected url at its field and in a toast', async () => {
    const errors = { url: ['The url must be a valid http or https URL.'] };
    const refusal = { status: 422, body: { success: false, message: 'The given data was invalid.', errors, data: { errors } } };
    await renderServers({ address: '/servers/3/edit', answer: { 'PUT servers/3': refusal } });
    await field('Url').fill('ftp://edge.example');
    await button('Save').click();
    await button('OK').click();
    await expect.element(field('Url')).toHaveAccessibleDescription('The url must be a valid http or https URL.');
    await expect.element(field('Url')).toHaveFocus();
    // The test before may have ended before its notification was there.
    await expect.element(toast().filter({ hasText: /The url must be a valid http or https URL\./ })).toBeVisible();
    await expect.element(button('Save')).toBeDisabled();
  });
});

describe('a server that somebody else saved meanwhile', () => {
  const conflict = page.getByRole('dialog', { name: 'Somebody else changed this server' });
  const current = { ...sampleServer, region: 'eu-north', version: 3 };
  const late = { status: 412, body: { success: false, message: 'It was changed meanwhile.', data: { current } } };
  const errors = { name: ['The name has already been taken.'] };
  const invalid = { status: 422, body: { success: false, message: 'The given data was invalid.', errors, data: { errors } } };

  it('[O16, ERR-015] shows in the form what is rejected of a save over theirs, and keeps what was typed', async () => {
    const answer: Record<string, typeof late | typeof invalid> = { 'PUT servers/3': late };
    const { calls, history } = await renderServers({ address: '/servers/3/edit', answer });
    await field('Name').fill('edge-renamed');
    await button('Save').click();
    await button('OK').click();
    await expect.element(conflict.getByRole('row', { name: /^Region eu-central eu-north not changed$/ })).toBeVisible();

    answer['PUT servers/3'] = invalid;
    await button('Save mine over it').click();
    await expect.element(conflict).not.toBeInTheDocument();
    await expect.element(field('Name')).toHaveAccessibleDescription('The name has already been taken.');
    await expect.element(field('Name')).toHaveValue('edge-renamed');
    expect(writes(calls).at(-1)).toMatchObject(['PUT servers/3', { name: 'edge-renamed', region: 'eu-north' }]);
    expect(history.location.pathname).toBe('/servers/3/edit');
  });

  it('[O16] discards what was typed when theirs is loaded, and leaves without a question', async () => {
    const { history } = await renderServers({ address: '/servers/3/edit', answer: { 'PUT servers/3': late } });
    await field('Name').fill('edge-renamed');
    await button('Save').click();
    await button('OK').click();
    await button('Discard mine, load theirs').click();
    await expect.element(field('Region')).toHaveValue('eu-north');
    await expect.element(field('Name')).toHaveValue('edge-fra-1');
    await expect.element(page.getByText('Nothing changed')).toBeVisible();
    expect(unsavedWork.isHeld()).toBe(false);
    history.back();
    await expect.poll(() => history.location.pathname).toBe('/before');
  });
});

describe('for a reader who sees some apps only', () => {
  const reader = { id: 8, name: 'Rita', email: 'rita@example.com', panel: 'user', hasAllApps: false, isSuperAdmin: false } as const;
  const signIn = () =>
    sessionStore.open({
      user: { ...reader, roles: [], badges: [], permissions: ['manager_settings_server'] },
      token: { accessToken: 'swy_x', expiresAt: Date.now() + 3_600_000 },
    });
  afterEach(() => sessionStore.close());

  it('[O36] the list offers neither to create nor to remove servers, and creating says why', async () => {
    signIn();
    const { history } = await renderServers({ address: '/servers' });
    await expect.element(page.getByRole('link', { name: 'Edit edge-fra-1' })).toBeVisible();
    await expect.element(button('Remove edge-fra-1')).not.toBeInTheDocument();
    await expect.element(page.getByRole('link', { name: 'Create server' })).not.toBeInTheDocument();
    history.push('/servers/create');
    await expect.element(page.getByText('You cannot create servers')).toBeVisible();
  });

  it('[O36] the form locks what decides whose traffic it is, and saves name and region', async () => {
    signIn();
    const { calls } = await renderServers({ address: '/servers/3/edit' });
    await expect.element(field('Url')).toHaveAttribute('readonly');
    await expect.element(field('IP')).toHaveAttribute('readonly');
    for (const label of ['Token', 'Main hash', 'Hash']) await expect.element(field(label)).toBeDisabled();
    await expect.element(button('Generate token')).toBeDisabled();
    await expect.element(page.getByText(/only accounts with access to all apps/).first()).toBeVisible();
    await field('Region').fill('eu-west');
    await button('Save').click();
    await button('OK').click();
    await expect.poll(() => writes(calls)).toEqual([['PUT servers/3', { name: 'edge-fra-1', region: 'eu-west', ip: '203.0.113.20' }]]);
  });
});
