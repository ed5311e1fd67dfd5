import type { Page } from '@playwright/test';
import { callApi, createJourneyApp, readJourneyApp, type JourneyApp } from '../console/app-api.ts';
import { expect, test } from './console-test.ts';
import { expectAccessible } from './expect-accessible.ts';

const linkedServers = (page: Page) => page.getByRole('list', { name: 'Linked servers' });
const unlinkedServers = (page: Page) => page.getByRole('list', { name: 'Servers not linked' });

/** The states of a link in their order, and what the page says of them. */
const states = [
  ['add', 'Adding the domain to the server'],
  ['bind', 'Binding the domain to the server'],
  ['ssl', 'Requesting the certificate'],
  ['ok', 'Linked'],
] as const;

/**
 * Holds the links of an app, as the page reads them, in the first state until the test releases them to a further one. The server
 * stays two seconds in each, and a busy machine may poll only after that.
 */
async function holdStates(page: Page, id: number): Promise<(most: number) => void> {
  let most = 0;
  await page.route(`**/api/apps/${id}`, async (route) => {
    const answer = await route.fetch();
    const body: { data: JourneyApp } = JSON.parse(await answer.text());
    const links = body.data.check_domains.map((link) => {
      const reachedState = states.findIndex(([status]) => status === link.status);
      return { ...link, status: states[Math.min(reachedState, most)]?.[0] ?? link.status };
    });
    await route.fulfill({ response: answer, json: { ...body, data: { ...body.data, check_domains: links } } });
  });
  return (next) => {
    most = next;
  };
}

test('[DOM-001, DOM-004, DOM-005, DOM-006, DOM-008, DOM-009, DOM-010, CONF-027, AMB-116] a server is linked through every state without a reload, and unlinked', async ({
  page,
  run,
}) => {
  const app = await createJourneyApp(run);
  await page.goto(`/apps/${app.id}/edit`);
  await expect(page.getByText('This app is not linked to a server yet')).toBeVisible();
  await expect(unlinkedServers(page)).toBeVisible();
  const total = await unlinkedServers(page).getByRole('listitem').count();
  const letOnTo = await holdStates(page, app.id);
  const name = (await unlinkedServers(page).getByRole('listitem').first().getByRole('button').getAttribute('aria-label')) ?? '';
  const server = name.replace('Create ', '');
  await page.getByRole('switch', { name: `Cloudflare only: ${server}` }).press('Space');
  await page.getByRole('button', { name }).click();
  await expect(page.getByText('This operation is not instant. Please reload the page in 1-2 minutes.')).toBeVisible();
  await expect(page.getByRole('button', { name: `Restart ${server}` })).toBeDisabled();
  await expect(linkedServers(page)).toContainText('Cloudflare only');
  for (const [at, [, text]] of states.entries()) {
    letOnTo(at);
    await expect(linkedServers(page).getByRole('status')).toHaveText(text, { timeout: 30_000 });
  }
  await expect(linkedServers(page).locator('[data-icon="ssl"]')).toHaveAttribute('data-tone', 'success');
  await expect(linkedServers(page).locator('[data-icon="bind"]')).toHaveAttribute('data-tone', 'success');
  await expect(linkedServers(page).getByText('Simulated')).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: `Remove ${server}` }).click();
  await expect(page.getByRole('dialog', { name: 'Are you sure?' })).toContainText(`will stop serving ${app.domain}`);
  await page.getByRole('button', { name: 'OK' }).click();
  await expect(unlinkedServers(page).getByRole('listitem')).toHaveCount(total);
  expect((await readJourneyApp(run, app.id)).check_domains).toEqual([]);
});

test('[DOM-014] the Cloudflare toggle is hidden where the deployment hides it', async ({ page, run }) => {
  const app = await createJourneyApp(run);
  await page.route('**/api/settings', async (route) => {
    const answer = await route.fetch();
    const body: { data: object } = JSON.parse(await answer.text());
    await route.fulfill({ response: answer, json: { ...body, data: { ...body.data, hideOnlyCf: true } } });
  });
  const linkRequest = page.waitForRequest((request) => request.url().endsWith('/api/app/add-domain'));
  await page.goto(`/apps/${app.id}/edit`);
  await unlinkedServers(page).getByRole('button').first().click();
  expect((await linkRequest).postDataJSON()).toMatchObject({ domain: app.domain, isOnlyCF: false });
  await expect(page.getByRole('switch', { name: /Cloudflare only/ })).toHaveCount(0);
});

test('an app archived meanwhile links no server and says why', async ({ page, run }) => {
  const app = await createJourneyApp(run);
  await page.goto(`/apps/${app.id}/edit`);
  const create = unlinkedServers(page).getByRole('button').first();
  await expect(create).toBeEnabled();
  await callApi(run, 'super', 'DELETE', `apps/${app.id}`);
  await create.click();
  await expect(page.getByRole('main').getByText('You need to restore the app first to make changes').first()).toBeVisible();
  await expect(create).toBeDisabled();
});
