import type { RequestHistogram, RequestFilters } from '@switchyard/contract/requests';
import { QueryClientProvider } from '@tanstack/react-query';
import { describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { queryClient } from '../../shared/api/query-client.ts';
import { renderWidget } from '../../testing/render-widget.tsx';
import { RequestsOverTime } from './requests-over-time.tsx';
import { sampleHistogram } from './sample-histogram.ts';

type Load = (input: { query: RequestFilters }) => Promise<{ data: RequestHistogram }>;

const slider = page.getByRole('slider', { name: 'Time to narrow the list to' });
const legend = page.getByRole('list', { name: 'Requests by type' });

async function show(load: Load = () => Promise.resolve({ data: sampleHistogram() }), filters: RequestFilters = { search: undefined }) {
  queryClient.clear();
  const onNarrow = vi.fn<(range: { startDate: string; endDate: string }) => void>();
  const rendered = await renderWidget(
    <QueryClientProvider client={queryClient}>
      <RequestsOverTime listName="requests" filters={filters} load={load} onNarrow={onNarrow} />
    </QueryClientProvider>,
  );
  return { ...rendered, onNarrow };
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
    await expect.element(legend).toHaveTextContent('create 5receive 0token 0track 1proxy 0static 0error 2');
    await expect.element(page.getByText('8 requests')).toBeVisible();
    const bars = [...container.querySelectorAll<SVGRectElement>('rect[data-type]')];
    expect(bars.map((bar) => bar.dataset['type'])).toEqual(['create', 'create', 'error', 'track']);
    expect(new Set(bars.map((bar) => getComputedStyle(bar).fill)).size).toBe(3);
  });

  it('is walked by keys that tell each time in words, and narrows the list by Enter', async () => {
    const { onNarrow } = await show();
    await expect.element(slider).toBeVisible();
    await userEvent.tab();
    await userEvent.tab();
    await expect.element(slider).toHaveFocus();
    await expect.element(slider).toHaveAttribute('aria-valuetext', '20.11.2026 10:45 to 11:00, 1 request: 1 track');
    await userEvent.keyboard('{ArrowLeft}');
    await expect.element(slider).toHaveAttribute('aria-valuetext', '20.11.2026 10:30 to 10:45, 3 requests: 1 create, 2 error');
    await expect.element(legend).toHaveTextContent('create 1receive 0token 0track 0proxy 0static 0error 2');
    await userEvent.keyboard('{Shift>}{ArrowLeft}{ArrowLeft}{/Shift}');
    await expect.element(slider).toHaveAttribute('aria-valuetext', '20.11.2026 10:00 to 10:45, 7 requests: 5 create, 2 error');
    await userEvent.keyboard('{Enter}');
    expect(onNarrow.mock.calls).toEqual([[{ startDate: '2026-11-20 10:05:00', endDate: '2026-11-20 10:44:59.999999' }]]);
    await expect.element(page.getByText('Narrowed to 20.11.2026 10:00 to 10:45, 7 requests: 5 create, 2 error')).toBeInTheDocument();
  });

  it('goes to its ends, and Escape takes an extension back', async () => {
    const { onNarrow } = await show();
    await expect.element(slider).toBeVisible();
    await userEvent.tab();
    await userEvent.tab();
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
      await expect.poll(() => document.querySelectorAll('svg rect:not([data-type])').length).toBe(1);
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

  it('says that it could not count, and tries again', async () => {
    let isAway = true;
    await show(() => (isAway ? Promise.reject(new Error('Database is unavailable')) : Promise.resolve({ data: sampleHistogram() })));
    await expect.element(page.getByText('The requests could not be counted: Database is unavailable')).toBeVisible();
    isAway = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.element(slider).toBeVisible();
  });

  it('asks with the filters alone, and asks nothing while it is folded away, which this device remembers', async () => {
    const load = vi.fn<Load>(() => Promise.resolve({ data: sampleHistogram() }));
    const rowsToo = { search: 'c-1', type: ['create' as const], page: 3, orderBy: 'id' };
    const { unmount } = await show(load, rowsToo);
    await expect.element(slider).toBeVisible();
    expect(load.mock.calls[0]?.[0].query).toEqual({ search: 'c-1', type: ['create'] });
    const toggle = page.getByRole('button', { name: 'Requests over time' });
    await toggle.click();
    await expect.element(slider).not.toBeInTheDocument();
    await unmount();
    await show(load, rowsToo);
    await expect.element(toggle).toHaveAttribute('aria-expanded', 'false');
    expect(load).toHaveBeenCalledTimes(1);
    await toggle.click();
    await expect.element(slider).toBeVisible();
  });
});
