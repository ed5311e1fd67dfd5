import type { Page } from '@playwright/test';
import { createJourneyApp, readJourneyApp } from '../console/app-api.ts';
import { expect, test } from './console-test.ts';
import { expectAccessible } from './expect-accessible.ts';

const key = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC-journey';
const content = { type: 'service_account', project_id: 'journey-1', private_key: key, token_uri: 'https://oauth2.googleapis.com/token' };

function jsonFile(name: string, data: unknown) {
  return { name, mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(data)) };
}

const input = (page: Page) => page.locator('input[type="file"]');
const saveFile = (page: Page) => page.getByRole('button', { name: 'Save file' });

async function agree(page: Page): Promise<void> {
  const prompt = page.getByRole('dialog', { name: 'Are you sure?' });
  await expect(prompt.getByRole('paragraph')).toHaveText(['Please check all data TWICE!']);
  await prompt.getByRole('button', { name: 'OK' }).click();
  await expect(prompt).toBeHidden();
}

test('[PUSHF-001, PUSHF-002, PUSHF-003, PUSHF-004, PUSHF-005, PUSHF-009, PUSHF-010, PUSHF-011, CONF-019, CONF-031, AMB-125] a push file is uploaded, never shown, and replaced', async ({
  page,
  run,
}) => {
  const app = await createJourneyApp(run);
  await page.goto(`/apps/${app.id}/edit`);
  const notice = page.getByText('Pushes are not configured. Contact with Support');
  await expect(notice).toBeVisible();
  await expect(saveFile(page)).toBeDisabled();
  await input(page).setInputFiles(jsonFile('acme.json', content));
  await expect(page.getByText('acme.json')).toBeVisible();
  await saveFile(page).click();
  await agree(page);
  await expect(page.getByText('Push file "acme.json" saved')).toBeVisible();
  await expect(notice).toBeHidden();
  await expect(page.getByText('Project journey-1')).toBeVisible();
  expect(await page.content()).not.toContain(key);
  await expectAccessible(page);

  const replace = page.getByRole('button', { name: 'Replace the file' });
  await replace.click();
  await expect(page.getByRole('button', { name: 'Choose a JSON file' })).toBeFocused();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(replace).toBeFocused();
  await replace.click();
  await input(page).setInputFiles(jsonFile('second.json', { ...content, project_id: 'journey-2' }));
  await saveFile(page).click();
  await agree(page);
  await expect(page.getByText('Project journey-2')).toBeVisible();
  await expect(input(page)).toHaveCount(0);
  expect((await readJourneyApp(run, app.id)).firebase_settings).toMatchObject({ fileName: 'second.json' });
});

test('[PUSHF-006, AMB-124] files of the wrong kind, size or content are rejected before anything is sent', async ({ page, run }) => {
  const app = await createJourneyApp(run);
  const sentPaths: string[] = [];
  page.on('request', (request) => request.url().includes('firebase-configuration') && sentPaths.push(request.url()));
  await page.goto(`/apps/${app.id}/edit`);
  await expect(saveFile(page)).toBeVisible();
  const mebibyte = 1_048_576;
  const wrong = [
    [{ name: 'acme.txt', mimeType: 'text/plain', buffer: Buffer.from('{}') }, 'The file must be a .json file.'],
    [
      { name: 'big.json', mimeType: 'application/json', buffer: Buffer.from(`{"a":"${'x'.repeat(mebibyte - 7)}"}`) },
      'The file must not be larger than 1 MiB.',
    ],
    // No two in a row are rejected with the same text.
    [jsonFile('list.json', [1]), 'The file must contain a JSON object.'],
    [jsonFile('evil.json', { token_uri: 'https://evil.example/token' }), 'The token_uri of the file is not allowed.'],
    [{ name: 'broken.json', mimeType: 'application/json', buffer: Buffer.from('{"a":') }, 'The file must contain a JSON object.'],
  ] as const;
  expect(wrong[1][0].buffer.length).toBe(mebibyte + 1);
  for (const [file, text] of wrong) {
    await input(page).setInputFiles(file);
    await expect(page.getByRole('alert').filter({ hasText: text })).toBeVisible();
    await expect(saveFile(page)).toBeDisabled();
  }
  // One byte less is a push file.
  await input(page).setInputFiles({
    name: 'full.json',
    mimeType: 'application/json',
    buffer: Buffer.from(`{"a":"${'x'.repeat(mebibyte - 8)}"}`),
  });
  await expect(saveFile(page)).toBeEnabled();
  expect(sentPaths).toEqual([]);
  await saveFile(page).click();
  await agree(page);
  await expect(page.getByText('Push file "full.json" saved')).toBeVisible();
});

test('a file that the server rejects stays chosen, with the reason beside it', async ({ page, run }) => {
  const app = await createJourneyApp(run);
  await page.route('**/api/app/firebase-configuration', (route) => {
    const errors = { configuration: ['Only one file is allowed.'] };
    return route.fulfill({ status: 422, json: { success: false, message: 'The given data was invalid.', errors, data: { errors } } });
  });
  await page.goto(`/apps/${app.id}/edit`);
  await input(page).setInputFiles(jsonFile('acme.json', content));
  await saveFile(page).click();
  await agree(page);
  await expect(page.getByRole('alert').filter({ hasText: 'Only one file is allowed.' }).first()).toBeVisible();
  await expect(page.getByText('acme.json')).toBeVisible();
});
