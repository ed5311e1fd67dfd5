import type { Locator, Page } from '@playwright/test';
import { accounts, cataloguePassword, password } from '../console/accounts.ts';
import { createJourneyApp } from '../console/app-api.ts';
import { asSession } from './as-session.ts';
import { expect, test } from './console-test.ts';
import { startCuttingProxy } from './cutting-proxy.ts';
import { expectAccessible } from './expect-accessible.ts';
import { handIn, ownClient } from '../console/hand-in.ts';
import { columnTexts, listRows } from '../console/list-rows.ts';
import type { StoredSession } from '../console/run-state.ts';

const liveButton = (page: Page): Locator => page.getByRole('button', { name: /^(Live|Reconnecting)$/ });
const newRows = (page: Page): Locator => page.getByRole('button', { name: /new rows?$/ });
const types = (page: Page): Promise<string[]> => columnTexts(page, 'Req_Type');

/** Live, with the list reloaded: from now on only the stream brings new events. */
async function goLive(page: Page): Promise<void> {
  const readAnew = page.waitForResponse((response) => /\/(?:all-requests|postbacks)\?/.test(response.url()));
  await liveButton(page).click();
  await expect(liveButton(page)).toHaveAttribute('data-state', 'live');
  await readAnew;
}

/** Scrolls a box and waits until its page has handled it, which is a frame later. It must not be there already. */
async function scrollTo(scroller: Locator, top: number): Promise<void> {
  await scroller.evaluate(
    (box, to) =>
      new Promise<void>((resolve) => {
        box.addEventListener('scroll', () => resolve(), { once: true });
        box.scrollTo(0, to);
      }),
    top,
  );
}

test('new requests appear on top while they are watched, those that fit the filters only', async ({ page, run }) => {
  const client = ownClient();
  await page.goto(`/requests?search=${client}&type=create&type=track`);
  await expect(page.getByText('Nothing found')).toBeVisible();
  await goLive(page);
  await expect(liveButton(page)).toHaveAttribute('aria-pressed', 'true');
  await handIn(run, [{ type: 'create', client_uid: client }]);
  await expect(listRows(page)).toHaveCount(1);
  await handIn(run, [
    { type: 'receive', client_uid: client },
    { type: 'track', client_uid: client },
    { type: 'create', client_uid: ownClient() },
  ]);
  await expect(listRows(page)).toHaveCount(2);
  await expect.poll(() => types(page)).toEqual(['track', 'create']);
  await expect(page.getByText('2 rows', { exact: true })).toHaveAttribute('aria-live', 'off');

  await liveButton(page).click();
  await expect(liveButton(page)).toHaveAttribute('aria-pressed', 'false');
  await handIn(run, [{ type: 'track', client_uid: client }]);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(listRows(page)).toHaveCount(3);
});

test('[REQ-031] an open request and a scrolled list hold the rows still until they are called up', async ({ page, run }) => {
  const client = ownClient();
  await handIn(
    run,
    Array.from({ length: 40 }, () => ({ type: 'create', client_uid: client, body_request: { a: 1 } })),
  );
  await page.goto(`/requests?search=${client}`);
  await expect(listRows(page)).toHaveCount(40);
  await goLive(page);
  const panel = page.getByRole('complementary', { name: /request/i });
  await listRows(page).first().getByRole('button', { name: /show/i }).click();
  await expect(panel).toBeVisible();
  await handIn(run, [
    { type: 'track', client_uid: client, body_request: { a: 1 } },
    { type: 'receive', client_uid: client, body_request: { a: 1 } },
  ]);
  await expect(newRows(page)).toHaveText('2 new rows');
  expect((await types(page))[0]).toBe('create');
  await newRows(page).click();
  await expect(newRows(page)).toHaveCount(0);
  await expect.poll(async () => (await types(page)).slice(0, 3)).toEqual(['track', 'receive', 'create']);
  await expect(panel, 'the open request stays open').toBeVisible();
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);

  const scroller = page.getByRole('grid', { name: 'requests' }).locator('..');
  await scrollTo(scroller, 400);
  await handIn(run, [{ type: 'token', client_uid: client }]);
  await expect(newRows(page)).toHaveText('1 new row');
  await newRows(page).click();
  await expect.poll(async () => scroller.evaluate((box) => box.scrollTop)).toBe(0);
  await expect.poll(async () => (await types(page))[0]).toBe('token');

  await scrollTo(scroller, 400);
  await handIn(run, [{ type: 'track', client_uid: client }]);
  await expect(newRows(page)).toHaveText('1 new row');
  await scrollTo(scroller, 0);
  await expect.poll(async () => (await types(page))[0], 'back at the top they come by themselves').toBe('track');
});

test('a lost connection is reported and reopened, and no row is missed', async ({ page, run }) => {
  const proxy = await startCuttingProxy(run.url);
  try {
    const client = ownClient();
    await asSession(page, run.session);
    await page.goto(`${proxy.url}/requests?search=${client}`);
    await expect(page.getByText('Nothing found')).toBeVisible();
    await goLive(page);
    await handIn(run, [{ type: 'create', client_uid: client }]);
    await expect(listRows(page)).toHaveCount(1);
    proxy.close(true);
    proxy.cut();
    await expect(liveButton(page)).toHaveText('Reconnecting');
    await handIn(run, [{ type: 'track', client_uid: client }]);
    await handIn(run, [{ type: 'receive', client_uid: client }]);
    const again = page.waitForRequest((request) => request.url().includes('/all-requests/stream?'));
    proxy.close(false);
    expect(new URL((await again).url()).searchParams.get('lastEventId')).toBeTruthy();
    await expect(liveButton(page)).toHaveAttribute('data-state', 'live');
    await expect(listRows(page)).toHaveCount(3);
    await expect.poll(() => types(page)).toEqual(['receive', 'track', 'create']);
  } finally {
    await proxy.stop();
  }
});

