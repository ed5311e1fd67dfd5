import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { passTime, stopClock } from '../../../testing/clock.ts';
import { renderWidget } from '../../../testing/render-widget.tsx';
import { clearNotifications, notificationTypes, notify, toastPositions } from './notification-center.ts';
import { NotificationStacks } from './notifications.tsx';

const onOpen = vi.fn<(href: string) => void>();
const toast = page.getByTestId('notification');
/** A message on the page, after a word for its type for assistive technology. */
const messageText = (message: string) => page.getByText(new RegExp(`: ${message}$`));
const clearAll = page.getByRole('button', { name: 'Clear all' });
const count = (expected: number): Promise<void> => expect.poll(() => toast.elements().length).toBe(expected);

async function show(): Promise<void> {
  await renderWidget(
    <>
      <button type="button">Elsewhere</button>
      <NotificationStacks onOpen={onOpen} />
    </>,
  );
  // The pointer rests where an earlier test left it. A toast that appears there would stay.
  await page.getByText('Elsewhere').hover();
}

/** The point of the window at which a toast is. */
function centreOf(element: Element): { x: number; y: number } {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return { x: (left + right) / 2 / window.innerWidth, y: (top + bottom) / 2 / window.innerHeight };
}

afterEach(clearNotifications);

describe('notifications', () => {
  it('[WID-027, CONST-008] close by themselves after 20 seconds', async () => {
    stopClock();
    await show();
    notify({ message: 'Saved' });
    await count(1);
    await passTime(19_999);
    expect(toast.elements()).toHaveLength(1);
    await passTime(1);
    await count(0);
  });

  it('[WID-027] stay when that is switched off, and close after a time of their own', async () => {
    stopClock();
    await show();
    notify({ message: 'Stays', closesByItself: false });
    notify({ message: 'Ten seconds', timeout: 10_000 });
    await count(2);
    await passTime(10_000);
    await count(1);
    await passTime(1_000_000);
    await expect.element(messageText('Stays')).toBeVisible();
  });

  it('[WID-027] wait while the pointer or the focus is on them, and then for the whole time again', async () => {
    stopClock();
    await show();
    notify({ message: 'Saved' });
    // Before Tab: pointing may scroll, and Tab would begin where that ended.
    await page.getByText('Elsewhere').click();
    await messageText('Saved').hover();
    await userEvent.tab();
    await expect.element(page.getByRole('button', { name: 'Close notification' })).toHaveFocus();
    // The pointer goes, the focus stays.
    await page.getByText('Elsewhere').hover();
    await passTime(60_000);
    expect(toast.elements()).toHaveLength(1);
    await userEvent.tab({ shift: true });
    await passTime(19_999);
    expect(toast.elements()).toHaveLength(1);
    await passTime(1);
    await count(0);
  });

  it('[WID-028] close on a click only where that is asked for', async () => {
    await show();
    notify({ message: 'Closes', closeOnClick: true });
    notify({ message: 'Stays' });
    await messageText('Stays').click();
    await messageText('Closes').click();
    await count(1);
    await expect.element(messageText('Stays')).toBeVisible();
  });

  it('[WID-029] have a close icon unless it is switched off', async () => {
    await show();
    notify({ message: 'Plain', hasCloseIcon: false });
    await count(1);
    expect(page.getByRole('button', { name: 'Close notification' }).elements()).toHaveLength(0);
    notify({ message: 'With icon' });
    await page.getByRole('button', { name: 'Close notification' }).click();
    await count(1);
    await expect.element(messageText('Plain')).toBeVisible();
  });

  it("[WID-030, CONST-048] offer 'Clear all' above three, which closes all", async () => {
    await show();
    for (const message of ['one', 'two', 'three']) notify({ message, position: message === 'one' ? 'top-left' : 'top-right' });
    await count(3);
    expect(clearAll.elements()).toHaveLength(0);
    notify({ message: 'four', position: 'bottom-center' });
    await clearAll.click();
    await count(0);
    expect(clearAll.elements()).toHaveLength(0);
  });

  it('[WID-024] have an icon and a word for each type', async () => {
    await show();
    for (const type of notificationTypes) notify({ message: type, type });
    await count(5);
    const cards = toast.elements();
    expect(cards.map((card) => card.getAttribute('data-type'))).toEqual(['info', 'primary', 'danger', 'warning', 'success']);
    expect(cards.map((card) => card.textContent)).toEqual([
      'Info: info',
      'Notice: primary',
      'Error: danger',
      'Warning: warning',
      'Success: success',
    ]);
    expect(new Set(cards.map((card) => card.querySelector('svg')?.innerHTML)).size).toBe(5);
  });

  it('[WID-023, WID-025, AMB-039] say a message alone, with its time, or as a link', async () => {
    vi.setSystemTime(new Date(2026, 10, 20, 14, 5, 9));
    await show();
    notify({ message: 'Plain', action: 'alert' });
    notify({ message: 'Timed', action: 'notification' });
    notify({ message: 'Leads on', action: 'link', href: '/apps?page=2' });
    await count(3);
    const [plain, timedToast] = toast.elements();
    expect(plain?.textContent).toBe('Info: Plain');
    expect(timedToast?.textContent).toBe(`Info: Timed${new Date(2026, 10, 20, 14, 5, 9).toLocaleTimeString()}`);
    const link = page.getByRole('link', { name: 'Leads on' });
    await expect.element(link).toHaveAttribute('href', '/apps?page=2');
    await link.click();
    expect(onOpen).toHaveBeenCalledWith('/apps?page=2');
    await count(2);
  });

  const thirds = {
    'top-left': ['left', 'top'],
    'top-right': ['right', 'top'],
    'left-center': ['left', 'middle'],
    'right-center': ['right', 'middle'],
    'top-center': ['middle', 'top'],
    'bottom-center': ['middle', 'bottom'],
  } as const;

  it.each(toastPositions)('[WID-053] are shown at %s', async (position) => {
    await show();
    notify({ message: 'Here', position });
    await count(1);
    const { x, y } = centreOf(toast.element());
    const across = x < 1 / 3 ? 'left' : x > 2 / 3 ? 'right' : 'middle';
    const down = y < 1 / 3 ? 'top' : y > 2 / 3 ? 'bottom' : 'middle';
    expect([across, down]).toEqual([...thirds[position]]);
  });

  it('[WID-053] are by default above the save bar, whatever its height', async () => {
    onTestFinished(() => {
      document.documentElement.style.removeProperty('--sy-save-bar-height');
    });
    await show();
    notify({ message: 'Here' });
    await count(1);
    for (const height of [40, 57, 120]) {
      document.documentElement.style.setProperty('--sy-save-bar-height', `${height}px`);
      expect(window.innerHeight - toast.element().getBoundingClientRect().bottom).toBeGreaterThan(height);
    }
  });

  it('[WID-053] make room on phones for a dialog, which is at the top', async () => {
    await page.viewport(390, 844);
    onTestFinished(async () => page.viewport(1280, 800));
    await show();
    notify({ message: 'Here', position: 'top-right' });
    await count(1);
    expect(centreOf(toast.element()).y).toBeLessThan(1 / 3);
    const dialog = document.createElement('div');
    dialog.setAttribute('aria-modal', 'true');
    document.body.append(dialog);
    onTestFinished(() => dialog.remove());
    await expect.poll(() => centreOf(toast.element()).y).toBeGreaterThan(2 / 3);
  });

  it('are announced: all politely, errors at once', async () => {
    await show();
    notify({ message: 'Saved' });
    notify({ message: 'Failed', type: 'danger' });
    await count(2);
    for (const card of toast.elements()) expect(card.closest('[aria-live="polite"]')).not.toBeNull();
    await expect.element(page.getByRole('alert')).toHaveTextContent('Error: Failed');
  });

  it('that are raised again continue their count and restart their time', async () => {
    stopClock();
    await show();
    notify({ message: 'Down', type: 'danger' });
    await count(1);
    await passTime(15_000);
    notify({ message: 'Down', type: 'danger' });
    await expect.element(page.getByText('×2')).toBeVisible();
    await passTime(19_999);
    expect(toast.elements()).toHaveLength(1);
    await passTime(1);
    await count(0);
  });
});
