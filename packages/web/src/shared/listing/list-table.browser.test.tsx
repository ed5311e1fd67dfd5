import { useEffect, useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { emulateMedia } from '../../testing/media.ts';
import { renderWidget } from '../../testing/render-widget.tsx';
import { useGridTabIndex } from '../ui/grid-tab-index.ts';
import type { ListColumn } from './list-column.ts';
import { ListTable } from './list-table.tsx';
import { useListTable } from './use-list-table.ts';

type Row = { id: number };

function Show({ row }: { row: Row }) {
  return (
    <button type="button" tabIndex={useGridTabIndex()}>
      Show {row.id}
    </button>
  );
}

const columns: ListColumn<Row>[] = [
  { id: 'id', cellName: '#', cellNameOrderAble: 'keyId', width: 68, isFixed: true, pin: 'start', cell: (row) => row.id },
  ...Array.from({ length: 28 }, (_, at): ListColumn<Row> => ({
    id: `c${at}`,
    cellName: `Column ${at}`,
    width: 110,
    cell: (row) => `${row.id} in column ${at}, long enough to be cut`,
  })),
  { id: 'show', cellName: 'Show', width: 80, pin: 'end', isFixed: true, cell: (row) => <Show row={row} /> },
];

const rowsOf = (count: number): Row[] => Array.from({ length: count }, (_, at) => ({ id: at + 1 }));
const some = rowsOf(500);
const few = rowsOf(3);
const ninety = rowsOf(90);
const onOpen = vi.fn<(row: Row) => void>();

type TableProps = { rows?: readonly Row[]; columns?: readonly ListColumn<Row>[]; isLoading?: boolean; view?: 'rows' | 'loading' };

function Table({ rows = some, columns: shown = columns, isLoading = false, view = 'rows' }: TableProps) {
  const table = useListTable({ name: 'widget-test', columns: shown, rows, rowId: (row) => row.id });
  const arrangement = { sort: { orderBy: 'keyId', orderDirection: 'desc' as const }, limit: 500, defaultLimit: 50 };
  return <ListTable list={{ arrangement, isLoading, view, sortBy: () => undefined }} table={table} caption="rows" onOpen={onOpen} />;
}

const grid = page.getByRole('grid', { name: 'rows' });
const scroller = (): HTMLElement => {
  const element = grid.element().parentElement;
  if (element === null) throw new Error('The table stands in no box');
  return element;
};
const mountedRows = (): number => grid.element().querySelectorAll('tbody [data-index]').length;

afterEach(() => page.viewport(1280, 800));

/** Past the header that sorts. */
async function tabToRows(): Promise<void> {
  await userEvent.tab();
  await userEvent.tab();
}

describe('height of tables', () => {
  it.each([
    [800, 100, 664],
    [1000, 100, 864],
    [500, 100, 364],
    [500, 200, 300],
    [400, 0, 364],
  ])('[WID-055, CONST-018] in a window of %i px, %i px below its top, is %i px', async (windowHeight, top, expected) => {
    await page.viewport(1280, windowHeight);
    await renderWidget(
      <div style={{ position: 'absolute', top: top - 1, left: 0, width: 900 }}>
        <Table />
      </div>,
    );
    await expect.poll(() => scroller().getBoundingClientRect().height).toBe(expected);
  });

  it('[WID-055] follows the window', async () => {
    await renderWidget(<Table />);
    const before = scroller().getBoundingClientRect().height;
    await page.viewport(1280, 700);
    await expect.poll(() => scroller().getBoundingClientRect().height).toBe(before - 100);
  });
});

function Reopened() {
  const [isOpen, setOpen] = useState(true);
  return (
    <>
      <button type="button" onClick={() => setOpen(!isOpen)}>
        Toggle
      </button>
      {isOpen && <Table rows={ninety} />}
    </>
  );
}

describe('table that is opened again with the same rows', () => {
  /** Opens the table again. Returns the mounted rows and the height of the content after each change, and calls back after the first. */
  async function openAgain(onFirst: () => void) {
    await renderWidget(<Reopened />);
    await expect.poll(mountedRows).toBe(90);
    const changes: { count: number; height: number }[] = [];
    const toggle = page.getByRole('button', { name: 'Toggle' });
    await toggle.click();
    const observer = new MutationObserver(() => {
      const count = document.querySelectorAll('tbody [data-index]').length;
      if (count === 0) return;
      changes.push({ count, height: scroller().scrollHeight });
      if (changes.length === 1) onFirst();
    });
    observer.observe(document.body, { childList: true, subtree: true });
    await toggle.click();
    await expect.poll(mountedRows).toBe(90);
    observer.disconnect();
    return changes;
  }

  it('mounts the rows that fit, and the others once these are painted, without a change of its height', async () => {
    const [first, ...others] = await openAgain(() => undefined);
    expect(first?.count).toBe(Math.ceil(scroller().clientHeight / 36));
    expect(others.at(-1)).toEqual({ count: 90, height: first?.height });
  });

  it('mounts all rows before the browser paints a place further down', async () => {
    let countInFrame = 0;
    await openAgain(() => {
      scroller().scrollTop = 1_000;
      requestAnimationFrame(() => {
        countInFrame = mountedRows();
      });
    });
    expect(countInFrame).toBe(90);
  });
});

describe('table of 500 rows and 30 columns', () => {
  it('mounts only the rows in view and shows the last one after a key', async () => {
    await renderWidget(<Table />);
    await expect.element(grid).toBeVisible();
    expect(mountedRows()).toBeLessThan(60);
    await expect.element(grid).toHaveAttribute('aria-rowcount', '501');
    await tabToRows();
    await userEvent.keyboard('{End}');
    await expect.element(page.getByRole('button', { name: 'Show 500' })).toBeVisible();
    await expect.poll(() => document.activeElement?.getAttribute('aria-rowindex')).toBe('501');
    await userEvent.keyboard('{Enter}');
    expect(onOpen).toHaveBeenLastCalledWith({ id: 500 });
  });

  it('keeps header and first column in view, and shows where the focus is', async () => {
    await renderWidget(<Table />);
    scroller().scrollTo({ left: 1_000, top: 3_000 });
    const frame = scroller().getBoundingClientRect();
    const header = page.getByRole('columnheader', { name: '#' });
    await expect.poll(() => Math.round(header.element().getBoundingClientRect().left - frame.left)).toBe(0);
    expect(Math.round(header.element().getBoundingClientRect().top - frame.top)).toBe(0);
    await tabToRows();
    const row = (): HTMLElement | null => (document.activeElement instanceof HTMLElement ? document.activeElement : null);
    await expect.poll(() => row()?.dataset['index']).toBeDefined();
    await expect.poll(() => getComputedStyle(row() ?? document.body).outline).toBe('rgb(52, 81, 198) solid 2px');
    const pinnedCell = row()?.querySelector('[data-pin]');
    expect(pinnedCell === null || pinnedCell === undefined ? '' : getComputedStyle(pinnedCell).boxShadow).toContain('rgb(52, 81, 198)');
  });
});

/** A table that loses its first row on command, as a reloaded list does. */
function Shrinking() {
  const [rows, setRows] = useState(few);
  useEffect(() => {
    const shrink = (): void => setRows((all) => all.slice(1));
    window.addEventListener('shrink', shrink);
    return () => window.removeEventListener('shrink', shrink);
  }, []);
  return <main tabIndex={-1}>{rows.length > 0 && <Table rows={rows} />}</main>;
}

describe('a row that the list loses', () => {
  const shrink = () => window.dispatchEvent(new Event('shrink'));
  const show = (id: number) => page.getByRole('button', { name: `Show ${id}` });

  it('leaves the keyboard at the row in its place, and at the content of the page when there is none', async () => {
    await renderWidget(<Shrinking />);
    show(1).element().focus();
    await expect.element(show(1)).toHaveFocus();
    shrink();
    await expect.poll(() => document.activeElement?.textContent).toMatch(/^22 in column 0/);
    shrink();
    await expect.poll(() => document.activeElement?.textContent).toMatch(/^33 in column 0/);
    shrink();
    await expect.element(page.getByRole('main')).toHaveFocus();
  });

  it('takes no focus that has left the table before', async () => {
    await renderWidget(<Shrinking />);
    const button = show(1).element();
    button.focus();
    button.blur();
    shrink();
    await expect.element(show(1)).not.toBeInTheDocument();
    expect(document.activeElement).toBe(document.body);
  });
});

describe('table on paper', () => {
  it('has every row, nothing cut off, and its header on each page', async () => {
    await renderWidget(<Table />);
    expect(mountedRows()).toBeLessThan(60);
    await emulateMedia({ print: true });
    await expect.poll(mountedRows).toBe(500);
    expect(scroller().scrollHeight - scroller().clientHeight).toBeLessThanOrEqual(0);
    const header = grid.element().querySelector('thead');
    expect(header === null ? null : getComputedStyle(header).display).toBe('table-header-group');
    const cell = grid.element().querySelector('tbody td:nth-child(2)');
    expect(cell === null ? null : getComputedStyle(cell).whiteSpace).toBe('normal');
    await emulateMedia({});
    await expect.poll(mountedRows).toBeLessThan(60);
  });

  it('[REP-090] has every column: a table that is too wide is several, each with what names its rows', async () => {
    const wide = columns.flatMap((column) => (column.pin === undefined ? [column, { ...column, id: `${column.id}b` }] : [column]));
    await renderWidget(<Table rows={few} columns={wide} />);
    await emulateMedia({ print: true });
    const tables = (): HTMLElement[] => [...scroller().querySelectorAll('table')];
    await expect.poll(() => tables().length).toBeGreaterThan(1);
    const blocks = tables().map((table) => {
      table.style.width = 'min-content';
      const ids = [...table.querySelectorAll('th')].map((header) => header.dataset['column']);
      return { ids, width: table.getBoundingClientRect().width, rows: table.querySelectorAll('tbody tr').length };
    });
    // A4 in landscape, without the margins of `@page`.
    for (const { ids, width, rows } of blocks) expect([ids[0], width <= 1032, rows]).toEqual(['id', true, 3]);
    expect(blocks.flatMap(({ ids }) => ids.slice(1))).toEqual(wide.slice(1).map(({ id }) => id));
    await emulateMedia({});
    await expect.poll(() => tables().length).toBe(1);
  });

  it('[REP-091] repeats the names of columns that sort on each page', async () => {
    await renderWidget(<Table rows={few} />);
    await emulateMedia({ print: true });
    // A box of a button is drawn on the first page only.
    const boxes = (): number => scroller().querySelector('thead button')?.getClientRects().length ?? -1;
    await expect.poll(boxes).toBe(0);
    await expect.element(grid.getByText('#', { exact: true })).toBeVisible();
  });

  it('leaves out the buttons of the rows', async () => {
    await renderWidget(<Table rows={few} />);
    const button = page.getByRole('button', { name: 'Show 3', includeHidden: true });
    await expect.element(button).toBeVisible();
    await emulateMedia({ print: true });
    await expect.element(button).not.toBeVisible();
  });

  it.each(['light', 'dark'] as const)('is dark on white in the %s theme', async (theme) => {
    await renderWidget(<Table rows={few} />, { theme });
    const row = grid.element().querySelector('tbody tr');
    // The row under the pointer is printed like the others.
    await page.getByRole('row').nth(1).hover();
    await emulateMedia({ print: true });
    await expect.poll(() => (row === null ? '' : getComputedStyle(row).backgroundColor)).toBe('rgb(255, 255, 255)');
    expect(getComputedStyle(document.body).color).toBe('rgb(23, 26, 33)');
  });
});

describe('loading', () => {
  afterEach(() => vi.useRealTimers());

  it('[WID-089] shows grey rows after 300 ms, as one animation', async () => {
    await emulateMedia({ reducedMotion: false });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const greyRows = (): number => grid.element().querySelectorAll('tbody[aria-hidden] tr').length;
    await renderWidget(<Table rows={[]} view="loading" />);
    vi.advanceTimersByTime(299);
    expect(greyRows()).toBe(0);
    vi.advanceTimersByTime(1);
    await expect.poll(greyRows).toBe(12);
    expect(grid.element().getAnimations({ subtree: true })).toHaveLength(1);
  });
});

describe('reduced motion', () => {
  it('does not animate the bar of a loading table', async () => {
    await emulateMedia({ reducedMotion: false });
    const { unmount } = await renderWidget(<Table rows={few} isLoading />);
    const slides = (): number =>
      document.getAnimations().filter((one) => one.effect?.getComputedTiming().iterations === Number.POSITIVE_INFINITY).length;
    expect(slides()).toBeGreaterThan(0);
    await unmount();
    await emulateMedia({ reducedMotion: true });
    await renderWidget(<Table rows={few} isLoading />);
    expect(slides()).toBe(0);
  });

  it('shows a new style at once, without a fade of elements that name none', async () => {
    await renderWidget(<Table rows={few} />);
    const height = scroller().getBoundingClientRect().height;
    scroller().style.height = `${height / 2}px`;
    expect(scroller().getBoundingClientRect().height).toBe(height / 2);
    expect(document.getAnimations()).toEqual([]);
  });
});
