import type { Page } from '@playwright/test';
import { createJourneyBuyer, journeyPassword, ownPerson, readAccount } from './account-api.ts';
import { agree } from './agree.ts';
import { createJourneyApp, saveElsewhere } from '../console/app-api.ts';
import { expect, test, widths } from './console-test.ts';
import { expectAccessible } from './expect-accessible.ts';
import { expectTooltip } from './expect-tooltip.ts';
import { handInRows } from '../console/hand-in.ts';
import { headers, listRows, rowOf } from '../console/list-rows.ts';
import { daysAgo, writtenDay } from './past-days.ts';

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const role = (page: Page, label: string) => page.getByRole('checkbox', { name: label, exact: true });

test('[BUY-003, BUY-004, BUY-005, BUY-033, AMB-170] the Buyers tab lists buyers, switches access and leads to their pages', async ({
  page,
  run,
}) => {
  const buyer = await createJourneyBuyer(run);
  await page.goto('/users');
  await page.getByRole('tab', { name: 'Buyers' }).click();
  await expect(page).toHaveURL(/startTabName=Buyers/);
  await expect(rowOf(page, buyer.email)).toBeVisible();
  await expect.poll(() => headers(page)).toEqual(['Name', 'Email', 'Roles', 'Status', 'Edit']);
  await expect(page.getByRole('link', { name: 'Create buyer' })).toHaveAttribute('href', '/users/buyers/add');
  await page.getByLabel(`Access of ${buyer.name}`).press('Space');
  await page.getByRole('button', { name: 'OK' }).click();
  await expect(page.getByText(`Access of "${buyer.name}" denied`)).toBeVisible();
  expect((await readAccount(run, `buyers/${buyer.id}`)).hasAccess).toBe(false);
  await rowOf(page, buyer.email).getByText(buyer.email).dblclick();
  await expect(page).toHaveURL(new RegExp(`/users/buyers/${buyer.id}/edit`));
});

