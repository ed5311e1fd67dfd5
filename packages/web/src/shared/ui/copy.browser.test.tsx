import { describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { passTime, stopClock } from '../../testing/clock.ts';
import { renderWidget } from '../../testing/render-widget.tsx';
import { CopyBox, CopyIcon } from './copy.tsx';

function clipboard(): { copiedTexts: string[]; refuse: () => void } {
  const copiedTexts: string[] = [];
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockImplementation((text) => Promise.resolve(void copiedTexts.push(text)));
  return { copiedTexts, refuse: () => void write.mockRejectedValue(new DOMException('Refused', 'NotAllowedError')) };
}

describe('copy icon', () => {
  const icon = page.getByRole('button');

  it('[WID-037, CONST-017] copies on a click and shows so for 300 ms', async () => {
    const { copiedTexts } = clipboard();
    stopClock();
    await renderWidget(<CopyIcon text={() => 'a1b2'} label="Copy the id" />);
    await expect.element(icon).toHaveAccessibleName('Copy the id');
    await icon.click();
    await expect.element(icon).toHaveAccessibleName('Copied');
    expect(copiedTexts).toEqual(['a1b2']);
    await passTime(299);
    await expect.element(icon).toHaveAccessibleName('Copied');
    await passTime(1);
    await expect.element(icon).toHaveAccessibleName('Copy the id');
  });

  it('does not say so when the browser forbids it', async () => {
    clipboard().refuse();
    await renderWidget(<CopyIcon text="a1b2" label="Copy the id" />);
    await icon.click();
    await expect.element(icon).toHaveAccessibleName('Copy the id');
    await expect.element(icon).not.toHaveAttribute('data-copied');
  });
});

describe('copy box', () => {
  const box = page.getByRole('button', { name: 'Copy token: swd_4f21' });
  const outcome = page.getByRole('status');

  it('[WID-038, CONST-017] copies on a double-click and shows so for 1500 ms', async () => {
    const { copiedTexts } = clipboard();
    stopClock();
    await renderWidget(<CopyBox text="swd_4f21" label="Token" />);
    await box.dblClick();
    await expect.element(outcome).toHaveTextContent('Copied');
    expect(copiedTexts).toEqual(['swd_4f21']);
    await passTime(1_499);
    await expect.element(outcome).toHaveTextContent('Copied');
    await passTime(1);
    await expect.element(outcome).toHaveTextContent('');
  });

  it('[WID-038] does not copy on one click', async () => {
    const { copiedTexts } = clipboard();
    await renderWidget(<CopyBox text="swd_4f21" label="Token" />);
    await box.click();
    expect(copiedTexts).toEqual([]);
    await expect.element(box).toHaveAttribute('data-state', 'idle');
  });

  it('copies by the keyboard', async () => {
    const { copiedTexts } = clipboard();
    // It says so for a moment only, which a busy machine may spend elsewhere.
    stopClock();
    await renderWidget(<CopyBox text="swd_4f21" label="Token" />);
    await userEvent.tab();
    await userEvent.keyboard('{Enter}');
    await expect.element(outcome).toHaveTextContent('Copied');
    await userEvent.keyboard(' ');
    await expect.poll(() => copiedTexts).toEqual(['swd_4f21', 'swd_4f21']);
  });

  it('says when the browser forbids it', async () => {
    clipboard().refuse();
    stopClock();
    await renderWidget(<CopyBox text="swd_4f21" label="Token" />);
    await box.dblClick();
    await expect.element(outcome).toHaveTextContent('Not copied');
  });
});
