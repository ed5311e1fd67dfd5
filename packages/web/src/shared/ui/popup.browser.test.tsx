import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { renderWidget } from '../../testing/render-widget.tsx';
import { Popup } from './popup.tsx';

type Ways = { closeOnEscape?: boolean; closeOnBackdrop?: boolean; hasCloseIcon?: boolean };

function Opener(ways: Ways) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      <Popup isOpen={isOpen} onClose={() => setOpen(false)} title="Details" {...ways}>
        <button type="button">Inside</button>
      </Popup>
    </>
  );
}

const popup = page.getByRole('dialog', { name: 'Details' });
const opener = page.getByRole('button', { name: 'Open' });

async function open(ways: Ways = {}): Promise<void> {
  await renderWidget(<Opener {...ways} />);
  await opener.click();
  await expect.element(popup).toBeVisible();
}

/** Clicks beside the popup, where only the backdrop is. */
async function clickBackdrop(): Promise<void> {
  await page.elementLocator(document.body).click({ position: { x: 5, y: 5 } });
}

describe('popup', () => {
  it('[WID-031] closes on Escape and gives the focus back', async () => {
    await open();
    await userEvent.keyboard('{Escape}');
    await expect.element(popup).not.toBeInTheDocument();
    await expect.element(opener).toHaveFocus();
  });

  it('[WID-031] stays on Escape when that is switched off', async () => {
    await open({ closeOnEscape: false });
    await userEvent.keyboard('{Escape}');
    // X still works, so nothing but Escape was ignored.
    await expect.element(popup).toBeVisible();
    await page.getByRole('button', { name: 'Close' }).click();
    await expect.element(popup).not.toBeInTheDocument();
  });

  it('[WID-032] closes on a click beside it and gives the focus back', async () => {
    await open();
    await clickBackdrop();
    await expect.element(popup).not.toBeInTheDocument();
    await expect.element(opener).toHaveFocus();
  });

  it('[WID-032] stays on a click beside it when that is switched off', async () => {
    await open({ closeOnBackdrop: false });
    await clickBackdrop();
    await expect.element(popup).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(popup).not.toBeInTheDocument();
  });

  it('[WID-033] closes on X and gives the focus back', async () => {
    await open();
    await page.getByRole('button', { name: 'Close' }).click();
    await expect.element(popup).not.toBeInTheDocument();
    await expect.element(opener).toHaveFocus();
  });

  it('[WID-033] has no X when that is switched off', async () => {
    await open({ hasCloseIcon: false });
    expect(page.getByRole('button', { name: 'Close' }).elements()).toHaveLength(0);
  });

  it('keeps the focus inside while it is open', async () => {
    await open();
    const inside = popup.element();
    // The dialog takes the focus in a task after it is shown. Tab before that would go on from the button.
    await expect.poll(() => inside.contains(document.activeElement)).toBe(true);
    for (let press = 0; press < 4; press += 1) {
      await userEvent.tab();
      expect(inside.contains(document.activeElement)).toBe(true);
    }
  });
});
