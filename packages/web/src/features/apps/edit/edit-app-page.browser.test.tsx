import type { FullApp } from '@switchyard/contract/app-form';
import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { sampleApp } from '../configurator/testing/sample-app.ts';
import type { AppTabContents } from './edit-app-page.tsx';
import { refusal, renderEditPage } from './testing/render-edit-page.tsx';

function Content({ app }: { app: FullApp }) {
  return <p>{`What the tab shows of ${app.name}`}</p>;
}
const every: AppTabContents = { Event: Content, Push: Content, Conversion: Content };
const tabNames = (): (string | null)[] =>
  page
    .getByRole('tab')
    .elements()
    .map((tab) => tab.textContent);
const general = page.getByRole('tab', { name: 'General' });

describe('edit page of an app', () => {
  it('[CONF-015, SHELL-036, SHELL-037] names the app in its trail, which leads back to the list', async () => {
    const { history } = await renderEditPage({ app: sampleApp });
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Edit app: Acme Bet');
    await page.getByRole('link', { name: 'Apps' }).click();
    await expect.poll(() => history.location.pathname).toBe('/apps');
  });

  it('[CONF-007, CONF-012, SHELL-003] opens the tab of the address with what another feature hands in', async () => {
    await renderEditPage({
      app: sampleApp,
      permissions: ['manager_app_edit', 'manager_app_requests', 'manager_app_pushes', 'manager_app_conversions'],
      contents: every,
      address: '/apps/12/edit?startTabName=Push',
    });
    await expect.element(page.getByRole('tab', { name: 'Push' })).toHaveAttribute('aria-selected', 'true');
    await expect.element(page.getByText('What the tab shows of Acme Bet')).toBeVisible();
    expect(tabNames()).toEqual(['General', 'Event', 'Push', 'Conversion']);
  });

  it('[CONF-008, CONF-009, CONF-010, CONF-011, AMB-037] shows General alone without permissions and falls back to it', async () => {
    const { history } = await renderEditPage({ app: sampleApp, contents: every, address: '/apps/12/edit?startTabName=Event' });
    await expect.element(general).toHaveAttribute('aria-selected', 'true');
    expect(tabNames()).toEqual(['General']);
    await expect.poll(() => history.location.search).toBe('?startTabName=General');
  });

  it('[CONF-013, CONF-014, AMB-098, AMB-114] of an archived app says that it has to be restored, and changes nothing', async () => {
    await renderEditPage({ app: { ...sampleApp, deleted_at: '2026-11-01 10:00:00' } });
    await expect.element(page.getByRole('status').getByText('You need to restore the app first to make changes').first()).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();
    await expect.element(page.getByRole('button', { name: 'Create edge-fra-1' })).toBeDisabled();
    expect(page.getByRole('button', { name: 'Save file' }).elements()).toHaveLength(0);
    expect(page.getByRole('button', { name: /restore/i }).elements()).toHaveLength(0);
  });

  it('[AMB-064] says that there is no such app, and where the apps are', async () => {
    await renderEditPage({ app: sampleApp, answer: ({ path }) => (path === 'apps/12' ? refusal(404, 'Not found') : null) });
    await expect.element(page.getByRole('heading', { name: 'App not found' })).toBeVisible();
    await expect.element(page.getByRole('link', { name: 'Go to the apps' })).toHaveAttribute('href', '/apps');
  });

  it.each(['/apps/0/edit', '/apps/abc/edit', '/apps/1234567890/edit'])('asks nothing for %s, which can be no app', async (address) => {
    const { calls } = await renderEditPage({ app: sampleApp, address });
    await expect.element(page.getByRole('heading', { name: 'App not found' })).toBeVisible();
    expect(calls).toEqual([]);
  });

  it('offers another try when the app could not be loaded', async () => {
    let isAway = true;
    await renderEditPage({
      app: sampleApp,
      answer: ({ path }) => (isAway && path === 'apps/12' ? refusal(503, 'Database is unavailable, try again') : null),
    });
    await expect.element(page.getByRole('heading', { name: 'The app could not be loaded' })).toBeVisible();
    isAway = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.element(page.getByRole('heading', { name: 'Edit app: Acme Bet' })).toBeVisible();
  });

  it('says when the account may not edit apps', async () => {
    await renderEditPage({ app: sampleApp, answer: ({ path }) => (path === 'apps/12' ? refusal(403, 'No') : null) });
    await expect.element(page.getByRole('heading', { name: 'No access' })).toBeVisible();
  });
});
