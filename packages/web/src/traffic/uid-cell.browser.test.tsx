import { describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { stopClock } from '../testing/clock.ts';
import { renderWidget } from '../testing/render-widget.tsx';
import { UidCell } from './uid-cell.tsx';

const uid = '1700000000000-123';

describe('uid in a table', () => {
  it('[CONV-018, CONV-019] shows its ends, the whole of it in a tooltip, and copies the whole', async () => {
    const copiedTexts: string[] = [];
    vi.spyOn(navigator.clipboard, 'writeText').mockImplementation((text) => Promise.resolve(void copiedTexts.push(text)));
    await renderWidget(<UidCell uid={uid} noun="click id" isShort />);
    // A tooltip goes by itself after 3 seconds, which a busy machine may spend elsewhere.
    stopClock();
    await page.getByText('1700...-123', { exact: true }).hover();
    await expect.element(page.getByRole('tooltip')).toHaveTextContent(uid);
    await page.getByRole('button', { name: `Copy click id ${uid}` }).click();
    expect(copiedTexts).toEqual([uid]);
  });

  it('[PUSH-011, PUSH-012] shows all of it where it is not shortened', async () => {
    await renderWidget(<UidCell uid={uid} noun="uid" />);
    await expect.element(page.getByText(uid, { exact: true })).toBeVisible();
  });

  it.each([null, ''])('is a dash without one', async (none) => {
    const { container } = await renderWidget(<UidCell uid={none} noun="uid" />);
    expect(container.textContent).toContain('-');
    expect(page.getByRole('button').elements()).toHaveLength(0);
  });
});
