import type { Permission } from '@switchyard/contract/permissions';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { sessionStore } from '../../shared/session/session-store.ts';
import { sampleRequest } from '../../testing/sample-request.ts';
import { showRequests } from '../testing/show-requests.tsx';

const row = {
  ...sampleRequest(5),
  app_bundle: 'com.acme.bet',
  stream: { uid: 's-17', name: 'Autumn' },
  ip: '203.0.113.7',
  country: 'DE',
  bot: 'L1',
};
const show = (address = '/page', permissions: readonly Permission[] = ['manager_app_all_requests']) =>
  showRequests({ rows: [row], address, permissions });

const value = (name: string) => page.getByRole('grid').getByRole('button', { name, exact: true });
const menu = page.getByRole('menu');
const items = (): string[] => [...menu.element().querySelectorAll('[role="menuitem"]')].map((item) => item.textContent);

afterEach(() => sessionStore.close());

describe('menus of values', () => {
  it('[INV-030] open by click and by key, move by arrow keys, and return the focus', async () => {
    await show();
    await value('203.0.113.7').click();
    await expect.element(menu).toHaveTextContent('203.0.113.7Filter for this IPExclude this IPOpen addressCopy IP');
    await value('203.0.113.7').click();
    await expect.element(menu).not.toBeInTheDocument();
    for (const key of ['{Enter}', ' ']) {
      await userEvent.keyboard(key);
      await expect.element(menu).toBeVisible();
      await userEvent.keyboard('{ArrowDown}{ArrowDown}');
      await expect.element(page.getByRole('menuitem', { name: 'Exclude this IP' })).toHaveFocus();
      await userEvent.keyboard('{Escape}');
      await expect.element(value('203.0.113.7')).toHaveFocus();
      await expect.element(menu).not.toBeInTheDocument();
    }
    // Left and Right reach the values of the active row, and only they can be tabbed into.
    await userEvent.keyboard('{ArrowLeft}');
    await expect.element(value('Germany DE')).toHaveFocus();
    expect(value('create').element().tabIndex).toBe(0);
  });

  it('[INV-030] copy the value', async () => {
    const copiedTexts: string[] = [];
    vi.spyOn(navigator.clipboard, 'writeText').mockImplementation((text) => Promise.resolve(void copiedTexts.push(text)));
    await show();
    await value('Autumn').click();
    await page.getByRole('menuitem', { name: 'Copy stream' }).click();
    await expect.element(menu).not.toBeInTheDocument();
    await expect.element(value('Autumn')).toHaveFocus();
    expect(copiedTexts).toEqual(['s-17']);
  });

  it('[INV-031] filter for a value, and exclude one', async () => {
    const history = await show();
    await value('com.acme.bet').click();
    await page.getByRole('menuitem', { name: 'Filter for this app' }).click();
    await expect.poll(() => history.location.search).toBe('?appId=12');
    await value('L1').click();
    await page.getByRole('menuitem', { name: 'Exclude this label' }).click();
    await expect.poll(() => history.location.search).toBe('?botNot=L1&appId=12');
  });

  it('[INV-031] offer what the list filters by and the pages that the reader may open', async () => {
    await show('/page?type=create');
    await value('create').click();
    expect(items()).toEqual(['Exclude this type', 'Copy type']);
    await userEvent.keyboard('{Escape}');
    await value('com.acme.bet').click();
    expect(items()).toEqual(['Filter for this app', 'Copy app']);
  });

  it('[INV-031] open the requests of an app for those who may edit it', async () => {
    await show('/page', ['manager_app_all_requests', 'manager_app_requests', 'manager_app_edit']);
    await value('com.acme.bet').click();
    const open = page.getByRole('menuitem', { name: 'Open requests of the app' });
    await expect.element(open).toHaveAttribute('href', '/apps/12/edit?startTabName=Event');
  });
});

describe('filters of all requests', () => {
  it('[INV-032] pick apps and labels; chips name apps as far as they are known', async () => {
    const history = await show('/page?appId=12&appId=77&bot=none&streamUidNot=s-17', ['manager_app_all_requests']);
    const chips = page.getByRole('list', { name: 'Active filters' });
    await expect.element(chips).toHaveTextContent('Appcom.acme.betApp#77Botno labelNot StreamAutumnClear filters');
    await page.getByRole('combobox', { name: 'Bot' }).click();
    await page.getByRole('option', { name: 'HLL' }).click();
    await page.getByRole('button', { name: 'Apply filter' }).click();
    await expect.poll(() => history.location.search).toContain('bot=none&bot=HLL');
    expect(page.getByRole('combobox', { name: 'App' }).elements()).toHaveLength(0);
  });

  it('[INV-032] name apps by the pick list of readers who may use it', async () => {
    await show('/page?appId=12', ['manager_app_all_requests', 'manager_app_edit']);
    await expect.element(page.getByRole('combobox', { name: 'App' })).toHaveTextContent('Acme Bet (com.acme.bet)');
    await expect.element(page.getByRole('list', { name: 'Active filters' })).toHaveTextContent('AppAcme Bet (com.acme.bet)');
  });
});
