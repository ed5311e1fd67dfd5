import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { callApi, createJourneyApp } from '../console/app-api.ts';
import { expect, test, widths } from './console-test.ts';
import { expectAccessible } from './expect-accessible.ts';
import { headers, recordQueries, rowOf } from '../console/list-rows.ts';
import type { RunState } from '../console/run-state.ts';

/** A name that no other test uses, longer than the list shows. */
const ownName = (): string => `edge-${randomUUID()}`;
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function makeServer(run: RunState, name: string): Promise<number> {
  const createdServer = await callApi(run, 'super', 'POST', 'servers', {
    name,
    url: 'https://edge.example',
    region: 'eu-central-and-more',
  });
  if (typeof createdServer !== 'object' || createdServer === null || !('id' in createdServer) || typeof createdServer.id !== 'number')
    throw new Error('No server was made');
  return createdServer.id;
}

/** Bodies of every write to a server from this moment on. */
function recordBodies(page: Page): unknown[] {
  const bodies: unknown[] = [];
  page.on('request', (request) => {
    if (/\/api\/servers/.test(request.url()) && request.method() !== 'GET') bodies.push(request.postDataJSON());
  });
  return bodies;
}

test('[SRV-001, SRV-011, SRV-014, SRV-015, SRV-017, SRV-019, SRV-020, SHELL-025, PERM-029, API-059] a server is created after a prompt, its token shown once', async ({
  page,
}) => {
  const name = ownName();
  await page.goto('/apps');
  await page.getByRole('link', { name: 'Servers', exact: true }).click();
  await expect(page).toHaveTitle(/^Servers \| /);
  await page.getByRole('link', { name: 'Create server' }).first().click();
  await expect(page).toHaveURL(/\/servers\/create$/);
  for (const label of ['Name', 'Url', 'Token', 'Region', 'Main hash', 'Hash', 'IP']) await expect(field(page, label)).toHaveValue('');
  const bar = page.getByRole('region', { name: 'Save' });
  await expect(bar).toContainText('Still needed: Name, Url');
  await expect(button(page, 'Create')).toBeDisabled();
  await field(page, 'Name').fill(name);
  await expect(bar).toContainText('Still needed: Url');
  await expect(button(page, 'Create')).toBeDisabled();
  await field(page, 'Url').fill('ftp://edge.example');
  await expect(button(page, 'Create')).toBeEnabled();
  await button(page, 'Generate token').click();
  await expect(page.getByRole('note', { name: 'New token' })).toContainText(/swy_[\w-]{43}/);
  const token = await field(page, 'Token').inputValue();

  const bodies = recordBodies(page);
  await button(page, 'Create').click();
  const prompt = page.getByRole('dialog', { name: 'Are you sure?' });
  await expect(prompt).toContainText('Please check all data TWICE!');
  await button(page, 'Cancel').click();
  await expect(prompt).toHaveCount(0);
  expect(bodies).toEqual([]);
  await button(page, 'Create').click();
  await button(page, 'OK').click();
  await expect(field(page, 'Url')).toHaveAccessibleDescription('The url must be a valid http or https URL.');
  await expect(field(page, 'Url')).toBeFocused();
  await field(page, 'Url').fill('https://edge.example');
  await button(page, 'Create').click();
  await button(page, 'OK').click();
  await expect(page).toHaveURL(/\/servers$/);
  await expect(rowOf(page, name.slice(0, 33))).toContainText('Never');
  expect(bodies.at(-1)).toEqual({ name, url: 'https://edge.example', region: null, ip: null, token });
});

