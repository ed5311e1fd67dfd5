import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { renderWidget } from '../../testing/render-widget.tsx';
import type { ListColumn } from './list-column.ts';
import { ListTable } from './list-table.tsx';
import { useListTable } from './use-list-table.ts';

type Row = { id: number };
const columns: ListColumn<Row>[] = [
  { id: 'id', cellName: '#', width: 60, cell: ({ id }) => id },
  { id: 'message', cellName: 'Message', width: 240, grows: true, cell: () => 'A long message' },
  { id: 'error', cellName: 'Error', width: 80, grows: true, cell: () => '-' },
  { id: 'show', cellName: 'Show', width: 20, cell: () => '' },
];
const rows: Row[] = [{ id: 1 }];

function Table({ width }: { width: number }) {
  const table = useListTable({ name: 'widths-test', columns, rows, rowId: (row) => row.id });
  const arrangement = { sort: null, limit: 50, defaultLimit: 50 };
  return (
    // The frame has a border of one pixel.
    <div style={{ width: width + 2 }}>
      <ListTable list={{ arrangement, isLoading: false, view: 'rows', sortBy: () => undefined }} table={table} caption="rows" />
    </div>
  );
}

const widths = (): number[] =>
  page
    .getByRole('columnheader')
    .elements()
    .map((cell) => Math.round(cell.getBoundingClientRect().width));

describe('columns that grow', () => {
  it.each([
    ['share what is left in proportion to their widths', 720, [60, 480, 160, 20]],
    ['fill a table that has just room enough', 400, [60, 240, 80, 20]],
    ['are never narrower than they say, where the table scrolls', 300, [60, 240, 80, 20]],
  ])('%s', async (_, width, expected) => {
    await renderWidget(<Table width={width} />);
    await expect.poll(widths).toEqual(expected);
    const box = page.getByRole('grid').element().parentElement;
    expect(box?.scrollWidth).toBe(Math.max(width, 400));
  });
});
