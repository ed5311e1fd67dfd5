import type { RequestFilters } from '@switchyard/contract/requests';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { correctedClock } from '../shared/time/corrected-clock.ts';
import { renderWidget } from '../testing/render-widget.tsx';
import { TimePresets } from './time-presets.tsx';

type Days = Pick<RequestFilters, 'startDate' | 'endDate'>;

/** The presets over filters of the test's own. */
function Presets({ start, onApply }: { start: Days; onApply: (days: Days) => void }) {
  const [values, setValues] = useState(start);
  const apply = (patch: Days = {}): void => {
    setValues({ ...values, ...patch });
    onApply(patch);
  };
  return <TimePresets draft={{ values, set: setValues, apply, clear: vi.fn<() => void>(), isChanged: false, isLoading: false }} />;
}

const preset = (name: string) => page.getByRole('group', { name: 'Time range' }).getByRole('button', { name });

describe('presets of a time range', () => {
  it('[INV-040] put the moment at which they begin into effect, without an end, and are pressed while it holds', async () => {
    vi.spyOn(correctedClock, 'serverNow').mockReturnValue(new Date('2026-11-20T10:00:00.500Z'));
    const onApply = vi.fn<(days: Days) => void>();
    await renderWidget(<Presets start={{ startDate: '2026-11-01', endDate: '2026-11-02' }} onApply={onApply} />);
    await expect.element(preset('All: all stored requests')).toHaveAttribute('aria-pressed', 'false');
    for (const name of ['15 min: last 15 minutes', '1 h: last hour', '24 h: last 24 hours', '7 d: last 7 days', '30 d: last 30 days']) {
      await preset(name).click();
      await expect.element(preset(name)).toHaveAttribute('aria-pressed', 'true');
    }
    expect(onApply.mock.calls.map(([days]) => days)).toEqual(
      ['2026-11-20 09:45:00', '2026-11-20 09:00:00', '2026-11-19 10:00:00', '2026-11-13 10:00:00', '2026-10-21 10:00:00'].map(
        (startDate) => ({
          startDate,
          endDate: undefined,
        }),
      ),
    );
    await preset('All: all stored requests').click();
    expect(onApply).toHaveBeenLastCalledWith({ startDate: undefined, endDate: undefined });
    await expect.element(preset('30 d: last 30 days')).toHaveAttribute('aria-pressed', 'false');
    await expect.element(preset('All: all stored requests')).toHaveAttribute('aria-pressed', 'true');
  });
});