test('[BUY-001, BUY-006, BUY-007, BUY-009, BUY-010, AMB-175] a buyer is created with apps, as a tester', async ({ page, run }) => {
  const app = await createJourneyApp(run);
  const person = ownPerson();
  await page.goto('/users/buyers/add');
  await expect(page.getByRole('region', { name: 'Save' })).toContainText('Still needed: Name, Email, Password, at least one role');
  await field(page, 'Name').fill(person.name);
  await field(page, 'Email').fill(person.email);
  await field(page, 'Password').fill(journeyPassword);
  await role(page, 'QA').check();
  await page.getByRole('combobox', { name: 'Select apps to bind with user' }).click();
  await page.getByRole('combobox', { name: 'Find in select apps to bind with user' }).fill(app.bundle);
  await page.getByRole('option', { name: app.name }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Edit buyer: ${person.name}`);
  await expect(page).toHaveURL(/buyers\/\d+\/edit/);
  const id = Number(/buyers\/(\d+)/.exec(page.url())?.[1]);
  await expect.poll(() => readAccount(run, `buyers/${id}`)).toMatchObject({ isQa: true, appIds: [app.id], hasAllApps: false });
});

test.describe('manager', () => {
  test.use({ account: 'manager' });

  test('[BUY-008, BUY-009, USER-023, PERM-025, PERM-038] without statistics and editing only Buyer is offered, and the list follows', async ({
    page,
  }) => {
    const person = ownPerson();
    await page.goto('/users?startTabName=Buyers');
    await page.getByRole('link', { name: 'Create buyer' }).click();
    await expect(role(page, 'Buyer')).toBeVisible();
    await expect(role(page, 'QA')).toHaveCount(0);
    await field(page, 'Name').fill(person.name);
    await field(page, 'Email').fill(person.email);
    await field(page, 'Password').fill(journeyPassword);
    await role(page, 'Buyer').check();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await expect(page).toHaveURL(/\/users\?startTabName=Buyers$/);
    await expect(rowOf(page, person.email)).toBeVisible();
    await page.goto('/users/buyers/8/edit');
    await expect(page).toHaveURL(/\/login$/);
  });
});

test('[BUY-002, BUY-011, BUY-012, BUY-014, BUY-015, BUY-034] settings of a buyer are saved after a prompt', async ({ page, run }) => {
  const buyer = await createJourneyBuyer(run);
  await page.goto(`/users/buyers/${buyer.id}/edit`);
  await expect(page).toHaveTitle('Edit buyer | Switchyard');
  await expect(page.getByRole('tab')).toHaveText(['Settings', 'Apps', 'Streams']);
  await expectTooltip(page.getByRole('button', { name: 'Help: SB super buyer (sees all streams)' }), 'SB super buyer (sees all streams)');
  await role(page, 'Super Buyer').check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  expect(await agree(page, 'Are you sure')).toEqual(['you want to change user data?']);
  await expect(page.getByText(`Buyer "${buyer.name}" saved`)).toBeVisible();
  expect((await readAccount(run, `buyers/${buyer.id}`)).roles).toEqual(['Buyer', 'Super Buyer']);
});

test('[BUY-016, BUY-017, BUY-018, BUY-019, BUY-020, BUY-021, BUY-022, AMB-171, AMB-183] apps are marked, restored and taken together; what is given meanwhile stays', async ({
  page,
  run,
}) => {
  const [one, two, three] = [await createJourneyApp(run), await createJourneyApp(run), await createJourneyApp(run)];
  const buyer = await createJourneyBuyer(run, { app_ids: [one.id, two.id] });
  await page.goto(`/users/buyers/${buyer.id}/edit?startTabName=Apps`);
  const saveChanges = page.getByRole('button', { name: 'Save changes' });
  await expect(saveChanges).toBeDisabled();
  const rowOfApp = (name: string) => page.getByRole('row').filter({ hasText: name });
  await page.getByRole('button', { name: `Remove ${one.name}` }).click();
  await expect(rowOfApp(one.name)).toHaveAttribute('data-mark', 'removed');
  await expectAccessible(page);
  await page.getByRole('button', { name: `Restore ${one.name}` }).click();
  await expect(saveChanges).toBeDisabled();
  await page.getByRole('button', { name: `Remove ${one.name}` }).click();
  await saveElsewhere(run, three.id, { userIds: [buyer.id] });
  await saveChanges.click();
  expect(await agree(page, 'Are you sure')).toEqual(['you want to deny the user access to this application?']);
  await expect(rowOfApp(three.name)).toBeVisible();
  expect((await readAccount(run, `buyers/${buyer.id}`)).appIds).toEqual([two.id, three.id]);
  await page.getByRole('button', { name: `Remove ${two.name}` }).click();
  await page.getByRole('button', { name: `Remove ${three.name}` }).click();
  await saveChanges.click();
  await agree(page, 'Are you sure');
  await expect(page.getByText(`User ${buyer.name} has no available apps`)).toBeVisible();
});

test('[BUY-013] a buyer that is not there goes back one step, to the list when there is none', async ({ page }) => {
  await page.goto('/users/buyers/999999/edit');
  await expect(page).toHaveURL(/\/users\?startTabName=Buyers$/);
  await expect(page.getByText('There is no such buyer')).toBeVisible();
});

test('[BUY-023, BUY-024, BUY-025, BUY-026, BUY-027, BUY-028, BUY-029, BUY-030, BUY-031, BUY-032, BUY-035, AMB-190] streams of a buyer, and all of them of a super buyer', async ({
  page,
  run,
}) => {
  const app = await createJourneyApp(run);
  const [buyer, boss, nobody] = [
    await createJourneyBuyer(run, { app_ids: [app.id] }),
    await createJourneyBuyer(run, { roles: ['Super Buyer'] }),
    await createJourneyBuyer(run),
  ];
  const uid = `st_${buyer.id}_${app.id}`;
  // Newer than the demo's, which would push it off the first page of all of them.
  const [createdAt, updatedAt] = [daysAgo(9, '00:00'), daysAgo(5, '00:00')];
  const stream = {
    uid,
    bundle: app.bundle,
    buyer_id: buyer.id,
    name: 'A stream with a name that is long',
    rules: { country: ['DE', 'AT'] },
    offer: 'https://offer.example/x?a=1',
    level_cloaking: 'organic',
    created_at: createdAt,
    updated_at: updatedAt,
  };
  await handInRows(run, 'streams', [stream]);
  await page.goto(`/users/buyers/${buyer.id}/edit?startTabName=Streams`);
  await expect(listRows(page)).toHaveCount(1);
  await expect
    .poll(() => headers(page))
    .toEqual(['#', 'Stream name', 'Bundle', 'Country', 'Offer', 'Level cloaking', 'Created', 'Updated']);
  await expect(listRows(page).locator('td')).toHaveText([
    new RegExp(uid),
    'A stream with a name t...',
    app.bundle,
    'DE, AT',
    'offer.example',
    'organic & ads',
    `${writtenDay(createdAt)} 02:00:00`,
    `${writtenDay(updatedAt)} 02:00:00`,
  ]);
  await expect(page.getByRole('button', { name: `Copy the key ${uid}` })).toBeVisible();
  await page.goto(`/users/buyers/${boss.id}/edit?startTabName=Streams`);
  await expect(rowOf(page, uid)).toBeVisible();
  await page.goto(`/users/buyers/${nobody.id}/edit?startTabName=Streams`);
  await expect(page.getByText(`User ${nobody.name} has no available streams`)).toBeVisible();
});

for (const width of widths(390)) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 844 } });

    test('the pages of buyers are accessible', async ({ page, run }) => {
      const app = await createJourneyApp(run);
      const buyer = await createJourneyBuyer(run, { app_ids: [app.id] });
      await page.goto('/users/buyers/add');
      await expect(role(page, 'Buyer')).toBeVisible();
      await expectAccessible(page);
      await page.goto(`/users/buyers/${buyer.id}/edit?startTabName=Apps`);
      await expect(page.getByText(app.bundle)).toBeVisible();
      await expectAccessible(page);
      await page.getByRole('tab', { name: 'Streams' }).click();
      await expect(page.getByText(/has no available streams/)).toBeVisible();
      await expectAccessible(page);
    });
  });
}
