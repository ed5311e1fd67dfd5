import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { agree, saveChanges, userAddress as user } from '../testing/edit-account.ts';
import { sampleAccount } from '../testing/sample-account.ts';
import { button, ok, renderUsers, writes } from '../testing/render-users.tsx';

describe('apps of a staff account', () => {
  const apps = `${user}?startTabName=Apps`;

  it('[USER-051, USER-052, USER-053, USER-055, USER-056] are chosen and removed here, and saved as the final set', async () => {
    const { calls } = await renderUsers({
      address: apps,
      answer: ({ method }) => (method === 'POST' ? ok({ ...sampleAccount, appIds: [14, 15], version: 6 }) : null),
    });
    await expect.element(page.getByRole('table', { name: 'Apps' })).toBeVisible();
    expect(
      page
        .getByRole('columnheader')
        .elements()
        .map((cell) => cell.textContent),
    ).toEqual(['Bundle', 'Action']);
    await expect.element(page.getByRole('row', { name: /Acme Bet/ })).toHaveTextContent('com.acme.bet(Acme Bet)');
    await expect.element(saveChanges).toBeDisabled();
    await page.getByRole('combobox', { name: 'select app' }).click();
    await expect
      .poll(() =>
        page
          .getByRole('option')
          .elements()
          .map((option) => option.textContent),
      )
      .toEqual(['App 15 (com.app15.x)']);
    await page.getByRole('option', { name: /App 15/ }).click();
    await button('Remove Acme Bet').click();
    expect(writes(calls)).toEqual([]);
    await saveChanges.click();
    await agree('Do you want to save changes?');
    await expect.poll(() => writes(calls)).toMatchObject([{ method: 'POST', path: 'users/8/sync-apps', body: { appIds: [14, 15] } }]);
  });

  it('[USER-054, USER-057] without apps say that the user has access to all of them', async () => {
    await renderUsers({ address: apps, user: { ...sampleAccount, hasAllApps: true, appIds: [], apps: [] } });
    await expect.element(page.getByText('The user has access to all apps')).toBeVisible();
    await expect.element(saveChanges).toBeDisabled();
  });

  it('[USER-057, O3] warn before an account gets access to all apps', async () => {
    const { calls } = await renderUsers({
      address: apps,
      answer: ({ method }) => (method === 'POST' ? ok({ ...sampleAccount, appIds: [], apps: [], hasAllApps: true, version: 6 }) : null),
    });
    await button('Remove Acme Bet').click();
    await button('Remove Goal Rush').click();
    await expect.element(page.getByText(/Saved without apps, the user gets access to all apps/)).toBeVisible();
    await saveChanges.click();
    await expect.element(page.getByText(/Attention: Pavel Manager will have access to all apps/)).toBeVisible();
    await agree('Do you want to save changes?');
    await expect.poll(() => writes(calls)).toMatchObject([{ body: { appIds: [] } }]);
    await expect.element(page.getByText('The user has access to all apps')).toBeVisible();
  });

  it('[O3] cannot be all of them if the reader does not see all', async () => {
    await renderUsers({ address: apps, reader: { hasAllApps: false } });
    await button('Remove Acme Bet').click();
    await button('Remove Goal Rush').click();
    await expect.element(page.getByText('You cannot grant access to all apps')).toBeVisible();
    await expect.element(saveChanges).toBeDisabled();
  });
});