test('[SRV-016, SRV-018, SRV-021, SRV-022, SRV-023] a server is edited; only what was typed of its secrets is sent', async ({
  page,
  run,
}) => {
  const name = ownName();
  const id = await makeServer(run, name);
  await page.goto('/servers');
  await page.getByRole('link', { name: `Edit ${name}` }).click();
  await expect(page.getByRole('heading', { name: `Edit server: ${name}`, level: 1 })).toBeVisible();
  await expect(button(page, 'Save')).toBeDisabled();
  const bodies = recordBodies(page);
  // The url is sent only when it has changed: one from before today's rules must not hold up the other fields.
  const keptFields = { name, region: 'eu-central-and-more', ip: null };
  for (const [label, key] of [
    ['Token', 'token'],
    ['Main hash', 'mainHash'],
    ['Hash', 'hash'],
  ] as const) {
    await page.goto(`/servers/${id}/edit`);
    const secret = `secret-${randomUUID()}`;
    await field(page, label).fill(secret);
    await button(page, 'Save').click();
    await expect(page.getByRole('dialog', { name: 'Are you sure?' })).toContainText('Please check all data TWICE!');
    await button(page, 'OK').click();
    await expect(page.getByText(`Server "${name}" saved`)).toBeVisible();
    await expect(page).not.toHaveURL(/\/edit$/);
    expect(bodies.at(-1)).toEqual({ ...keptFields, [key]: secret });
  }
  await page.goto(`/servers/${id}/edit`);
  await expect(page.getByText(/^Set on \d\d\.\d\d\.\d{4} .*Leave empty to keep it/)).toHaveCount(3);
  await callApi(run, 'super', 'PUT', `servers/${id}`, { region: 'elsewhere' });
  await field(page, 'Url').fill('https://other.example');
  await button(page, 'Save').click();
  await button(page, 'OK').click();
  await expect(page.getByRole('dialog').getByRole('cell', { name: 'elsewhere', exact: true })).toBeVisible();
});

test('[SRV-012, SRV-013] removing a server names the apps that depend on it, then removes it', async ({ page, run }) => {
  const name = ownName();
  const id = await makeServer(run, name);
  const app = await createJourneyApp(run);
  await callApi(run, 'super', 'POST', 'app/add-domain', { domain: app.domain, serverId: id });
  await page.goto('/servers');
  await button(page, `Remove ${name}`).click();
  const prompt = page.getByRole('dialog', { name: 'Are you sure?' });
  await expect(prompt).toContainText('All data will be DELETED!');
  await expect(prompt).toContainText(app.domain);
  const deletion = page.waitForRequest((request) => request.method() === 'DELETE');
  await button(page, 'OK').click();
  expect((await deletion).url()).toMatch(new RegExp(`/api/servers/${id}$`));
  await expect(rowOf(page, name.slice(0, 33))).toHaveCount(0);
});

test('[SRV-002, SRV-003, SRV-004, SRV-005, SRV-006, SRV-007, SRV-008, SRV-009, SRV-010, CONST-041, CONST-042, AMB-198] the list shows, cuts and sorts', async ({
  page,
  run,
}) => {
  const name = ownName();
  const id = await makeServer(run, name);
  const queries = recordQueries(page, '/api/servers');
  await page.goto('/servers');
  await expect(rowOf(page, name.slice(0, 33))).toContainText(name.slice(0, 33));
  await expect(rowOf(page, name.slice(0, 33))).not.toContainText(name);
  await expect(rowOf(page, name.slice(0, 33)).locator('td').first()).toHaveText(String(id));
  await expect(rowOf(page, name.slice(0, 33))).toContainText('eu-central-and-...');
  await expect.poll(() => headers(page)).toEqual(['#', 'Name', 'Url', 'Region', 'Created', 'Updated', 'Last seen', 'Events/h', 'Actions']);
  expect(queries[0]?.get('orderBy')).toBe('keyC');
  expect(queries[0]?.get('orderDirection')).toBe('desc');
  await page.getByRole('columnheader', { name: 'Url' }).getByRole('button').click();
  await expect(page).toHaveURL(/orderBy=keyUrl/);
});

for (const width of widths(1440)) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 844 } });

    test('list and form of servers are accessible and fit their window', async ({ page, run }) => {
      // A server of its own: another test may remove the first one of the list meanwhile.
      const name = ownName();
      await makeServer(run, name);
      await page.goto('/servers');
      const edit = page.getByRole('link', { name: `Edit ${name}`, exact: true });
      await expect(edit).toBeVisible();
      await expectAccessible(page);
      await edit.click();
      await button(page, 'Generate token').click();
      await expect(page.getByRole('note', { name: 'New token' })).toBeVisible();
      await expectAccessible(page);
      await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    });
  });
}
