import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { stopClock } from '../testing/clock.ts';
import { renderWidget } from '../testing/render-widget.tsx';
import { BotLabels } from './bot-labels.tsx';

const tooltip = page.getByRole('tooltip');

describe('bot labels', () => {
  it.each([
    ['WID-073', 'CF', 'success', 'CDN pass'],
    ['WID-074', 'BOT', 'warning', 'Public bot'],
    ['WID-075', 'L1', 'warning', 'Hosting, datacenter, proxy or VPN'],
    ['WID-075', 'L2', 'warning', 'Hosting, datacenter, proxy or VPN'],
    ['WID-076', 'HLL', 'danger', 'Blocked by machine learning'],
    ['WID-076', 'VLA', 'danger', 'Blocked by machine learning'],
    ['WID-077', 'ORG', 'danger', 'Organisation on the blacklist'],
    ['WID-078', 'XYZ', 'default', 'Неизвестно'],
  ])('[%s, AMB-054] %s is %s: %s', async (_id, tag, tone, text) => {
    await renderWidget(<BotLabels bot={tag} />);
    const label = page.getByText(tag, { exact: true });
    await expect.element(label).toHaveAttribute('data-tone', tone);
    // A tooltip goes by itself after 3 seconds, which a busy machine may spend elsewhere.
    stopClock();
    await label.hover();
    await expect.element(tooltip).toHaveTextContent(text);
  });

  it('are shown side by side, and none without a tag', async () => {
    const { container, unmount } = await renderWidget(<BotLabels bot="CF BOT" />);
    expect([...container.querySelectorAll('[data-tone]')].map((label) => label.textContent)).toEqual(['CF', 'BOT']);
    await unmount();
    const empty = await renderWidget(<BotLabels bot="" />);
    expect(empty.container.querySelector('[data-tone]')).toBeNull();
  });
});
