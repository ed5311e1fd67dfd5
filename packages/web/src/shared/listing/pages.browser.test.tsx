import { pageForm } from '@switchyard/contract/envelope';
import { describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { renderWidget } from '../../testing/render-widget.tsx';
import { CursorPages, LinksPages, NumberedPages } from './pages.tsx';

const shownTexts = (): (string | null)[] =>
  [...document.querySelectorAll('nav li')].map((item) => item.textContent).filter((text) => text !== '');
const button = (name: string) => page.getByRole('button', { name, exact: true });

describe('numbered pages', () => {
  const go = vi.fn<(page: number) => void>();
  const show = (current: number, total: number) => renderWidget(<NumberedPages current={current} total={total} onGo={go} />);

  it.each([
    [5, 10, '1 ... 3 4 5 6 7 ... 10'],
    [4, 10, '1 2 3 4 5 6 ... 10'],
    [7, 10, '1 ... 5 6 7 8 9 10'],
    [1, 10, '1 2 3 ... 10'],
    [10, 10, '1 ... 8 9 10'],
    [2, 3, '1 2 3'],
    [1_234, 5_000, '1 ... 1,232 1,233 1,234 1,235 1,236 ... 5,000'],
  ])('[WID-014, WID-016, WID-017, CONST-049] page %i of %i shows %s', async (current, total, expected) => {
    await show(current, total);
    expect(shownTexts().join(' ')).toBe(expected);
    await expect.element(page.getByText(current.toLocaleString(), { exact: true })).toHaveAttribute('aria-current', 'page');
  });

  it('[WID-015] ignore a click on the current page and follow one on another', async () => {
    await show(5, 10);
    await button('Page 5').click();
    expect(go).not.toHaveBeenCalled();
    await button('Page 7').click();
    await button('Previous page').click();
    await button('Next page').click();
    expect(go.mock.calls).toEqual([[7], [4], [6]]);
  });

  it('[WID-018] are hidden with one page', async () => {
    await show(1, 1);
    expect(page.getByRole('navigation').elements()).toHaveLength(0);
  });

  it('have targets of at least 24 px', async () => {
    await show(5, 10);
    for (const target of page.getByRole('button').elements()) {
      const { width, height } = target.getBoundingClientRect();
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(24);
    }
  });
});

describe('pages by links', () => {
  const go = vi.fn<(page: number) => void>();
  const show = (current: number, last: number) =>
    renderWidget(<LinksPages pagination={pageForm({ total: last * 50, count: 50, limit: 50, page: current })} onGo={go} />);

  it('[WID-019] move one page by their labels', async () => {
    await show(4, 9);
    await button('Previous page').click();
    await button('Next page').click();
    expect(go.mock.calls).toEqual([[3], [5]]);
    expect(shownTexts()).toEqual(['Previous', '1', '2', '3', '4', '5', '6', '...', '9', 'Next']);
  });

  it('[WID-020] offer the next page only below the last one', async () => {
    const { unmount } = await show(8, 9);
    await expect.element(button('Next page')).toBeVisible();
    await unmount();
    await show(9, 9);
    await expect.element(button('Previous page')).toBeVisible();
    expect(button('Next page').elements()).toHaveLength(0);
  });

  it('offer no page before the first, and lead back from behind the end', async () => {
    const { unmount } = await show(1, 9);
    expect(button('Previous page').elements()).toHaveLength(0);
    await unmount();
    go.mockClear();
    await show(12, 9);
    expect(button('Next page').elements()).toHaveLength(0);
    await button('Previous page').click();
    expect(go.mock.calls).toEqual([[9]]);
  });

  it('follow a number, but not the current one', async () => {
    go.mockClear();
    await show(2, 3);
    await button('Page 2').click();
    await button('Page 3').click();
    expect(go.mock.calls).toEqual([[3]]);
  });

  it('are hidden with one page', async () => {
    await show(1, 1);
    expect(page.getByRole('navigation').elements()).toHaveLength(0);
  });
});

describe('pages by cursor', () => {
  const go = vi.fn<(cursor: string) => void>();

  it("[WID-021] have 'Prev' and 'Next' that lead to their cursors", async () => {
    await renderWidget(<CursorPages previous="b4" next="aft3r" onGo={go} />);
    await button('Prev').click();
    await button('Next').click();
    expect(go.mock.calls).toEqual([['b4'], ['aft3r']]);
  });

  it('wait, without losing the focus, while the page they lead to is on its way', async () => {
    await renderWidget(<CursorPages previous="b4" next="aft3r" isBehind onGo={go} />);
    await expect.element(button('Next')).toHaveAttribute('aria-disabled', 'true');
    await button('Next').click({ force: true });
    expect(go).not.toHaveBeenCalled();
  });

  it.each([
    [null, 'x', false, true],
    ['x', null, true, false],
    [null, null, false, false],
  ])('[WID-022] are disabled without their cursor: %j, %j', async (previous, next, hasPrevious, hasNext) => {
    await renderWidget(<CursorPages previous={previous} next={next} onGo={go} />);
    const enabledStates = [button('Prev'), button('Next')].map((one) => !one.element().hasAttribute('disabled'));
    expect(enabledStates).toEqual([hasPrevious, hasNext]);
  });
});
