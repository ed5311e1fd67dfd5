import { domainExpiryHours } from '@switchyard/contract/limits';
import { expect, it, describe } from 'vitest';
import { breakpoints, certificateExpiryHours, jsonCollapseDepth, tableHeight, textLengths, timeSpans } from './display-limits.ts';
import { tooltipPositions } from './hover-tooltip.tsx';
import { clampPanelWidth, panelWidths } from './side-panel.tsx';

it.each([
  ['CONST-001', breakpoints.mobileMax, 767],
  ['CONST-002', breakpoints.appsMobile, 768],
  ['CONST-003', breakpoints.desktopMin, 1140],
  ['CONST-004', certificateExpiryHours, 336],
  ['CONST-005', domainExpiryHours, 7 * 24],
  ['CONST-008', timeSpans.notification, 20_000],
  ['CONST-009', timeSpans.serverNotice, 10_000],
  ['CONST-010', timeSpans.validationDebounce, 500],
  ['CONST-012', timeSpans.sessionCheck, 300_000],
  ['CONST-013', textLengths.appName, 28],
  ['CONST-014', textLengths.hoverLabel, 22],
  ['CONST-015, CONST-016', timeSpans.tooltip, 3_000],
  ['CONST-017', [timeSpans.copyIcon, timeSpans.copyBox], [300, 1_500]],
  ['CONST-018', tableHeight, { margin: 36, minimum: 300 }],
  ['CONST-040', textLengths.streamName, { from: 25, to: 22 }],
  ['CONST-041', textLengths.serverName, 33],
  ['CONST-042', textLengths.region, 15],
  ['CONST-043', textLengths.asnDescription, 200],
  ['CONST-044', textLengths.blackIpReason, 400],
  ['CONST-045', jsonCollapseDepth, 4],
])('[%s] has the specified value', (_id, value, expected) => {
  expect(value).toEqual(expected);
});

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
