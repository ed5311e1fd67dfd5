import type { Page } from '@playwright/test';
import { callApi, createJourneyApp, readJourneyApp, saveElsewhere } from '../console/app-api.ts';
import { expect, test } from './console-test.ts';
import { expectAccessible } from './expect-accessible.ts';
import { listRows } from '../console/list-rows.ts';

const agent = (page: Page) => page.getByLabel('White user agent');
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });

async function openApp(page: Page, id: number): Promise<void> {
  await page.goto(`/apps/${id}/edit`);
  await expect(agent(page)).toBeVisible();
}

/** Saves and agrees to the prompt; gives its lines. */
async function saveAndAgree(page: Page): Promise<string[]> {
  await save(page).click();
  const prompt = page.getByRole('dialog', { name: 'Are you sure?' });
  await expect(prompt).toBeVisible();
  const lines = await prompt.getByRole('paragraph').allTextContents();
  await prompt.getByRole('button', { name: 'OK' }).click();
  await expect(prompt).toBeHidden();
  return lines;
}

test('[CONF-006, CONF-012, CONF-015, CONF-016, APPS-036, SHELL-003, AMB-028, AMB-036] the list leads to the General tab of an app', async ({
  page,
  run,
}) => {
  const app = await createJourneyApp(run);
  await page.goto(`/apps?search=${app.bundle}`);
  await listRows(page)
    .getByRole('link', { name: `Edit ${app.name}` })
    .click();
  await expect(page).toHaveURL(new RegExp(`/apps/${app.id}/edit\\?startTabName=General$`));
  await expect(page).toHaveTitle('Edit app | Switchyard');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Edit app: ${app.name}`);
  await expect(page.getByRole('tab', { name: 'General' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue(app.name);
  await expectAccessible(page);
  await page.goBack();
  await expect(page).toHaveURL(/\/apps\?search=/);
});

test('[CONF-017, CONF-018, CONF-022, CONF-023, CONF-025, CONF-075, PERM-013] a change is saved after a prompt, and shown as saved', async ({
  page,
  run,
}) => {
  const app = await createJourneyApp(run);
  await openApp(page, app.id);
  await agent(page).fill('Journeys/1.0');
  expect(await saveAndAgree(page)).toEqual(['Please check all data TWICE!']);
  await expect(page.getByText(`App "${app.name}" saved`)).toBeVisible();
  await expect(save(page)).toBeDisabled();
  expect((await readJourneyApp(run, app.id)).white_user_agent).toBe('Journeys/1.0');
  await page.reload();
  await expect(agent(page)).toHaveValue('Journeys/1.0');
});

test('[CONF-065, CONF-071] the bar names what is missing, and asks before several changes are discarded', async ({ page, run }) => {
  const app = await createJourneyApp(run);
  await openApp(page, app.id);
  const bar = page.getByRole('region', { name: 'Save' });
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await name.fill('');
  await expect(bar).toContainText('Still needed: Name');
  await agent(page).fill('Journeys/3.0');
  await bar.getByRole('button', { name: 'Discard' }).click();
  const prompt = page.getByRole('dialog', { name: 'Discard changes?' });
  await expect(prompt).toContainText('These changes are lost: Name, White user agent.');
  await prompt.getByRole('button', { name: 'Cancel' }).click();
  await expect(agent(page)).toHaveValue('Journeys/3.0');
  await bar.getByRole('button', { name: 'Discard' }).click();
  await prompt.getByRole('button', { name: 'OK' }).click();
  await expect(name).toHaveValue(app.name);
  await expect(bar).toContainText('Nothing changed');
});

test('[CONF-013, APPS-043] an archived app is restored on its own page', async ({ page, run }) => {
  const app = await createJourneyApp(run);
  await callApi(run, 'super', 'DELETE', `apps/${app.id}`);
  await openApp(page, app.id);
  await page.getByRole('button', { name: 'Restore', exact: true }).click();
  const prompt = page.getByRole('dialog');
  await expect(prompt.getByRole('paragraph').last()).toHaveText(app.name);
  await prompt.getByRole('button', { name: 'OK' }).click();
  await expect(page.getByText('You need to restore the app first to make changes')).toHaveCount(0);
  await agent(page).fill('Journeys/4.0');
  await expect(save(page)).toBeEnabled();
});

test('[CONF-020, CONF-021, AMB-106] of an app with clients, a changed domain or bundle is warned about', async ({ page, run }) => {
  const app = await createJourneyApp(run);
  // Clients come with traffic. Here only the prompt is tested.
  await page.route(`**/api/apps/${app.id}`, async (route) => {
    if (route.request().method() !== 'GET') return route.fallback();
    const answer = await route.fetch();
    const body: { data: object } = JSON.parse(await answer.text());
    return route.fulfill({ response: answer, json: { ...body, data: { ...body.data, has_clients: true } } });
  });
  const attention = 'Attention: This action will affect existing users!';
  await openApp(page, app.id);
  for (const field of ['Domain', 'Bundle'] as const) {
    await page.getByRole('button', { name: `Edit ${field.toLowerCase()}` }).click();
    await page.getByRole('textbox', { name: field, exact: true }).fill(`new-${app.domain}`);
    await save(page).click();
    const prompt = page.getByRole('dialog', { name: 'Are you sure?' });
    await expect(prompt.getByRole('paragraph')).toHaveText(['Please check all data TWICE!', attention]);
    await prompt.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Discard' }).click();
  }
});

test('a conflict shows both sides; saving mine keeps their other changes (api 0.9, O16)', async ({ page, run }) => {
  const app = await createJourneyApp(run);
  await openApp(page, app.id);
  await agent(page).fill('Mine/1.0');
  await saveElsewhere(run, app.id, { whiteUserAgent: 'Theirs/1.0', app_mode: 'push_only' });
  await saveAndAgree(page);
  const dialog = page.getByRole('dialog', { name: 'Somebody else changed this app' });
  await expect(dialog.getByRole('row', { name: /White user agent/ })).toHaveText(/empty.*Theirs\/1\.0.*Mine\/1\.0/);
  await expect(dialog.getByRole('row', { name: /App mode/ })).toHaveText(/default.*push_only.*not changed/);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Keep editing' }).click();
  await expect(agent(page)).toHaveValue('Mine/1.0');
  await saveAndAgree(page);
  await dialog.getByRole('button', { name: 'Save mine over it' }).click();
  await expect(page.getByText(`App "${app.name}" saved`)).toBeVisible();
  await expect(page.getByRole('radio', { name: 'Push only' })).toBeChecked();
  await expect.poll(() => readJourneyApp(run, app.id)).toMatchObject({ white_user_agent: 'Mine/1.0', app_mode: 'push_only' });
});

test('[CONF-013, CONF-014, AMB-098] an app archived meanwhile is said to be, and what was typed stays', async ({ page, run }) => {
  const app = await createJourneyApp(run);
  await openApp(page, app.id);
  await agent(page).fill('Mine/1.0');
  await callApi(run, 'super', 'DELETE', `apps/${app.id}`);
  await saveAndAgree(page);
  const text = 'You need to restore the app first to make changes';
  await expect(page.getByRole('main').getByText(text).first()).toBeVisible();
  await expect(agent(page)).toHaveValue('Mine/1.0');
  await expect(save(page)).toBeDisabled();
});

test('leaving with something unsaved asks, in the console and when the page is closed', async ({ page, run }) => {
  const app = await createJourneyApp(run);
  await page.goto(`/apps?search=${app.bundle}`);
  await page.getByRole('link', { name: `Edit ${app.name}` }).click();
  await agent(page).fill('Mine/1.0');
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  const leave = (): Promise<void> => page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Apps' }).click();
  await leave();
  await question.getByRole('button', { name: 'Stay here' }).click();
  await expect(question).toBeHidden();
  await expect(agent(page)).toHaveValue('Mine/1.0');
  await page.goBack();
  // It receives keys only once it has the focus.
  await expect(question.getByRole('button', { name: 'Stay here' })).toBeFocused();
  // The address is that of the page that is shown, before the question is answered too.
  await expect(page).toHaveURL(new RegExp(`/apps/${app.id}/edit`));
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(page).toHaveURL(new RegExp(`/apps/${app.id}/edit`));

  const leaveDialog = page.waitForEvent('dialog');
  const closing = page.close({ runBeforeUnload: true });
  const dialog = await leaveDialog;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await closing;
  await expect(agent(page)).toHaveValue('Mine/1.0');

  await page.goBack();
  await question.getByRole('button', { name: 'Leave', exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/apps\\?search=${app.bundle}`));
  await expect(page.getByRole('link', { name: `Edit ${app.name}` })).toBeVisible();

  await page.goForward();
  await agent(page).fill('Mine/1.0');
  await leave();
  await question.getByRole('button', { name: 'Leave', exact: true }).click();
  await expect(page).toHaveURL(/\/apps$/);
});

