import { expect, it, onTestFinished } from 'vitest';
import { accounts, password } from '../console/accounts.ts';
import startServer from '../console/global-setup.ts';
import { handIn, ownClient } from '../console/hand-in.ts';
import { createJourneyApp, readJourneyApp } from '../console/app-api.ts';
import { readRunState } from '../console/run-state.ts';
import { layoutFaults } from '../console/layout-faults.ts';
import { clickControl, fillField, goTo, waitForControl, waitForPath } from '../console/page-controls.ts';
import { openLogin, openWindow, signIn, startBrowser } from '../console/visit-console.ts';

it('[AUTH-001] [REQ-009] [CONF-017] Firefox signs in, filters requests by field and menu, opens one, follows new ones live and saves an app', async () => {
  onTestFinished(await startServer());
  const run = readRunState();
  const { browser, stop } = await startBrowser('firefox');
  onTestFinished(stop);
  const page = await openWindow(browser, { theme: 'dark', viewport: { width: 1440, height: 900 } });
  page.setDefaultTimeout(60_000);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  const rowCount = async (): Promise<number> => (await page.$$('tr[data-index]')).length;
  const expectRows = (count: number): Promise<void> => expect.poll(rowCount, { timeout: 60_000 }).toBe(count);

  await openLogin(page, run.url);
  await signIn(page, { email: accounts.super.email, password });
  await waitForPath(page, (path) => path === '/apps');
  await waitForControl(page, { role: 'button', name: /^Columns/ });
  expect(await layoutFaults(page)).toEqual([]);

  const client = ownClient();
  await handIn(run, [{ type: 'create', client_uid: client, body_request: { answer: 42 } }]);
  await goTo(page, '/requests');
  await fillField(page, /^Search/, client);
  await clickControl(page, { role: 'button', name: /^Apply filter/ });
  await expectRows(1);

  await clickControl(page, { role: 'button', name: /^Show request/ });
  const panel = await waitForControl(page, { role: 'complementary', name: /^Request \d+$/ });
  expect(await panel.evaluate((element) => element.textContent)).toContain('answer');
  expect(await layoutFaults(page)).toEqual([]);
  await page.keyboard.press('Escape');

  await clickControl(page, { role: 'button', name: /^Live$/ });
  await page.waitForSelector('button[data-state="live"]');
  await handIn(run, [{ type: 'track', client_uid: client }]);
  await expectRows(2);

  await clickControl(page, { role: 'button', name: /^track$/ });
  await clickControl(page, { role: 'menuitem', name: /^Filter for this type$/ });
  await expectRows(1);

  const app = await createJourneyApp(run);
  await goTo(page, `/apps/${app.id}/edit`);
  await fillField(page, /^White user agent/, 'Firefox/1.0');
  await clickControl(page, { role: 'button', name: /^Save$/ });
  await clickControl(page, { role: 'button', name: /^OK$/ });
  await expect.poll(async () => (await readJourneyApp(run, app.id)).white_user_agent, { timeout: 60_000 }).toBe('Firefox/1.0');
  expect(errors).toEqual([]);
});
