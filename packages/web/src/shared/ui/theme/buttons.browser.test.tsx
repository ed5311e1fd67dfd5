import { ActionIcon, Button, UnstyledButton } from '@mantine/core';
import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { renderWidget } from '../../../testing/render-widget.tsx';
import { plainClasses } from '../plain-buttons.ts';

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

  it('look the same as plain elements in tables', async () => {
    const look = (name: string) => {
      const { color, backgroundColor, border, borderRadius, width, height, padding, font, display } = getComputedStyle(
        page.getByRole('button', { name, exact: true }).element(),
      );
      return { color, backgroundColor, border, borderRadius, width, height, padding, font, display };
    };
    for (const color of ['neutral', 'success', 'warning', 'danger']) {
      const tone = color === 'neutral' ? undefined : color;
      const { unmount } = await renderWidget(
        <>
          <ActionIcon aria-label="kit icon" variant="subtle" color={color} size="sm" />
          <button type="button" aria-label="icon" className={plainClasses.icon} data-tone={tone} data-size="sm" />
          <ActionIcon aria-label="kit large" variant="subtle" color={color} size="md" />
          <button type="button" aria-label="large" className={plainClasses.icon} data-tone={tone} />
          <UnstyledButton aria-label="kit bare">Bare</UnstyledButton>
          <button type="button" aria-label="bare" className={plainClasses.unstyled}>
            Bare
          </button>
          <Button aria-label="kit button" variant="light" color={color} size="compact-xs" leftSection={<svg width={13} height={13} />}>
            Show
          </Button>
          <button type="button" aria-label="button" className={plainClasses.button.root} data-tone={tone} data-with-left-section>
            <span className={plainClasses.button.inner}>
              <span className={plainClasses.button.section} data-position="left">
                <svg width={13} height={13} />
              </span>
              <span className={plainClasses.button.label}>Show</span>
            </span>
          </button>
        </>,
      );
      for (const name of ['icon', 'large', 'bare', 'button']) expect(look(name)).toEqual(look(`kit ${name}`));
      await unmount();
    }
  });

  it('show where the focus is', async () => {
    await renderWidget(<Button>Save</Button>);
    await userEvent.tab();
    const outline = (): string => getComputedStyle(page.getByRole('button').element()).outline;
    await expect.poll(outline).toBe('rgb(52, 81, 198) solid 2px');
  });
});
