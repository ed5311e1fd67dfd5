import { expect, it } from 'vitest';
import { previewChart, summaryOf } from './rule-preview.tsx';
import { samplePreview } from './testing/sample-alerts.ts';

it('[ALERT-105] draws the values with the threshold and the stretches in which it would have fired', () => {
  const chart = previewChart('error_share', samplePreview, (text) => text);
  expect(chart?.series[0]?.values).toEqual([5, 30.5, null]);
  expect(chart?.threshold).toEqual({ value: 20, name: '20% or more', stretches: [[1, 2]] });
  expect(
    previewChart('error_share', { ...samplePreview, firings: [{ subject: 'A', from: '2026-11-20 12:00:00', until: null }] }, String)
      ?.threshold?.stretches,
  ).toEqual([[2, 2]]);
  expect(previewChart('domain_expiry', { ...samplePreview, days: 0 }, String)).toBeNull();
});

it.each([
  [{ firing_total: 0 }, 'Would not have fired in the last 30 days.'],
  [{ firing_total: 2 }, 'Would have fired 2 times in the last 30 days.'],
  [
    { days: 0, points: [{ at: '2026-11-20 10:00:00', value: 3, subject: 'A' }] },
    'Would fire now for 1 app. The worst value now is 3%. No history is available.',
  ],
  [{ days: 0, points: [], firing_total: 0 }, 'Would not fire now. No history is available.'],
])('[ALERT-105] says in a sentence what a rule would have done: %o', (changes, text) => {
  expect(summaryOf('error_share', { ...samplePreview, ...changes })).toBe(text);
});