// An account of its own: the test that opens six streams of the reviewer may run beside this one and end its stream.
test('[AUTH-058, ERR-004] the end of the session ends the live list and leads to the login page', async ({ page, run }) => {
  const answer = await fetch(`${run.url}/api/sanctum/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: accounts.catalogue.email, password: cataloguePassword }),
  });
  const { data }: { data: StoredSession } = JSON.parse(await answer.text());
  await asSession(page, data);
  await page.goto('/requests');
  await goLive(page);
  await fetch(`${run.url}/api/sanctum/logout`, { headers: { authorization: `Bearer ${data.token.accessToken}` } });
  await expect(page).toHaveURL(/\/login/);
  await expect(page.getByText('You are not authorized')).toBeVisible();
});

test('[IDN-124] a list whose live updates moved to another tab says so and takes them back', async ({ page, run }) => {
  const answer = await fetch(`${run.url}/api/sanctum/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: accounts.reviewer.email, password }),
  });
  const { data }: { data: StoredSession } = JSON.parse(await answer.text());
  await asSession(page, data);
  await page.goto('/requests');
  await goLive(page);
  const otherTabs = new AbortController();
  try {
    for (let tab = 0; tab < 5; tab += 1) {
      const headers = { authorization: `Bearer ${data.token.accessToken}` };
      expect((await fetch(`${run.url}/api/all-requests/stream`, { headers, signal: otherTabs.signal })).status).toBe(200);
    }
    const notification = page.getByTestId('notification');
    await expect(notification).toContainText('Live updates moved to another tab');
    await expect(liveButton(page)).toHaveAttribute('aria-pressed', 'false');
    await page.getByRole('button', { name: 'Take them back' }).click();
    await expect(liveButton(page)).toHaveAttribute('data-state', 'live');
    await expect(notification).toHaveCount(0);
  } finally {
    otherTabs.abort();
  }
});

test('[INV-056] the Event tab counts what arrives; other pages and sorts cannot be live', async ({ page, run }) => {
  const { id, bundle } = await createJourneyApp(run);
  await handIn(
    run,
    Array.from({ length: 21 }, () => ({ type: 'create', bundle })),
  );
  const tab = `/apps/${id}/edit?startTabName=Event&limit=20`;
  await page.goto(tab);
  await expect(page.getByText('1–20 of 21')).toBeVisible();
  await goLive(page);
  await handIn(run, [{ type: 'track', bundle }]);
  await expect(page.getByText('1–21 of 22')).toBeVisible();
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByText('1–20 of 22'), 'the reloaded list contains it').toBeVisible();
  await expect.poll(async () => (await types(page))[0]).toBe('track');

  await page.getByRole('button', { name: 'Page 2' }).click();
  await expect(liveButton(page)).toBeDisabled();
  await liveButton(page).hover({ force: true });
  await expect(page.getByRole('tooltip')).toHaveText('Live shows the newest rows: go to the first page');
  await page.goto(`${tab}&orderDirection=asc`);
  await expect(liveButton(page)).toBeDisabled();
});

test('rows that were left out are marked where they are missing', async ({ page, run }) => {
  const client = ownClient();
  await handIn(run, [
    { type: 'create', client_uid: client },
    { type: 'receive', client_uid: client },
  ]);
  await page.goto(`/requests?search=${client}`);
  await expect(listRows(page)).toHaveCount(2);
  let turn = 0;
  await page.route(/\/api\/all-requests\/stream/, async (route) => {
    turn += 1;
    if (turn > 1) await route.abort();
    else
      await route.fulfill({
        headers: { 'content-type': 'text/event-stream' },
        body: 'retry: 60000\n: ok\n\nid: 1\nevent: gap\ndata: {"skipped":1234}\n\n',
      });
  });
  await liveButton(page).click();
  const gap = page.getByRole('row').filter({ hasText: '1,234 rows are missing here' });
  await expect(gap).toBeVisible();
  await expect(gap.locator('+ tr')).toHaveAttribute('data-index', '0');
  await expect(liveButton(page)).toHaveText('Reconnecting');
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByText('1,234 rows are missing here')).toBeVisible();
  await expectAccessible(page);
});

test('new rows wait on phones too, and are announced politely, not one by one', async ({ page, run }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const client = ownClient();
  await handIn(
    run,
    Array.from({ length: 20 }, () => ({ type: 'create', client_uid: client })),
  );
  await page.goto(`/requests?search=${client}`);
  await expect(page.getByRole('list', { name: 'requests', exact: true }).getByRole('listitem')).toHaveCount(20);
  await goLive(page);
  await expect(page.getByRole('status').filter({ hasText: /^Live$/ })).toHaveCount(1);
  await page.mouse.wheel(0, 1_500);
  await expect.poll(async () => page.evaluate<number>('scrollY')).toBeGreaterThan(500);
  await handIn(run, [
    { type: 'track', client_uid: client },
    { type: 'token', client_uid: client },
  ]);
  await expect(newRows(page)).toHaveText('2 new rows');
  await expect(newRows(page)).toBeInViewport();
  // At its top the list would take the new rows in.
  await expectAccessible(page, 'here');
  await newRows(page).click();
  await expect(page.getByRole('list', { name: 'requests', exact: true }).getByRole('listitem')).toHaveCount(22);
  await expect(page.getByRole('status').filter({ hasText: '2 new rows since live updates began' })).toHaveCount(1);
});
