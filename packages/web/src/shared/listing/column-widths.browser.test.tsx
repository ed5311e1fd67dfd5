import { useEffect, type ReactNode } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { renderWidget } from '../../testing/render-widget.tsx';
import { Figure, useIsCompact } from '../ui/figure.tsx';
import { ColumnMenu } from './column-menu.tsx';
import type { ListColumn } from './list-column.ts';
import { GreyBar } from './list-row.tsx';
import { ListTable } from './list-table.tsx';
import { useListTable } from './use-list-table.ts';

type Row = { id: number; name: string };
const block = (width: number) => <div style={{ width, height: 10 }} />;
const columns: ListColumn<Row>[] = [
  { id: 'id', cellName: '#', width: 60, cell: () => block(46) },
  { id: 'name', cellName: 'Name', cellNameOrderAble: 'keyName', width: 120, minWidth: 100, grows: true, cell: ({ name }) => name },
  { id: 'count', cellName: 'Count', width: 40, align: 'end', isFigure: true, cell: ({ id }) => <Figure value={id} /> },
  { id: 'show', cellName: '', title: 'Show', width: 20, pin: 'end', cell: () => block(24) },
];
const long = 'A name that is far too long for a narrow table and has to be cut somewhere';
let rows: Row[] = [];
const none: Row[] = [];

type TableProps = {
  width: number;
  columns?: ListColumn<Row>[];
  view?: 'rows' | 'loading';
  items?: Row[];
  summary?: ReadonlyMap<string, ReactNode>;
};

function Table({ width, columns: declaredColumns = columns, view = 'rows', items = rows, summary }: TableProps) {
  const shownRows = view === 'rows' ? items : none;
  const table = useListTable({ name: 'widths-test', columns: declaredColumns, rows: shownRows, rowId: (row) => row.id });
  const arrangement = { sort: { orderBy: 'keyId', orderDirection: 'desc' as const }, limit: 50, defaultLimit: 50 };
  return (
    // The frame has a border of one pixel.
    <div style={{ width: width + 2 }}>
      <ColumnMenu list={table} />
      <ListTable list={{ arrangement, isLoading: false, view, sortBy: () => undefined }} table={table} caption="rows" summary={summary} />
    </div>
  );
}

const head = (name: string): number =>
  Math.round(page.getByRole('columnheader', { name, exact: true }).element().getBoundingClientRect().width);
const handle = (id: string) => page.elementLocator(document.querySelector(`[data-handle="${id}"]`) ?? document.body);
const readKept = (): unknown => JSON.parse(localStorage.getItem('switchyard_column_widths_widths-test') ?? 'null');

beforeEach(() => {
  // Rows that are the same are not measured again.
  rows = [{ id: 1_516_094, name: long }];
  localStorage.removeItem('switchyard_column_widths_widths-test');
});

