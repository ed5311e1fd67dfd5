import { verticals } from '@switchyard/contract/apps';
import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { stopClock } from '../../testing/clock.ts';
import { renderWidget } from '../../testing/render-widget.tsx';
import { BotLabels } from './bot-labels.tsx';
import { CountryFlag } from './country-flag.tsx';
import { VerticalIcons } from './vertical-icon.tsx';

const tooltip = page.getByRole('tooltip');

describe('vertical icons', () => {
  it('[WID-068] differ for each vertical and carry its name', async () => {
    const { container } = await renderWidget(<VerticalIcons value={verticals.map(({ id }) => id)} />);
    const icons = [...container.querySelectorAll('[data-vertical]')];
    expect(icons.map((icon) => icon.getAttribute('data-vertical'))).toEqual(['bet', 'casino', 'social_casino', 'fantasy', 'finance']);
    expect(new Set(icons.map((icon) => icon.querySelector('svg')?.innerHTML)).size).toBe(5);
    expect(icons.map((icon) => icon.textContent)).toEqual(verticals.map(({ name }) => name));
  });

  it('[WID-069] are a question mark for an unknown one', async () => {
    const { container } = await renderWidget(<VerticalIcons value="lottery" />);
    expect(container.querySelector('[data-vertical="unknown"] .tabler-icon-help')).not.toBeNull();
    await expect.element(page.getByText('lottery')).toBeInTheDocument();
  });
});

describe('country icons', () => {
  it('[WID-070, WID-071] are flags that load, an unavailable page for Russia and a globe for all', async () => {
    const { container } = await renderWidget(['DE', 'RU', 'ALL'].map((code) => <CountryFlag key={code} code={code} />));
    const flag = page.getByRole('img', { name: 'Germany' });
    await expect.poll(() => (flag.element() instanceof HTMLImageElement ? flag.element().getBoundingClientRect().width : 0)).toBe(18);
    await expect.poll(() => container.querySelector('img')?.naturalWidth ?? 0).toBeGreaterThan(0);
    expect([...container.querySelectorAll('[data-flag]')].map((icon) => [icon.getAttribute('data-flag'), icon.textContent])).toEqual([
      ['unavailable', 'Russia'],
      ['globe', 'All countries'],
    ]);
  });
});

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

  it('stand side by side, and for no tag there is none', async () => {
    const { container, unmount } = await renderWidget(<BotLabels bot="CF BOT" />);
    expect([...container.querySelectorAll('[data-tone]')].map((label) => label.textContent)).toEqual(['CF', 'BOT']);
    await unmount();
    const empty = await renderWidget(<BotLabels bot="" />);
    expect(empty.container.querySelector('[data-tone]')).toBeNull();
  });
});
