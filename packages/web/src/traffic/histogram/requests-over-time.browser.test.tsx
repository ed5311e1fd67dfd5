import type { AllRequestFilters, RequestHistogram } from '@switchyard/contract/requests';
import { QueryClientProvider } from '@tanstack/react-query';
import { describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { queryClient } from '../../shared/api/query-client.ts';
import { sampleRequest } from '../../testing/sample-request.ts';
import { passTime, stopClock } from '../../testing/clock.ts';
import { stubApi } from '../../testing/stub-api.ts';
import { renderWidget } from '../../testing/render-widget.tsx';
import { RequestsOverTime } from './requests-over-time.tsx';
import { sampleHistogram } from '../testing/sample-histogram.ts';

type Load = (input: { query: AllRequestFilters }) => Promise<{ data: RequestHistogram }>;

const slider = page.getByRole('slider', { name: 'Time to narrow the list to' });
const legend = page.getByRole('list', { name: 'Requests by type' });

type Narrow = (range: { startDate: string; endDate: string }) => void;

const chart = (load: Load, filters: AllRequestFilters, onNarrow: Narrow) => (
  <QueryClientProvider client={queryClient}>
    <RequestsOverTime listName="requests" filters={filters} load={load} onNarrow={onNarrow} />
  </QueryClientProvider>
);

async function show(load: Load = () => Promise.resolve({ data: sampleHistogram() }), filters: AllRequestFilters = { search: undefined }) {
  queryClient.clear();
  stubApi(() => Response.json({ success: false, message: 'Not found' }, { status: 404 }));
  const onNarrow = vi.fn<Narrow>();
  const widget = await renderWidget(chart(load, filters, onNarrow));
  return { ...widget, onNarrow };
}

/** Past the buttons that collapse the chart and list marks, and the entries of the types that occur. */
async function tabToSlider(): Promise<void> {
  await expect.element(slider).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Marks' })).toBeVisible();
  for (let step = 0; step < 6; step += 1) await userEvent.tab();
}

/** A place on the chart: the middle of the given bucket of four. */
function bucketAt(bucket: number): { clientX: number; clientY: number } {
  const box = slider.element().getBoundingClientRect();
  return { clientX: box.left + (box.width * (bucket + 0.5)) / 4, clientY: box.top + box.height / 2 };
}

function point(kind: 'pointerdown' | 'pointermove' | 'pointerup' | 'pointercancel', bucket: number): void {
  slider.element().parentElement?.dispatchEvent(new PointerEvent(kind, { ...bucketAt(bucket), bubbles: true, button: 0 }));
}

describe('requests over time', () => {
  it('draws each type in its colour, and says how many there are of it', async () => {
    const { container } = await show();
    await expect.element(legend).toHaveTextContent('create 5receive 0token 0track 1proxy 0static 0type error 2');
    await expect.element(page.getByText('8 requests')).toBeVisible();
    const bars = [...container.querySelectorAll<SVGPathElement>('path[data-type]')];
    expect(bars.map((bar) => bar.dataset['type'])).toEqual(['create', 'track', 'error']);
    expect(new Set(bars.map((bar) => getComputedStyle(bar).fill)).size).toBe(3);
    // Two errors are above one create in the third bucket of four, whose four creates fill another one but for the rounding of its top.
    expect(bars.map((bar) => bar.getAttribute('d')?.match(/M[\d.]+/g))).toEqual([['M0.08', 'M2.08'], ['M3.08'], ['M2.08']]);
    const [created, tracked, failed] = bars.map((bar) => bar.getBBox());
    expect(failed?.height).toBeCloseTo(2 * (tracked?.height ?? 0));
    expect((failed?.y ?? 0) + (failed?.height ?? 0)).toBeCloseTo(tracked?.y ?? 0);
    expect(created?.height).toBeCloseTo(4 * (tracked?.height ?? 0));
  });

  it('[INV-042] hides types by their entries in the legend, by pointer and keyboard, and shows them again', async () => {
    const { container } = await show();
    const drawnBars = (): (string | undefined)[] =>
      [...container.querySelectorAll<SVGPathElement>('path[data-type]')].map((bar) => bar.dataset['type']);
    const entry = (type: string) => legend.getByRole('button', { name: new RegExp(`^${type}`) });
    await expect.element(entry('token')).toBeDisabled();
    await expect.element(entry('create')).toHaveAttribute('aria-pressed', 'true');
    await entry('create').click();
    await expect.element(entry('create')).toHaveAttribute('aria-pressed', 'false');
    expect(drawnBars()).toEqual(['track', 'error']);
    await expect.element(page.getByText('3 of 8 requests')).toBeVisible();
    await expect.element(legend).toMatchTextContent(/create 5/);
    await userEvent.keyboard('{Enter}');
    await expect.element(entry('create')).toHaveAttribute('aria-pressed', 'true');
    expect(drawnBars()).toEqual(['create', 'track', 'error']);
    await expect.element(page.getByText('8 requests', { exact: true })).toBeVisible();
  });

  it('moves by keys that announce each time in words, and narrows the list by Enter', async () => {
    const { onNarrow } = await show();
    await tabToSlider();
    await expect.element(slider).toHaveFocus();
    await expect.element(slider).toHaveAttribute('aria-valuetext', '20.11.2026 10:45 to 11:00, 1 request: 1 track');
    await userEvent.keyboard('{ArrowLeft}');
    await expect.element(slider).toHaveAttribute('aria-valuetext', '20.11.2026 10:30 to 10:45, 3 requests: 1 create, 2 type error');
    await expect.element(legend).toHaveTextContent('create 1receive 0token 0track 0proxy 0static 0type error 2');
    await userEvent.keyboard('{Shift>}{ArrowLeft}{ArrowLeft}{/Shift}');
    await expect.element(slider).toHaveAttribute('aria-valuetext', '20.11.2026 10:00 to 10:45, 7 requests: 5 create, 2 type error');
    await userEvent.keyboard('{Enter}');
    expect(onNarrow.mock.calls).toEqual([[{ startDate: '2026-11-20 10:05:00', endDate: '2026-11-20 10:44:59.999999' }]]);
    await expect.element(page.getByText('Narrowed to 20.11.2026 10:00 to 10:45, 7 requests: 5 create, 2 type error')).toBeInTheDocument();
  });

  it('goes to its ends, and Escape takes an extension back', async () => {
    const { onNarrow } = await show();
    await tabToSlider();
    await userEvent.keyboard('{Home}{ArrowLeft}{Shift>}{End}{/Shift}{Escape}{Enter}');
    expect(onNarrow.mock.calls).toEqual([[{ startDate: '2026-11-20 10:45:00', endDate: '2026-11-20 10:59:59.999999' }]]);
  });

  it('narrows to the pressed bucket, or to those drawn over in either direction', async () => {
    const { onNarrow } = await show();
    await expect.element(slider).toBeVisible();
    vi.spyOn(HTMLElement.prototype, 'setPointerCapture').mockImplementation(() => undefined);
    for (const [down, up] of [
      [1, 1],
      [2, 1],
    ] as const) {
      point('pointerdown', down);
      await expect.poll(() => document.querySelectorAll('svg rect').length).toBe(1);
      point('pointermove', up);
      point('pointerup', up);
    }
    await expect
      .poll(() => onNarrow.mock.calls)
      .toEqual([
        [{ startDate: '2026-11-20 10:15:00', endDate: '2026-11-20 10:29:59.999999' }],
        [{ startDate: '2026-11-20 10:15:00', endDate: '2026-11-20 10:44:59.999999' }],
      ]);
  });

  it('takes a time that is chosen while the requests of other filters are still being counted', async () => {
    const load = vi.fn<Load>(() => Promise.resolve({ data: sampleHistogram() }));
    const { onNarrow, rerender } = await show(load);
    await expect.element(slider).toBeVisible();
    vi.spyOn(HTMLElement.prototype, 'setPointerCapture').mockImplementation(() => undefined);
    load.mockReturnValue(new Promise(() => undefined));
    await rerender(chart(load, { search: 'other' }, onNarrow));
    point('pointerdown', 1);
    await expect.poll(() => document.querySelectorAll('svg rect').length).toBe(1);
    point('pointerup', 1);
    await expect.poll(() => onNarrow.mock.calls).toEqual([[{ startDate: '2026-11-20 10:15:00', endDate: '2026-11-20 10:29:59.999999' }]]);
    expect(load).toHaveBeenCalledTimes(2);
  });

  it('[INV-041] chooses nothing when the chart changes to other times during a drag', async () => {
    const load = vi.fn<Load>(() => Promise.resolve({ data: sampleHistogram() }));
    const { onNarrow, rerender } = await show(load);
    await expect.element(slider).toBeVisible();
    vi.spyOn(HTMLElement.prototype, 'setPointerCapture').mockImplementation(() => undefined);
    point('pointerdown', 1);
    await expect.poll(() => document.querySelectorAll('svg rect').length).toBe(1);
    const buckets = sampleHistogram().buckets.map(({ at, counts }) => ({ at: at.replace(' 10:', ' 08:'), counts }));
    load.mockResolvedValue({ data: { ...sampleHistogram(), from: '2026-11-20 08:05:00', to: '2026-11-20 08:59:59', buckets } });
    await rerender(chart(load, { search: 'other' }, onNarrow));
    await expect.element(page.getByText(/^20\.11\.2026 08:05 to 09:00/)).toBeVisible();
    point('pointermove', 2);
    point('pointerup', 2);
    expect(onNarrow).not.toHaveBeenCalled();
  });

  it('chooses nothing when a finger turns out to scroll the page', async () => {
    const { onNarrow } = await show();
    await expect.element(slider).toBeVisible();
    vi.spyOn(HTMLElement.prototype, 'setPointerCapture').mockImplementation(() => undefined);
    point('pointerdown', 1);
    point('pointercancel', 1);
    point('pointerup', 1);
    await expect.element(page.getByText('8 requests')).toBeVisible();
    expect(onNarrow).not.toHaveBeenCalled();
  });

  it('[INV-056] adds requests as they arrive, counts them again, and gives the list the total of its legend', async () => {
    stopClock();
    let createdCount = 5;
    const load = vi.fn<Load>(() => {
      const [first, ...others] = sampleHistogram().buckets;
      const buckets = first === undefined ? [] : [{ ...first, counts: { ...first.counts, create: createdCount } }, ...others];
      return Promise.resolve({ data: { ...sampleHistogram(), buckets } });
    });
    const onCounted = vi.fn<(total: number | null) => void>();
    const arrivals = [1, 2, 3].map((at) => ({ at, row: sampleRequest(at) })).toReversed();
    const live = (arrivedCount: number) => (
      <QueryClientProvider client={queryClient}>
        <RequestsOverTime
          listName="live"
          filters={{ search: undefined }}
          load={load}
          onNarrow={() => undefined}
          live={{ arrivedCount, arrivals: arrivals.slice(3 - arrivedCount) }}
          onCounted={onCounted}
        />
      </QueryClientProvider>
    );
    const { rerender, unmount } = await renderWidget(live(0));
    const legendTotal = (): number =>
      [...legend.element().querySelectorAll('button')].reduce((sum, entry) => sum + Number(/\d+$/.exec(entry.textContent)?.[0]), 0);
    await expect.element(legend).toBeVisible();
    const before = legendTotal();
    expect(onCounted).toHaveBeenLastCalledWith(before);
    createdCount += 4;
    await rerender(live(1));
    await expect.poll(legendTotal).toBe(before + 1);
    expect(onCounted).toHaveBeenLastCalledWith(before + 1);
    await rerender(live(3));
    await expect.poll(legendTotal).toBe(before + 3);
    expect(onCounted).toHaveBeenLastCalledWith(before + 3);
    await passTime(900);
    expect(load).toHaveBeenCalledTimes(1);
    await passTime(200);
    // A fourth one was stored that has not arrived yet.
    await expect.poll(legendTotal).toBe(before + 4);
    expect(load).toHaveBeenCalledTimes(2);
    expect(onCounted).toHaveBeenLastCalledWith(before + 4);
    await unmount();
    expect(onCounted).toHaveBeenLastCalledWith(null);
  });

  it('says that it could not count, and tries again', async () => {
    let isAway = true;
    await show(() => (isAway ? Promise.reject(new Error('Database is unavailable')) : Promise.resolve({ data: sampleHistogram() })));
    await expect.element(page.getByText('The requests could not be counted: Database is unavailable')).toBeVisible();
    isAway = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.element(slider).toBeVisible();
  });

  it('[INV-041] asks with every filter, in the range of the list, and asks nothing while it is collapsed, which this device remembers', async () => {
    const load = vi.fn<Load>(() => Promise.resolve({ data: sampleHistogram() }));
    const filters = { search: 'c-1', type: ['create' as const], geoNot: ['DE'], appId: ['7'] };
    const { unmount } = await show(load, filters);
    await expect.element(slider).toBeVisible();
    expect(load.mock.calls[0]?.[0].query).toEqual({
      search: 'c-1',
      type: ['create'],
      geoNot: ['DE'],
      appId: ['7'],
      range: 'list',
    });
    const toggle = page.getByRole('button', { name: 'Requests over time' });
    await toggle.click();
    await expect.element(slider).not.toBeInTheDocument();
    await unmount();
    await show(load, filters);
    await expect.element(toggle).toHaveAttribute('aria-expanded', 'false');
    expect(load).toHaveBeenCalledTimes(1);
    await toggle.click();
    await expect.element(slider).toBeVisible();
  });
});
