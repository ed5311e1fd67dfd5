import { useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { renderWidget } from '../../../testing/render-widget.tsx';
import { DatePicker } from './date-picker.tsx';
import type { PickerPeriod } from './picker-period.ts';

/** A day that is not the browser's, in a month and a year that are not, either. */
const today = '2031-01-01';

type OnPick = (value: string | undefined) => void;

function Field({ period, initial, onPick }: { period: PickerPeriod; initial?: string | undefined; onPick: OnPick }) {
  const [value, setValue] = useState(initial);
  const change = (next: string | undefined): void => {
    setValue(next);
    onPick(next);
  };
  return <DatePicker label="When" period={period} value={value} today={today} onChange={change} />;
}

const field = page.getByRole('button', { name: 'When', exact: true });
const picks = vi.fn<OnPick>();
afterEach(() => picks.mockClear());

async function open(period: PickerPeriod, initial?: string): Promise<void> {
  await renderWidget(<Field period={period} initial={initial} onPick={picks} />);
  await field.click();
  await expect.element(page.getByRole('table').or(page.getByRole('grid'))).toBeVisible();
}

const day = (name: string) => page.getByRole('button', { name, exact: true });

describe('date picker', () => {
  it.each(['day', 'week', 'month'] as const)("[WID-046, AMB-043] says 'Select %s' until something is chosen", async (period) => {
    await renderWidget(<Field period={period} onPick={picks} />);
    await expect.element(field).toHaveTextContent(`Select ${period}`);
  });

  it('[WID-043] picks and shows a day as YYYY-MM-DD', async () => {
    await open('day', '2026-11-20');
    await expect.element(field).toHaveTextContent('2026-11-20');
    await day('5 November 2026').click();
    expect(picks).toHaveBeenLastCalledWith('2026-11-05');
    await expect.element(field).toHaveTextContent('2026-11-05');
  });

  it('[WID-044, AMB-042] picks and shows the ISO week of a day: 1 January 2027 is in 2026-53', async () => {
    await open('week', '2027-01');
    await expect.element(field).toHaveTextContent('2027-01');
    await day('1 January 2027').click();
    expect(picks).toHaveBeenLastCalledWith('2026-53');
    await expect.element(field).toHaveTextContent('2026-53');
  });

  it('[WID-044] marks the whole week that is chosen', async () => {
    await open('week', '2026-53');
    for (const name of ['28 December 2026', '31 December 2026', '1 January 2027', '3 January 2027']) {
      await expect.element(day(name)).toHaveAttribute('data-in-range');
    }
    for (const name of ['27 December 2026', '4 January 2027']) await expect.element(day(name)).not.toHaveAttribute('data-in-range');
  });

  it('[WID-045] picks and shows a month as YYYY-MM', async () => {
    await open('month', '2026-11');
    await expect.element(field).toHaveTextContent('2026-11');
    await page.getByRole('button', { name: 'Feb', exact: true }).click();
    expect(picks).toHaveBeenLastCalledWith('2026-02');
    await expect.element(field).toHaveTextContent('2026-02');
  });

  it.each(['2026-11-20', '2027-02-10', '2021-02-10'])('[WID-047, CONST-019] shows 42 days from Monday on around %s', async (around) => {
    await open('day', around);
    const headers = [...document.querySelectorAll('table thead th')].map((header) => header.textContent);
    expect(headers).toEqual(['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su']);
    expect(document.querySelectorAll('table tbody td button')).toHaveLength(42);
  });

  it.each([
    ['day', '2026-11-20'],
    ['week', '2026-47'],
    ['month', '2026-11'],
  ] as const)('[WID-048] a chosen %s can be cleared', async (period, initial) => {
    await renderWidget(<Field period={period} initial={initial} onPick={picks} />);
    await page.getByRole('button', { name: 'Clear when' }).click();
    expect(picks).toHaveBeenLastCalledWith(undefined);
    await expect.element(field).toHaveTextContent(`Select ${period}`);
  });

  it.each(['day', 'week', 'month'] as const)('takes a %s that does not exist for none', async (period) => {
    await renderWidget(<Field period={period} initial="2026-99-99" onPick={picks} />);
    await expect.element(field).toHaveTextContent(`Select ${period}`);
  });

  it('offers nothing before the first or after the last', async () => {
    await renderWidget(<DatePicker label="When" value="2026-11-20" today={today} from="2026-11-18" until="2026-11-22" onChange={picks} />);
    await field.click();
    await expect.element(day('17 November 2026')).toBeDisabled();
    await expect.element(day('18 November 2026')).toBeEnabled();
    await expect.element(day('22 November 2026')).toBeEnabled();
    await expect.element(day('23 November 2026')).toBeDisabled();
  });

  it('moves by the keyboard, and Escape returns the focus', async () => {
    await open('day', '2026-11-20');
    await expect.element(day('20 November 2026')).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await expect.element(field).toHaveFocus();
    expect(picks).not.toHaveBeenCalled();
    await userEvent.keyboard('{Enter}');
    await expect.element(day('20 November 2026')).toHaveFocus();
    await userEvent.keyboard('{ArrowUp}{Enter}');
    expect(picks).toHaveBeenLastCalledWith('2026-11-13');
    await expect.element(field).toHaveFocus();
  });

  it.each(['day', 'week'] as const)('[WID-090] a %s begins at the day of the console, the only one that is marked', async (period) => {
    await open(period);
    await expect.element(day('1 January 2031')).toHaveFocus();
    expect([...document.querySelectorAll('[data-today][data-highlight-today]')].map((marked) => marked.ariaLabel)).toEqual([
      '1 January 2031',
    ]);
  });

  it('[WID-090] a month begins at that of the console', async () => {
    await open('month');
    await page.getByRole('button', { name: 'Jan', exact: true }).click();
    expect(picks).toHaveBeenLastCalledWith('2031-01');
  });

  it('[WID-090] does not mark the day of the browser', async () => {
    await open('day', new Date().toISOString().slice(0, 10));
    expect(document.querySelectorAll('[data-today][data-highlight-today]')).toHaveLength(0);
  });
});
