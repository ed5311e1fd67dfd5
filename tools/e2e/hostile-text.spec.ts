import { randomInt, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { callApi, createJourneyApp } from '../console/app-api.ts';
import { expect, test } from './console-test.ts';
import { handInRows, ownClient } from '../console/hand-in.ts';

/** Would run in a page that took it for markup; each is found again by its mark. */
const payloads = (mark: string) => [
  `${mark}<img src=x onerror=alert(1)>`,
  `${mark}"><script>alert(2)</script>`,
  `${mark}<svg/onload=alert(3)>{{7*7}}`,
];

test('[S22] stays text on every screen that shows it: names, reasons, user agents, messages, bodies, errors', async ({ page, run }) => {
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  const mark = randomUUID().slice(0, 8);
  const [image = '', script = '', svg = ''] = payloads(mark);
  const app = await createJourneyApp(run, { name: image, whiteUserAgent: script });
  const ip = `198.51.${randomInt(101, 200)}.${randomInt(1, 250)}`;
  await callApi(run, 'super', 'POST', 'black-list', { ips: [ip], reason: svg });
  const client = ownClient();
  const common = { app_id: app.id, client_uid: client, date: new Date().toISOString() };
  const event = { ...common, id: randomUUID(), type: 'error', ip: '203.0.113.9', user_agent: script, postbacks_domain: svg };
  await handInRows(run, 'events', [{ ...event, error: { message: image }, body_request: { [script]: svg }, body_response: image }]);
  const message = { notification: { title: image, body: script, image: 'javascript:alert(4)' } };
  const push = { app_id: app.id, push_id: `p-${mark}`, client_uid: client, send_at: common.date, push_name: image, push_campaign_uid: svg };
  await handInRows(run, 'pushes', [{ ...push, status: 'error', error: script, push_message: message }]);

  for (const [path, text] of [
    [`/apps?search=${mark}&isCache=0`, image],
    [`/black-ip?search=${ip}`, svg],
    [`/apps/${app.id}/edit?startTabName=Push`, image],
    [`/activity?entity=app&entityId=${app.id}`, image],
    [`/requests?search=${client}`, client],
  ] as const) {
    await page.goto(path);
    // Cells cut what is long.
    await expect(page.getByText(text.slice(0, 15)).first()).toBeVisible();
  }
  await page
    .getByRole('button', { name: /^Show request/ })
    .first()
    .click();
  await expect(page.getByText(image.slice(0, 15)).first()).toBeVisible();
  expect(dialogs).toEqual([]);
  await expect(page.locator('img[src="x"], svg[onload], script:not([src])')).toHaveCount(0);
});

test('[S22] characters that turn a text or do not show are shown as marks, in lists, JSON and logs, and are copied unchanged', async ({
  page,
  run,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const mark = randomUUID().slice(0, 8);
  const hostile = `${mark}\u202Egpj\u200B.exe\u001B`;
  const marks = ['⟦RLO⟧', '⟦ZWSP⟧', '␛'];
  const app = await createJourneyApp(run, { name: `App ${mark}` });
  const client = ownClient();
  const common = { app_id: app.id, client_uid: client, date: new Date().toISOString() };
  await handInRows(run, 'pushes', [
    {
      app_id: app.id,
      push_id: `p-${mark}`,
      client_uid: client,
      send_at: common.date,
      push_name: hostile,
      push_campaign_uid: 'c',
      status: 'sent',
      push_message: { notification: { title: hostile } },
    },
  ]);
  const event = { ...common, id: randomUUID(), type: 'error', ip: '203.0.113.9', user_agent: hostile, postbacks_domain: 'a.example' };
  await handInRows(run, 'events', [{ ...event, body_request: { [hostile]: hostile } }]);

  await page.goto(`/apps/${app.id}/edit?startTabName=Push`);
  const name = page.getByText(mark).and(page.locator('bdi')).first();
  await expect(name).toBeVisible();
  expect(await name.locator('[data-mark]').evaluateAll((all) => all.map((one) => one.getAttribute('data-mark')))).toEqual(marks);

  await page.goto(`/requests?search=${client}`);
  await page
    .getByRole('button', { name: /^Show request/ })
    .first()
    .click();
  const body = page.getByRole('region', { name: 'Request body' });
  await expect(body).toContainText(String.raw`"${mark}\u202egpj\u200b.exe\u001b"`);
  await body.getByRole('button', { name: 'Copy request body' }).click();
  await expect.poll(async () => JSON.parse(await page.evaluate<string>('navigator.clipboard.readText()'))).toEqual({ [hostile]: hostile });
  await expect(page.getByRole('region', { name: 'User agent' }).locator('[data-mark="⟦RLO⟧"]')).toHaveCount(1);

  const date = '2099-04-01';
  await writeFile(
    join(run.dataDir, 'app-logs', `app-${date}.log`),
    `[${date} 08:00:00] app.ERROR: ${hostile} {"agent":${JSON.stringify(hostile)}}\n`,
  );
  await page.goto(`/app-logs/${date}/show`);
  const header = page.getByRole('grid', { name: 'Log entries' }).locator('td[data-column="header"]');
  await expect(header.locator('[data-mark]')).toHaveCount(marks.length);
  await page.getByRole('button', { name: 'Context', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Context' })).toContainText(String.raw`\u202egpj`);
});
