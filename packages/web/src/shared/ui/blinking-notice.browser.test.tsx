import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { emulateMedia } from '../../testing/media.ts';
import { renderWidget } from '../../testing/render-widget.tsx';
import { BlinkingNotice } from './blinking-notice.tsx';

const notice = page.getByRole('status');

describe('blinking notice', () => {
  it('[AMB-109] blinks, and stops within five seconds', async () => {
    await emulateMedia({ reducedMotion: false });
    await renderWidget(<BlinkingNotice>Pushes are not configured</BlinkingNotice>);
    const [blinking] = notice.element().getAnimations();
    expect(blinking?.effect?.getComputedTiming().iterations).toBeGreaterThan(1);
    expect(blinking?.effect?.getComputedTiming().endTime).toBeLessThanOrEqual(5_000);
    blinking?.finish();
    expect(getComputedStyle(notice.element()).opacity).toBe('1');
  });

  it('[AMB-109] does not move under reduced motion', async () => {
    await renderWidget(<BlinkingNotice>Pushes are not configured</BlinkingNotice>);
    await expect.element(notice).toHaveTextContent('Pushes are not configured');
    expect(notice.element().getAnimations()).toEqual([]);
  });
});