test.describe('reviewer', () => {
  test.use({ account: 'reviewer' });

  test('[PERM-017, PUSHF-007, AMB-126] without their permissions, bundle, domain and push file stay as they are', async ({ page, run }) => {
    const app = await createJourneyApp(run);
    await openApp(page, app.id);
    await expect(page.getByRole('button', { name: /^Edit (bundle|domain)$/ })).toHaveCount(0);
    await expect(page.getByText('Pushes are not configured. Contact with Support')).toBeVisible();
    await expect(page.getByLabel('Choose a JSON file')).toHaveCount(0);
    await expect(page.getByRole('button', { name: /^Create edge/ }).first()).toBeEnabled();
  });
});

test.describe('restricted', () => {
  test.use({ account: 'restricted' });

  test('an app outside the scope is not there', async ({ page, run }) => {
    const app = await createJourneyApp(run);
    await page.goto(`/apps/${app.id}/edit`);
    await expect(page.getByRole('heading', { name: 'App not found' })).toBeVisible();
    await page.getByRole('link', { name: 'Go to the apps' }).click();
    await expect(page).toHaveURL(/\/apps$/);
  });
});

test.describe('buyer', () => {
  test.use({ account: 'buyer' });

  test('[CONF-006, PERM-011] without the permission the page does not open', async ({ page }) => {
    await page.goto('/apps/1/edit');
    await expect(page).toHaveURL(/\/login$/);
  });
});

test('[CONF-026] the sections of the form are listed beside it where there is room, and lead to them', async ({ page, run }) => {
  const app = await createJourneyApp(run);
  await page.setViewportSize({ width: 1440, height: 900 });
  await openApp(page, app.id);
  const index = page.getByRole('navigation', { name: 'Sections of the form' });
  const users = index.getByRole('button', { name: 'App users' });
  await expect(index.getByRole('button').first()).toHaveAttribute('aria-current', 'true');
  await users.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'App users', level: 2 })).toBeFocused();
  await expect(page.getByRole('heading', { name: 'App users', level: 2 })).toBeInViewport();
  await page.getByLabel('Name', { exact: true }).fill(' spaced');
  await page.getByLabel('Name', { exact: true }).blur();
  await expect(index.getByRole('button', { name: /has errors/ })).toHaveCount(1);
  await expectAccessible(page);
  await page.setViewportSize({ width: 1024, height: 900 });
  await expect(index).toBeHidden();
});
