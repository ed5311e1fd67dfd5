import { describe, expect, it } from 'vitest';
import { tooltipPositions } from './hover-tooltip.tsx';
import { clampPanelWidth, panelWidths } from './side-panel.tsx';

describe('widgets', () => {
  it('[WID-042] know the eight positions of tooltips', () => {
    expect(Object.keys(tooltipPositions)).toEqual([
      'right-to-bottom',
      'left-to-bottom',
      'right-to-top',
      'left-to-top',
      'right-center',
      'left-center',
      'bottom-to-right',
      'bottom-to-left',
    ]);
    expect(new Set(Object.values(tooltipPositions)).size).toBe(8);
  });

  it('keep the panel between its limits', () => {
    expect(panelWidths.initial).toBe(480);
    expect(clampPanelWidth(10)).toBe(320);
    expect(clampPanelWidth(5_000)).toBe(960);
    expect(clampPanelWidth(500.4)).toBe(500);
  });
});
