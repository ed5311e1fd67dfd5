import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { renderWidget } from '../../testing/render-widget.tsx';
import { CountryFlag } from './country-flag.tsx';

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
