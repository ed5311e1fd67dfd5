import { verticals } from '@switchyard/contract/apps';
import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { renderWidget } from '../../testing/render-widget.tsx';
import { VerticalIcons, verticalsOf } from './vertical-icon.tsx';

describe('vertical icons', () => {
  it('[WID-068] differ for each vertical and carry its name', async () => {
    const { container } = await renderWidget(<VerticalIcons value={verticals.map(({ id }) => id)} />);
    const icons = [...container.querySelectorAll('[data-vertical]')];
    expect(icons.map((icon) => icon.getAttribute('data-vertical'))).toEqual(['bet', 'casino', 'social_casino', 'fantasy', 'finance']);
    expect(new Set(icons.map((icon) => icon.querySelector('svg')?.innerHTML)).size).toBe(5);
    for (const { name } of verticals) await expect.element(page.getByRole('img', { name, exact: true })).toBeVisible();
  });

  it('[WID-069] are a question mark for an unknown one', async () => {
    const { container } = await renderWidget(<VerticalIcons value="lottery" />);
    expect(container.querySelector('[data-vertical="unknown"] .tabler-icon-help')).not.toBeNull();
    await expect.element(page.getByRole('img', { name: 'lottery' })).toBeVisible();
  });

  it('[AMB-086] may be one, several with commas between, or a list', () => {
    expect(verticalsOf('bet')).toEqual(['bet']);
    expect(verticalsOf('bet, casino')).toEqual(['bet', 'casino']);
    expect(verticalsOf(['bet', 'finance'])).toEqual(['bet', 'finance']);
    expect(verticalsOf('')).toEqual([]);
  });
});
