import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { passTime, stopClock } from '../../testing/clock.ts';
import { renderWidget } from '../../testing/render-widget.tsx';
import { CutLabel } from './cut-label.tsx';
import {
  HoverTooltip,
  tooltipPositions,
  type TooltipPosition,
  iconSizes,
  type IconSize,
  TooltipIcon,
  tooltipIcons,
} from './hover-tooltip.tsx';

const label = page.getByRole('tooltip');
const target = page.getByText('Target');
const isGone = (): Promise<void> => expect.element(label).not.toBeInTheDocument();

/** A target in the middle of the window, with room on every side, and something to point at elsewhere. */
async function show(position: TooltipPosition = 'bottom-to-right'): Promise<void> {
  await renderWidget(
    <div style={{ display: 'grid', placeItems: 'center', height: 600 }}>
      <HoverTooltip label="What it means" position={position} isFocusable>
        <span style={{ width: 200, height: 120 }}>Target</span>
      </HoverTooltip>
      <button type="button">Elsewhere</button>
    </div>,
  );
}

describe('hover tooltip', () => {
  it('[WID-039, CONST-015, CONST-016] hides itself after 3 seconds', async () => {
    stopClock();
    await show();
    await target.hover();
    await expect.element(label).toHaveTextContent('What it means');
    await passTime(2_999);
    await expect.element(label).toBeVisible();
    await passTime(1);
    await isGone();
  });

  it('[WID-039] stays while the pointer rests on its label', async () => {
    stopClock();
    await show();
    await target.hover();
    await label.hover();
    await passTime(30_000);
    await expect.element(label).toBeVisible();
    await page.getByText('Elsewhere').hover();
    await passTime(1_000);
    await isGone();
  });

  it('stays while the target has the focus, and Escape closes it', async () => {
    stopClock();
    await show();
    await userEvent.tab();
    await passTime(30_000);
    await expect.element(label).toBeVisible();
    const description = document.activeElement?.getAttribute('aria-describedby') ?? '';
    expect(document.getElementById(description)?.textContent).toBe('What it means');
    await userEvent.keyboard('{Escape}');
    await isGone();
  });

  it('goes when the focus goes', async () => {
    await show();
    await userEvent.tab();
    await expect.element(label).toBeVisible();
    await userEvent.tab();
    await isGone();
  });

  it('[WID-039] breaks a name without spaces, so that the page does not become wider', async () => {
    await renderWidget(
      <HoverTooltip label={'Wide'.repeat(40)} isFocusable>
        Target
      </HoverTooltip>,
    );
    await userEvent.tab();
    await expect.element(label).toBeVisible();
    const box = label.element();
    expect(box.scrollWidth).toBeLessThanOrEqual(box.clientWidth);
  });

  const places: Record<TooltipPosition, readonly [side: string, edge: string]> = {
    'right-to-bottom': ['right', 'top'],
    'left-to-bottom': ['left', 'top'],
    'right-to-top': ['right', 'bottom'],
    'left-to-top': ['left', 'bottom'],
    'right-center': ['right', 'middle'],
    'left-center': ['left', 'middle'],
    'bottom-to-right': ['below', 'left'],
    'bottom-to-left': ['below', 'right'],
  };

  it.each(Object.keys(tooltipPositions).map((name) => [name]))('[WID-042] is %s of its target', async (name) => {
    const position = Object.keys(places).find((key): key is TooltipPosition => key === name);
    if (position === undefined) throw new Error(`${name} has no place`);
    // A tooltip goes by itself after 3 seconds, which a busy machine may spend elsewhere.
    stopClock();
    await show(position);
    await target.hover();
    await expect.element(label).toBeVisible();
    const [side, edge] = places[position];
    await expect.poll(() => sideOf(label.element(), target.element())).toBe(side);
    await expect.poll(() => edgesOf(label.element(), target.element())).toContain(edge);
  });
});

/** The side of another element on which an element is. */
function sideOf(one: Element, other: Element): string {
  const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
  if (a.left >= b.right) return 'right';
  if (a.right <= b.left) return 'left';
  return a.top >= b.bottom ? 'below' : 'over';
}

/** Which edges of two elements lie on one line. */
function edgesOf(one: Element, other: Element): string[] {
  const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
  const distances = {
    top: a.top - b.top,
    bottom: a.bottom - b.bottom,
    left: a.left - b.left,
    right: a.right - b.right,
    middle: (a.top + a.bottom - b.top - b.bottom) / 2,
  };
  return Object.entries(distances).flatMap(([edge, distance]) => (Math.abs(distance) <= 1.5 ? [edge] : []));
}

describe('tooltip icon', () => {
  it.each(['info', 'question'] as const)('[WID-041] comes as %s and explains on hover', async (kind) => {
    await renderWidget(<TooltipIcon kind={kind} label="Who may sign in" />);
    const icon = page.getByRole('button', { name: /: Who may sign in$/ });
    await expect.element(icon).toHaveAttribute('data-kind', kind);
    // A tooltip goes by itself after 3 seconds, which a busy machine may spend elsewhere.
    stopClock();
    await icon.hover();
    await expect.element(label).toHaveTextContent('Who may sign in');
    expect(Object.keys(tooltipIcons)).toEqual(['info', 'question']);
  });

  it('[WID-040] has five sizes, each with a target of at least 24 px', async () => {
    const sizes: IconSize[] = ['xs', 's', 'm', 'l', 'xl'];
    await renderWidget(sizes.map((size) => <TooltipIcon key={size} size={size} label={size} />));
    const icons = page.getByRole('button').elements();
    const drawnWidths = icons.map((icon) => icon.querySelector('svg')?.getBoundingClientRect().width);
    expect(drawnWidths).toEqual(sizes.map((size) => iconSizes[size]));
    expect(drawnWidths.toSorted((a = 0, b = 0) => a - b)).toEqual(drawnWidths);
    for (const icon of icons) {
      const { width, height } = icon.getBoundingClientRect();
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(24);
    }
  });

  it('explains on a press too, because fingers cannot hover', async () => {
    // A tooltip goes by itself after 3 seconds, which a busy machine may spend elsewhere.
    stopClock();
    await renderWidget(<TooltipIcon label="Who may sign in" />);
    await page.getByRole('button').click();
    await expect.element(label).toBeVisible();
  });
});

describe('hover label', () => {
  it('[WID-054, CONST-014] is cut at 22 characters, the whole text in the tooltip', async () => {
    await renderWidget(<CutLabel text="abcdefghijklmnopqrstuvwxyz" to={22} />);
    const cutLabel = page.getByText('abcdefghijklmnopqrstuv...');
    // A tooltip goes by itself after 3 seconds, which a busy machine may spend elsewhere.
    stopClock();
    await cutLabel.hover();
    await expect.element(label).toHaveTextContent('abcdefghijklmnopqrstuvwxyz');
  });

  it('[WID-054] of 22 characters is shown whole and has no tooltip', async () => {
    await renderWidget(<CutLabel text="abcdefghijklmnopqrstuv" to={22} />);
    await page.getByText('abcdefghijklmnopqrstuv').hover();
    expect(label.elements()).toHaveLength(0);
  });
});
