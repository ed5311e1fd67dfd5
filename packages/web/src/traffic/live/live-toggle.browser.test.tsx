import { afterEach, describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { passTime, stopClock } from '../../testing/clock.ts';
import { emulateMedia } from '../../testing/media.ts';
import { renderWidget } from '../../testing/render-widget.tsx';
import { createStore, useStore } from '../../shared/external-store.ts';
import { LiveToggle } from './live-toggle.tsx';
import type { LiveRequests } from './use-live-requests.ts';
import { useHiddenForLong } from './use-row-stream.ts';

type Live = Pick<LiveRequests<never>, 'state' | 'obstacle' | 'toggle' | 'arrivedCount'>;

const off: Live = { state: 'off', obstacle: undefined, toggle: () => undefined, arrivedCount: 0 };
const button = page.getByRole('button');
const statusText = page.getByRole('status');

/** The toggle of a live list that the test moves along. */
const current = createStore<Live>(off);
function ToggleUnderTest() {
  return <LiveToggle live={useStore(current)} />;
}

function Sleeper() {
  return useHiddenForLong() ? 'hidden for long' : 'visible';
}

function hide(isHidden: boolean): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(isHidden ? 'hidden' : 'visible');
  document.dispatchEvent(new Event('visibilitychange'));
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('live toggle', () => {
  it('shows whether it is on and the state of the connection', async () => {
    current.set(off);
    await renderWidget(<ToggleUnderTest />);
    await expect.element(button).toHaveAttribute('aria-pressed', 'false');
    current.set({ ...off, state: 'live' });
    await expect.element(button).toHaveAttribute('aria-pressed', 'true');
    await expect.element(statusText).toHaveTextContent('Live');
    current.set({ ...off, state: 'lost' });
    await expect.element(button).toHaveTextContent('Reconnecting');
    await expect.element(statusText).toHaveTextContent('The connection was lost; reconnecting');
    current.set({ ...off, obstacle: 'Not here' });
    await expect.element(button).toBeDisabled();
  });

  it('announces how many rows came every ten seconds, not each of them', async () => {
    stopClock();
    current.set({ ...off, state: 'live' });
    await renderWidget(<ToggleUnderTest />);
    current.set({ ...off, state: 'live', arrivedCount: 1 });
    await passTime(5_000);
    current.set({ ...off, state: 'live', arrivedCount: 1_250 });
    await passTime(4_999);
    expect(statusText.element().textContent).toBe('Live');
    await passTime(1);
    await expect.element(statusText).toHaveTextContent('1,250 new rows since live updates began');
  });

  it('does not move under reduced motion', async () => {
    await emulateMedia({ reducedMotion: false });
    const { unmount } = await renderWidget(<LiveToggle live={{ ...off, state: 'live' }} />);
    expect(document.getAnimations()).toHaveLength(1);
    await unmount();
    await emulateMedia({ reducedMotion: true });
    await renderWidget(<LiveToggle live={{ ...off, state: 'live' }} />);
    expect(document.getAnimations()).toEqual([]);
  });
});

describe('a hidden page', () => {
  it('keeps its stream for a minute, then lets it go until it shows again', async () => {
    stopClock();
    await renderWidget(<Sleeper />);
    hide(true);
    await passTime(59_999);
    await expect.element(page.getByText('visible')).toBeVisible();
    await passTime(1);
    await expect.element(page.getByText('hidden for long')).toBeVisible();
    hide(false);
    await expect.element(page.getByText('visible')).toBeVisible();
    hide(true);
    await passTime(30_000);
    hide(false);
    await passTime(60_000);
    await expect.element(page.getByText('visible')).toBeVisible();
  });
});
