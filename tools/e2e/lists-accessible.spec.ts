import { expectAccessible } from './expect-accessible.ts';
import { changeAnswer, listRows } from '../console/list-rows.ts';
import { expect, test } from './console-test.ts';
import { handIn, ownClient } from '../console/hand-in.ts';
import { requestPanel } from './request-panel.ts';

for (const width of [390, 1440]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 844 } });

    test('[APPS-041] [APPS-050] the apps list with archived rows, chips and open menus is accessible', async ({ page }) => {
      // A few rows in every colour: the check visits each element.
      await changeAnswer(page, /\/api\/apps\?/, (body) => {
        const far = '2099-01-01 00:00:00';
        const soon = new Date(Date.now() + 86_400_000).toISOString().slice(0, 19).replace('T', ' ');
        body.data = body.data.slice(0, 4);
        for (const [at, app] of body.data.entries()) app['expiration_at'] = [far, soon, null][at % 3];
        Object.assign(body.data[3] ?? {}, { deleted_at: '2026-01-01 00:00:00' });
      });
      await page.goto('/apps?status=all');
      await expect(page.getByText('Archived').first()).toBeVisible();
      if (width < 768) {
        await page.getByRole('button', { name: 'Show more' }).nth(1).click();
        await page.getByRole('button', { name: /^Filters/ }).click();
      }
      await expectAccessible(page);
      await page.getByRole('combobox', { name: 'Status' }).click();
      await expect(page.getByRole('option', { name: 'Deleted' })).toBeVisible();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      if (width >= 768) {
        await page.getByRole('button', { name: 'Columns' }).click();
        await expect(page.getByLabel('Bundle', { exact: true })).toBeVisible();
        await expectAccessible(page);
      }
    });

    test('[REQ-016] [REQ-018] [REQ-021] [REQ-022] the requests with every label, the panel and open pickers are accessible', async ({
      page,
      run,
    }) => {
      const client = ownClient();
      const types = ['create', 'receive', 'token', 'track', 'proxy', 'static', 'error'];
      await handIn(
        run,
        types.map((type, at) => ({
          type,
          client_uid: client,
          country: ['DE', 'RU', null][at % 3],
          bot: 'CF BOT HLL NEW',
          body_request: { text: 'a', number: 1, yes: true, nothing: null, list: [1, { deep: { deeper: {} } }] },
          ...(at === 1 ? { error: { exception_type: 'Notice' } } : at > 4 ? { error: 'Boom' } : {}),
        })),
      );
      await page.goto(`/requests?search=${client}&geo=DE&geo=RU`);
      if (width < 768) await page.getByRole('button', { name: 'Show more' }).first().click();
      else await expect(listRows(page)).toHaveCount(5);
      await expectAccessible(page);
      await page
        .getByRole('button', { name: /^Show request/ })
        .first()
        .click();
      await expect(requestPanel(page)).toBeVisible();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      if (width < 768) await page.getByRole('button', { name: /^Filters/ }).click();
      await page.getByRole('combobox', { name: 'Geo' }).click();
      await expect(page.getByRole('option', { name: 'Albania' })).toBeVisible();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Start day', exact: true }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await expectAccessible(page);
    });
  });
}
