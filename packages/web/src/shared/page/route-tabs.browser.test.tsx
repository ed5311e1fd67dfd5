import { describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { renderPage } from '../../testing/render-pages.tsx';
import { RouteTabs } from './route-tabs.tsx';

const names = ['General', 'Event', 'Push'];

function open(address: string, tabs: readonly string[] = names) {
  return renderPage(
    <RouteTabs names={tabs} label="App">
      {(name) => `What ${name} shows`}
    </RouteTabs>,
    address,
  );
}

const tab = (name: string) => page.getByRole('tab', { name });
const isOpen = async (name: string): Promise<void> => {
  await expect.element(tab(name)).toHaveAttribute('aria-selected', 'true');
  await expect.element(page.getByRole('tabpanel')).toHaveTextContent(`What ${name} shows`);
};

describe('tabs of a page', () => {
  it('[WID-001, WID-003] open on the first and write its name into the address', async () => {
    const history = await open('/page');
    await isOpen('General');
    await expect.poll(() => history.location.search).toBe('?startTabName=General');
  });

  it('[WID-002, WID-003] open on the tab of the address and leave the other parameters alone', async () => {
    const history = await open('/page?page=3&startTabName=Event');
    await isOpen('Event');
    expect(history.location.search).toBe('?page=3&startTabName=Event');
  });

  it('[WID-004, AMB-036] write every change in place of the entry, so that going back leaves the page', async () => {
    const history = await open('/page');
    await tab('Push').click();
    await isOpen('Push');
    expect(history.location.search).toBe('?startTabName=Push');
    await tab('Event').click();
    await isOpen('Event');
    expect(history.length).toBe(2);
    history.back();
    await expect.element(page.getByText('The page before')).toBeVisible();
  });

  it('[WID-004] drop what the list of another tab asked for', async () => {
    const history = await open('/page?startTabName=Event&page=7&search=acme');
    await tab('Push').click();
    await isOpen('Push');
    expect(history.location.search).toBe('?startTabName=Push');
  });

  it.each(['Secret', 'event', ''])('[AMB-037] fall back to the first for %j and rewrite the address', async (wantedTab) => {
    const history = await open(`/page?startTabName=${wantedTab}&page=2`);
    await isOpen('General');
    await expect.poll(() => new URLSearchParams(history.location.search).get('startTabName')).toBe('General');
    expect(new URLSearchParams(history.location.search).get('page')).toBe('2');
  });

  it('follow an address that changes under them', async () => {
    const history = await open('/page?startTabName=Event');
    await isOpen('Event');
    history.push('/page?startTabName=Push');
    await isOpen('Push');
  });

  it('are reached by the arrow keys', async () => {
    await open('/page');
    await isOpen('General');
    await userEvent.tab();
    await userEvent.keyboard('{ArrowRight}');
    await isOpen('Event');
    await expect.element(tab('Event')).toHaveFocus();
  });

  it('[WID-005, AMB-041] show nothing without names and report why', async () => {
    const report = vi.spyOn(globalThis, 'reportError').mockReturnValue();
    const history = await open('/page', []);
    await expect.poll(() => report.mock.calls.length).toBeGreaterThan(0);
    expect(report.mock.calls[0]?.[0]).toBeInstanceOf(TypeError);
    expect(page.getByRole('tablist').elements()).toHaveLength(0);
    expect(history.location.search).toBe('');
  });
});
