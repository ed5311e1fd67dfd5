import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { createJourneyApp } from '../console/app-api.ts';
import { expect, test } from './console-test.ts';
import { expectAccessible } from './expect-accessible.ts';

const input = (page: Page) => page.getByLabel('JSON', { exact: true });
const encodedResult = (page: Page) => page.getByLabel('Encoded result');
const answer = (page: Page) => page.getByLabel('Encoded answer');
const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true });

async function encode(page: Page, text: string): Promise<void> {
  await input(page).fill(text);
  await page.getByRole('button', { name: 'Encode' }).click();
  await expect(encodedResult(page)).toHaveValue(/^[A-Za-z\d+/]+=*$/);
}

async function choose(page: Page, domain: string): Promise<void> {
  await page.getByRole('combobox', { name: 'App domain', exact: true }).click();
  await page.getByPlaceholder('Type to find').fill(domain);
  await page.getByRole('option', { name: domain }).click();
}

test('[DEV-001, DEV-003, DEV-004, DEV-005, DEV-006, DEV-007, DEV-008, DEV-009, DEV-013, DEV-018, DEV-019, SHELL-032, PERM-043, PERM-044, S20] a request is encoded, sent to an app and its answer decoded, without the session', async ({
  page,
  run,
  context,
}) => {
  const { domain } = await createJourneyApp(run);
  const { port } = new URL(run.url);
  const address = `http://${domain}.localhost:${port}/api/dev`;
  await page.goto('/');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'DevDoc' }).click();
  await expect(page).toHaveTitle(/^DevDoc \| /);
  await expect(send(page)).toBeDisabled();
  await encode(page, '{"gaid": "7c1e", "list": [1,],}');
  await expect(send(page)).toBeDisabled();
  await choose(page, domain);
  await expect(page.getByText(address)).toBeVisible();
  const request = page.waitForRequest(address);
  await send(page).click();
  await expect(page.getByRole('region', { name: 'Decoded' }).locator('pre')).toHaveText(
    new RegExp(`^domain: ${domain}\nreceived: \\{"gaid":"7c1e","list":\\[1\\]\\}\ntime: \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$`),
  );
  const headers = await (await request).allHeaders();
  expect((await request).postData()).toBe(await encodedResult(page).inputValue());
  expect(headers).toMatchObject({ origin: new URL(run.url).origin, 'content-type': 'text/plain;charset=UTF-8' });
  for (const name of ['authorization', 'cookie']) expect(headers).not.toHaveProperty(name);
  expect(headers['referer'] ?? '').toBe('');

  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy as cURL' }).click();
  const command = `curl -X POST "${address}" -H "Content-Type: text/plain" --data-raw "${await encodedResult(page).inputValue()}"`;
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(command);
});

test('[DEV-020, S20] a redirect of the host is reported and not followed, and so is an unavailable host', async ({
  page,
  run,
  context,
}) => {
  // The frame that this test serves itself counts as one from the internet.
  await context.grantPermissions(['local-network-access']);
  const askedHosts: string[] = [];
  const host = createServer((request, response) => {
    askedHosts.push(`${request.method} ${request.url}`);
    response.writeHead(302, { location: '/elsewhere', 'access-control-allow-origin': run.url }).end();
  });
  await new Promise<void>((resolve) => {
    host.listen(0, '127.0.0.1', resolve);
  });
  const isAddress = (address: ReturnType<typeof host.address>): address is AddressInfo => typeof address === 'object' && address !== null;
  const listening = host.address();
  if (!isAddress(listening)) throw new Error('The host has no port');
  const { domain } = await createJourneyApp(run);
  const real = `${domain}.localhost:${new URL(run.url).port}`;
  // The page of the frame as the server makes it, for a host of this test's own.
  await page.route('**/dev-frame/query?*', async (route) => {
    const servedAnswer = await route.fetch();
    const moveHost = (text: string): string => text.replaceAll(real, `${domain}.localhost:${listening.port}`);
    const headers = {
      ...servedAnswer.headers(),
      'content-security-policy': moveHost(servedAnswer.headers()['content-security-policy'] ?? ''),
    };
    await route.fulfill({ status: servedAnswer.status(), headers, body: moveHost(await servedAnswer.text()) });
  });
  try {
    await page.goto('/dev-doc');
    await encode(page, '1');
    await choose(page, domain);
    await send(page).click();
    await expect(page.getByTestId('notification')).toContainText(`${domain} answers with a redirect, which is not followed`);
    expect(askedHosts).toEqual(['POST /api/dev']);
  } finally {
    host.closeAllConnections();
    host.close();
  }
  await send(page).click();
  await expect(page.getByTestId('notification').last()).toContainText(`${domain} cannot be reached`);
  await expect(answer(page)).toHaveAttribute('aria-invalid', 'true');
});

test('[DEV-010, DEV-012, PERM-046, S22, AMB-156] the guide is shown in a frame without any permission, in the theme of the console', async ({
  page,
}) => {
  await page.goto('/dev-doc');
  const frame = page.locator('iframe[title="Guide for developers of apps"]');
  await expect(frame).toHaveAttribute('sandbox', '');
  const guide = page.frameLocator('iframe[title="Guide for developers of apps"]');
  for (const name of ['Request types', 'Encoding', 'Errors', 'Retries']) await expect(guide.getByRole('heading', { name })).toBeAttached();
  await expect(guide.locator('html')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await page.getByRole('button', { name: 'Switch to dark theme' }).click();
  await expect(guide.locator('html')).toHaveCSS('background-color', 'rgb(20, 23, 28)');
});

test('[DEV-002, SHELL-005] where the documentation is hidden the address is unknown and the menu has no entry', async ({ page }) => {
  await page.route('**/api/settings', async (route) => {
    const response = await route.fetch();
    const body: { data: object } = await response.json();
    await route.fulfill({ response, json: { ...body, data: { ...body.data, hideDocs: true } } });
  });
  await page.goto('/dev-doc');
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Apps', exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'DevDoc' })).toHaveCount(0);
});

test.describe('manager', () => {
  test.use({ account: 'manager' });

  test('[DEV-001, DEV-011, DEV-012, AMB-003] without either permission the address leads to the login page', async ({ page }) => {
    await page.goto('/dev-doc');
    await expect(page).toHaveURL(/\/login$/);
  });
});

for (const width of [390, 1440]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 844 } });

    test('the developer page is accessible and fits its window, also with errors and an answer', async ({ page, run }) => {
      const { domain } = await createJourneyApp(run);
      await page.goto('/dev-doc');
      await encode(page, `{"text": "${'long'.repeat(100)}"}`);
      await choose(page, domain);
      await send(page).click();
      await expect(page.getByRole('region', { name: 'Decoded' })).toBeVisible();
      await input(page).fill('{');
      await input(page).press('Enter');
      await expect(input(page)).toHaveAttribute('aria-invalid', 'true');
      await expect(page.locator('iframe[title="Guide for developers of apps"]')).toHaveAttribute('src', /^blob:/);
      await page.evaluate('scrollTo(0, 0)');
      await expectAccessible(page);
      await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    });
  });
}
