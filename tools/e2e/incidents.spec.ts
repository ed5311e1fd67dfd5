import { incident as incidentSchema, incidentDetails } from '@switchyard/contract/alerts';
import { startMessageReceiver } from '../../packages/api/test/message-receiver.ts';
import { callApi } from '../console/app-api.ts';
import { expect, test } from './console-test.ts';
import { expectAccessible } from './expect-accessible.ts';

test('[ALERT-101, ALERT-102, ALERT-103] an incident leads to its app and is acknowledged with a note', async ({ page, run }) => {
  const incident = incidentSchema
    .array()
    .parse(await callApi(run, 'super', 'GET', 'incidents?state=firing&kind=domain_expiry'))
    .at(-1);
  if (incident === undefined) throw new Error('The demo has no domain that expires');
  await page.goto('/');
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: /^Incidents/ })
    .click();
  await expect(page.getByRole('link', { name: incident.reason, exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: incident.reason, exact: true }).click();
  await expect(page.getByRole('heading', { name: incident.reason })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Open the app' })).toHaveAttribute('href', new RegExp(`/apps/${incident.app?.id}/edit`));
  await page.getByRole('button', { name: 'Acknowledge' }).click();
  await page.getByRole('textbox', { name: 'Note' }).fill('Asked the registrar <b>now</b>');
  await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge' }).click();
  await expect(page.getByText('Asked the registrar <b>now</b>')).toBeVisible();
  await expectAccessible(page);
  const stored = incidentDetails.parse(await callApi(run, 'super', 'GET', `incidents/${incident.id}`));
  expect([stored.state, stored.timeline.at(-1)?.note]).toEqual(['acknowledged', 'Asked the registrar <b>now</b>']);
});

test('[ALERT-104, ALERT-105] a rule is created after its preview, and switched off', async ({ page }) => {
  await page.goto('/incidents?startTabName=Rules');
  await expect(page.getByRole('link', { name: 'Domain expires' }).first()).toBeVisible();
  await expectAccessible(page);
  await page
    .getByRole('link', { name: /^(Create|New|Add) rule/ })
    .first()
    .click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Domains within a year');
  await page.getByRole('textbox', { name: 'Threshold' }).fill('365');
  await expect(page.getByText(/^Would fire now/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page.getByText('Domains within a year').first()).toBeVisible();
});

test('[CHAN-101, CHAN-102, CHAN-103] a webhook is created, shows its secret once, and its test shows the answer', async ({ page }) => {
  const receiver = await startMessageReceiver();
  try {
    receiver.behave('/hook', { status: 202, text: 'taken <i>here</i>' });
    await page.goto('/channels');
    await expect(page.getByRole('heading', { name: 'Channels', level: 1 })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Create channel' }).first().click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Duty');
    await page.getByText('Webhook', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Url' }).fill(`${receiver.url}/hook`);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const secret = page.getByRole('dialog');
    await expect(secret).toContainText('whsec_');
    await expectAccessible(page);
    await secret.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await expect(page.getByRole('dialog', { name: 'Test of Duty' })).toContainText('taken <i>here</i>');
    expect(receiver.to('/hook')[0]?.headers['webhook-signature']).toMatch(/^v1,/);
    await expectAccessible(page);
  } finally {
    await receiver.stop();
  }
});

test('[CHAN-112, CHAN-117] the inbox of the demo shows a test message at once', async ({ page }) => {
  await page.goto('/channels');
  // The menu has an Inbox of its own, which is there before the list.
  await page.getByRole('main').getByRole('link', { name: 'Inbox', exact: true }).click();
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByRole('dialog', { name: 'Test of Inbox' }).getByRole('link', { name: 'Open the inbox' }).click();
  await expect(page.getByRole('heading', { name: 'Inbox', level: 1 })).toBeVisible();
  await expect(page.getByText('The channel Inbox works.').first()).toBeVisible();
  await expectAccessible(page);
});
