import { describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { renderWidget } from '../../testing/render-widget.tsx';
import { ActionButton, Button, buttonTypes, type ButtonSize } from './button.tsx';

const sizes: ButtonSize[] = ['xs', 's', 'm', 'l', 'xl'];

describe('buttons', () => {
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
      buttonTypes.map((type) => (
        <Button key={type} look={type}>
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

  it('do nothing while disabled', async () => {
    const onClick = vi.fn<() => void>();
    await renderWidget(
      <Button isDisabled onClick={onClick}>
        Save
      </Button>,
    );
    await expect.element(page.getByRole('button')).toBeDisabled();
  });
});

describe('action button', () => {
  const button = page.getByRole('button');

  it("[WID-052] says 'Apply' and acts", async () => {
    const onClick = vi.fn<() => void>();
    await renderWidget(<ActionButton isLoading={false} onClick={onClick} />);
    await expect.element(button).toHaveTextContent('Apply');
    await button.click();
    expect(onClick).toHaveBeenCalledOnce();
  });

  it("[WID-052] says 'Loading' while it runs, and then does not act again but keeps the focus", async () => {
    const onClick = vi.fn<() => void>();
    await renderWidget(<ActionButton isLoading onClick={onClick} />);
    await expect.element(button).toHaveTextContent('Loading');
    await expect.element(button).toHaveAttribute('aria-busy', 'true');
    await userEvent.tab();
    await userEvent.keyboard('{Enter}');
    await expect.element(button).toHaveFocus();
    expect(onClick).not.toHaveBeenCalled();
  });
});