describe('columns', () => {
  it('are as wide as their content, and the one that grows gets the rest', async () => {
    await renderWidget(<Table width={900} />);
    await expect.poll(() => head('#')).toBe(68);
    expect(page.getByRole('grid').element().getBoundingClientRect().width).toBe(900);
    await expect.element(page.getByText('1,516,094')).toBeVisible();
  });

  it.each([101, 200, 1_000])(
    '[WID-088, WID-055] are as wide for %i rows, of which those in view are mounted, as for a few',
    async (count) => {
      const widths = ['#', 'Name', 'Count'];
      const texts: ListColumn<Row>[] = columns.map((column) =>
        column.id === 'id' ? { ...column, cell: () => '203.0.113.255 and a date' } : column,
      );
      const few = Array.from({ length: 9 }, (_, at) => ({ id: 1_516_094 + at, name: 'Short' }));
      const many = Array.from({ length: count }, (_, at) => few[at] ?? { id: 1_516_094 + at, name: 'Short' });
      const { rerender } = await renderWidget(<Table key="few" width={900} columns={texts} items={few} />);
      await expect.poll(() => head('#')).toBeGreaterThan(100);
      const wanted = widths.map(head);
      await rerender(<Table key="many" width={900} columns={texts} items={many} />);
      await expect.poll(() => document.querySelectorAll('tr[data-index]').length).toBeGreaterThan(9);
      await expect.poll(() => widths.map(head)).toEqual(wanted);
    },
  );

  it('of figures are written in compact form in a narrow table, exact in the tooltip', async () => {
    await renderWidget(<Table width={240} />);
    const cell = page.getByText('1.52M');
    await expect.element(cell).toBeVisible();
    const box = cell.element().closest('td');
    expect(box?.scrollWidth).toBe(box?.clientWidth);
    await cell.hover();
    await expect.element(page.getByRole('tooltip')).toHaveTextContent('1,516,094');
  });

  it('[WID-088] grow for rows that arrive, which are measured without the others', async () => {
    const [first] = rows;
    const shortRows = [{ id: 3, name: 'Short' }];
    const texts: ListColumn<Row>[] = columns.map((column) => (column.id === 'id' ? { ...column, cell: ({ name }: Row) => name } : column));
    const { rerender } = await renderWidget(<Table width={1_200} columns={texts} items={shortRows} />);
    const layout = vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect');
    const before = head('#');
    layout.mockClear();
    await rerender(<Table width={1_200} columns={texts} items={first === undefined ? [] : [first, ...shortRows]} />);
    expect(layout.mock.contexts.filter((element) => element instanceof HTMLTableCellElement && element.matches('th'))).toEqual([]);
    layout.mockRestore();
    await expect.poll(() => head('#')).toBeGreaterThan(before);
    const cell = page.getByRole('gridcell', { name: long }).first().element();
    expect(cell.scrollWidth).toBe(cell.clientWidth);
    expect(document.querySelectorAll('table')).toHaveLength(1);
  });

  it('[WID-088] are measured for rows that arrived and fitted only once there is less room', async () => {
    const texts: ListColumn<Row>[] = [
      { id: 'name', cellName: 'Name', width: 120, minWidth: 100, grows: true, cell: ({ name }) => name },
      { id: 'note', cellName: 'Note', width: 120, minWidth: 60, cell: () => block(300) },
    ];
    const short = { id: 3, name: 'Short' };
    const withLong = [{ id: 4, name: long }, short];
    const { rerender } = await renderWidget(<Table width={1_100} columns={texts} items={[short]} />);
    const copy = vi.spyOn(HTMLElement.prototype, 'cloneNode');
    await rerender(<Table width={1_100} columns={texts} items={withLong} />);
    await expect.element(page.getByText(long)).toBeVisible();
    expect(copy).not.toHaveBeenCalled();
    copy.mockRestore();
    await rerender(<Table width={420} columns={texts} items={withLong} />);
    await expect.poll(() => head('Name')).toBe(210);
  });

  it('[WID-088] are neither measured nor rendered twice when a list is opened again with the rows it had', async () => {
    const forms: boolean[] = [];
    const Probe = () => {
      const isCompact = useIsCompact();
      useEffect(() => void forms.push(isCompact), [isCompact]);
      return null;
    };
    const probed = columns.map((column) => (column.id === 'show' ? { ...column, cell: () => <Probe /> } : column));
    const measured = vi.fn<() => void>();
    const observer = new MutationObserver(measured);
    const first = await renderWidget(<Table width={240} columns={probed} />);
    await expect.element(page.getByText('1.52M')).toBeVisible();
    const widths = ['#', 'Name', 'Count'].map(head);
    expect(forms).toEqual([false, true]);
    await first.unmount();
    observer.observe(document.body, { attributeFilter: ['data-measuring'], subtree: true });
    const { rerender } = await renderWidget(<Table width={240} columns={probed} />);
    await expect.element(page.getByText('1.52M')).toBeVisible();
    expect(['#', 'Name', 'Count'].map(head)).toEqual(widths);
    expect(forms).toEqual([false, true, true]);
    expect(measured).not.toHaveBeenCalled();
    await rerender(<Table width={240} columns={probed} items={[{ id: 2, name: 'Other' }]} />);
    await expect.poll(() => measured.mock.calls.length).toBeGreaterThan(0);
    observer.disconnect();
  });

  it('[WID-088] are as wide whether sums arrive before the rows or after them', async () => {
    const items = [{ id: 3, name: 'Short' }];
    const sums = new Map([['count', '12']]);
    const first = await renderWidget(<Table width={400} items={items} summary={sums} />);
    await expect.poll(() => head('#')).toBe(68);
    const widths = ['#', 'Name', 'Count'].map(head);
    await first.unmount();
    const later = [...items];
    const { rerender } = await renderWidget(
      <Table width={400} items={later} summary={new Map([['count', <GreyBar key="count" width="48px" />]])} />,
    );
    await expect.element(page.getByText('Short')).toBeVisible();
    expect(['#', 'Name', 'Count'].map(head)).toEqual(widths);
    await rerender(<Table width={400} items={later} summary={sums} />);
    await expect.element(page.getByText('12')).toBeVisible();
    expect(['#', 'Name', 'Count'].map(head)).toEqual(widths);
  });

  it('[WID-088] are measured without rendering a cell twice', async () => {
    const renderedCell = vi.fn<() => string>(() => 'Short');
    const wide: ListColumn<Row>[] = columns.map((column) => ({ ...column, isFigure: false, width: 200, cell: renderedCell }));
    const { rerender } = await renderWidget(<Table width={400} columns={wide} view="loading" />);
    await rerender(<Table width={400} columns={wide} />);
    await expect.poll(() => head('#')).toBeLessThan(200);
    expect(renderedCell).toHaveBeenCalledTimes(wide.length);
  });

  it('whose text is cut show the whole text on hover', async () => {
    await renderWidget(<Table width={320} />);
    await page.getByText(long).hover();
    await expect.element(page.getByText(long)).toHaveAttribute('title', long);
  });
});

