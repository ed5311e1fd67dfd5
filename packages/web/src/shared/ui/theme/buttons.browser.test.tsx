import { Button } from '@mantine/core';
import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { renderWidget } from '../../../testing/render-widget.tsx';

const sizes = ['xs', 'sm', 'md', 'lg', 'xl'];
const types = ['filled', 'outline'];

describe('buttons in the theme of the console', () => {
  it('[WID-050] come in five sizes, none lower than 24 px', async () => {
    await renderWidget(
      sizes.map((size) => (
        <Button key={size} size={size}>
          {size}
        </Button>
      )),
    );
    const heights = sizes.map((size) => page.getByRole('button', { name: size, exact: true }).element().getBoundingClientRect().height);
    expect(new Set(heights).size).toBe(5);
    expect(heights.toSorted((a, b) => a - b)).toEqual(heights);
    expect(heights[0]).toBeGreaterThanOrEqual(24);
  });

  it('[WID-051] are filled or have an outline', async () => {
    await renderWidget(
      types.map((type) => (
        <Button key={type} variant={type}>
          {type}
        </Button>
      )),
    );
    // The pointer stays where an earlier test left it, perhaps over a button.
    await userEvent.unhover(page.getByRole('button', { name: 'filled' }));
    const filled = getComputedStyle(page.getByRole('button', { name: 'filled' }).element());
    const outline = getComputedStyle(page.getByRole('button', { name: 'outline' }).element());
    expect(filled.backgroundColor).toBe('rgb(52, 81, 198)');
    expect(outline.backgroundColor).toBe('rgba(0, 0, 0, 0)');
    expect(outline.borderTopColor).toBe('rgb(47, 73, 181)');
  });

  it('show where the focus is', async () => {
    await renderWidget(<Button>Save</Button>);
    await userEvent.tab();
    const outline = (): string => getComputedStyle(page.getByRole('button').element()).outline;
    await expect.poll(outline).toBe('rgb(52, 81, 198) solid 2px');
  });
});
