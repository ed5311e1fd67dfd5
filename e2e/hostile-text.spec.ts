import { randomInt, randomUUID } from 'node:crypto';
import { callApi, createJourneyApp } from './app-api.ts';
import { expect, test } from './console-test.ts';
import { handInRows, ownClient } from './hand-in.ts';

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