describe('handles of columns', () => {
  it('change a width by mouse and keep it on this device; a double-click fits the content', async () => {
    const { unmount } = await renderWidget(<Table width={400} />);
    const before = head('#');
    await userEvent.dragAndDrop(handle('id'), page.getByRole('columnheader', { name: 'Name', exact: true }), {
      targetPosition: { x: 40, y: 10 },
    });
    await expect.poll(() => head('#')).toBeGreaterThan(before + 20);
    const wide = head('#');
    expect(readKept()).toEqual({ id: wide });
    await unmount();
    await renderWidget(<Table width={400} />);
    await expect.poll(() => head('#')).toBe(wide);
    await handle('id').dblClick();
    await expect.poll(() => head('#')).toBe(before);
  });
});

describe('widths by keyboard', () => {
  const slider = (name: string) => page.getByRole('slider', { name: `Width of ${name}`, exact: true });

  it('change in small and large steps, and never below what a number needs', async () => {
    await renderWidget(<Table width={900} />);
    await page.getByRole('button', { name: 'Columns' }).click();
    const [name, count] = [head('Name'), head('Count')];
    // The menu takes the focus a moment after it opens.
    await expect.poll(() => document.activeElement?.closest('[role="dialog"]')).not.toBeNull();
    slider('Name').element().focus();
    await expect.element(slider('Name')).toHaveFocus();
    await userEvent.keyboard('{ArrowLeft}');
    await expect.poll(() => head('Name')).toBe(name - 8);
    await userEvent.keyboard('{Shift>}{ArrowLeft}{/Shift}');
    await expect.poll(() => head('Name')).toBe(name - 48);
    slider('Count').element().focus();
    await expect.element(slider('Count')).toHaveFocus();
    await userEvent.keyboard('{Shift>}{ArrowLeft}{ArrowLeft}{ArrowLeft}{ArrowLeft}{/Shift}');
    await expect.poll(() => localStorage.getItem('switchyard_column_widths_widths-test')).toContain('count');
    expect(head('Count')).toBeGreaterThanOrEqual(count);
  });
});

describe('the edge of the table', () => {
  it('is shaded while columns are hidden behind it', async () => {
    await renderWidget(<Table width={200} />);
    const grid = page.getByRole('grid').element();
    const frame = grid.parentElement?.parentElement;
    await expect.poll(() => frame?.hasAttribute('data-more')).toBe(true);
    grid.parentElement?.scrollTo({ left: 1_000 });
    await expect.poll(() => frame?.hasAttribute('data-more')).toBe(false);
  });

  it('is shaded before the scrollbar, where that takes room', async () => {
    await renderWidget(<Table width={200} />);
    const scroller = page.getByRole('grid').element().parentElement;
    const frame = scroller?.parentElement;
    if (scroller === null || !(frame instanceof HTMLElement)) throw new Error('The table stands in no frame');
    const edge = (): number => Number.parseFloat(getComputedStyle(frame, '::after').right);
    const before = edge();
    // Takes as much of the box as a scrollbar would: this browser hides its own.
    scroller.style.borderRight = '15px solid';
    await expect.poll(edge).toBe(before + 15);
  });
});
