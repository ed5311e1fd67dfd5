import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { stopClock } from '../testing/clock.ts';
import { renderWidget } from '../testing/render-widget.tsx';
import { DeliveryStatus } from './delivery-status.tsx';

const tooltip = page.getByRole('tooltip');

describe('status of a push or a conversion', () => {
  it.each([
    ['success', 'tabler-icon-check'],
    ['error', 'tabler-icon-x'],
    ['duplicate', 'tabler-icon-copy'],
    ['sent', 'tabler-icon-send'],
    ['pending', 'tabler-icon-clock'],
  ])('[CONV-020, CONV-021, CONV-022, CONV-025, AMB-147] %s has its word and the picture %s', async (status, picture) => {
    const { container } = await renderWidget(<DeliveryStatus status={status} error={null} />);
    expect(container.querySelectorAll('svg')).toHaveLength(1);
    expect(container.querySelector(`svg.${picture}`)).not.toBeNull();
    await expect.element(page.getByText(status)).toBeVisible();
  });

  it.each(['held', 'Success', 'constructor', '__proto__', ''])('[AMB-151, PUSH-015] any other is plain text: "%s"', async (status) => {
    const { container } = await renderWidget(<DeliveryStatus status={status} error="Boom" />);
    expect(container.querySelector('svg')).toBeNull();
    expect(container.textContent).toContain(status);
  });

  it('[CONV-021] shows the error of a failed one in a tooltip, to pointers and to the keyboard', async () => {
    const { container } = await renderWidget(<DeliveryStatus status="error" error="Postback refused: 500" />);
    expect(container.querySelector('[tabindex="0"]')?.textContent).toBe('error');
    // A tooltip goes by itself after 3 seconds, which a busy machine may spend elsewhere.
    stopClock();
    await page.getByText('error').hover();
    await expect.element(tooltip).toHaveTextContent('Postback refused: 500');
  });

  it.each([
    ['error', null],
    ['error', ''],
    ['success', 'a stale error'],
  ])('[CONV-021] has no tooltip when it is %s with the error %s', async (status, error) => {
    const { container } = await renderWidget(<DeliveryStatus status={status} error={error} />);
    expect(container.querySelector('[tabindex]')).toBeNull();
    await page.getByText(status).hover();
    expect(tooltip.elements()).toHaveLength(0);
  });
});
