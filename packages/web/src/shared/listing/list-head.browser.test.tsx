import { describe, expect, expectTypeOf, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { stopClock } from '../../testing/clock.ts';
import { renderWidget } from '../../testing/render-widget.tsx';
import type { ListColumn } from './list-column.ts';
import { ListHead } from './list-head.tsx';
import type { SortOrder } from './list-query.ts';

type Row = { id: number };
const rest = { width: 120, cell: (row: Row) => row.id };

const columns: ListColumn<Row>[] = [
  { id: 'name', cellName: 'Name', cellNameOrderAble: 'keyName', ...rest },
  { id: 'users', cellName: 'U', cellNameOrderAble: 'keyU', isOrderAble: true, tooltip: 'Users of the app', ...rest },
  { id: 'off', cellName: 'Domain', cellNameOrderAble: 'keyDomain', isOrderAble: false, ...rest },
  { id: 'plain', cellName: 'Bots', tooltip: 'Requests of bots', ...rest },
  { id: 'actions', cellName: '', title: 'Actions', ...rest },
];

const onSort = vi.fn<(key: string) => void>();
const byName: SortOrder = { orderBy: 'keyName', orderDirection: 'desc' };

function show(sort: SortOrder | null = byName) {
  return renderWidget(
    <table>
      <ListHead columns={columns} widthOf={() => 120} sort={sort} onSort={onSort} summary={undefined} />
    </table>,
  );
}

const header = (name: string) => page.getByRole('columnheader', { name, exact: true });

describe('header cells', () => {
  it('[WID-006] say their name; without a visible one, for assistive technology alone', async () => {
    await show();
    expect(
      page
        .getByRole('columnheader')
        .elements()
        .map((cell) => cell.textContent),
    ).toEqual(['Name', 'U', 'Domain', 'Bots', 'Actions']);
    expectTypeOf<{ id: string; width: number; cell: (row: Row) => number }>().not.toExtend<ListColumn<Row>>();
  });

  it('[WID-007, WID-009, WID-012] that sort give their key on a click', async () => {
    await show();
    await page.getByRole('button', { name: 'U' }).click();
    expect(onSort.mock.calls).toEqual([['keyU']]);
    expectTypeOf<{ id: string; cellName: string; isOrderAble: true; width: number; cell: (row: Row) => number }>().not.toExtend<
      ListColumn<Row>
    >();
  });

  it('[WID-009] sort wherever they are clicked', async () => {
    await show();
    onSort.mockClear();
    const { width, height } = header('Name').element().getBoundingClientRect();
    await header('Name').click({ position: { x: width - 4, y: 2 } });
    await header('Name').click({ position: { x: 2, y: height - 3 } });
    expect(onSort.mock.calls).toEqual([['keyName'], ['keyName']]);
  });

  it('[WID-008] explain themselves in a tooltip, whether they sort or not', async () => {
    await show();
    // A tooltip goes by itself after 3 seconds, which a busy machine may spend elsewhere.
    stopClock();
    for (const [name, text] of [
      ['U', 'Users of the app'],
      ['Bots', 'Requests of bots'],
    ] as const) {
      await page.getByText(name, { exact: true }).hover();
      await expect.element(page.getByRole('tooltip')).toHaveTextContent(text);
    }
  });

  it('[WID-008, WID-013] that do not sort are no buttons and do nothing on a click', async () => {
    await show();
    onSort.mockClear();
    for (const name of ['Domain', 'Bots', 'Actions']) {
      await header(name).click();
      expect(header(name).getByRole('button').elements()).toHaveLength(0);
    }
    expect(onSort).not.toHaveBeenCalled();
  });

  it('[WID-010, WID-011] show which of them sorts and how', async () => {
    const { unmount } = await show();
    await expect.element(header('Name')).toHaveAttribute('aria-sort', 'descending');
    await expect.element(header('U')).toHaveAttribute('aria-sort', 'none');
    await expect.element(header('Bots')).not.toHaveAttribute('aria-sort');
    await unmount();
    await show({ orderBy: 'keyName', orderDirection: 'asc' });
    await expect.element(header('Name')).toHaveAttribute('aria-sort', 'ascending');
  });

  it('[WID-013] of a list without a sort are never buttons', async () => {
    await show(null);
    expect(page.getByRole('button').elements()).toHaveLength(0);
  });
});
