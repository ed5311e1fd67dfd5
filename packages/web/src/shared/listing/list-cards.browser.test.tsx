import { afterEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { emulateMedia } from '../../testing/media.ts';
import { renderWidget } from '../../testing/render-widget.tsx';
import { ListCards } from './list-cards.tsx';
import type { ListColumn } from './list-column.ts';
import { useListTable } from './use-list-table.ts';

type Row = { id: number };

const columns: ListColumn<Row>[] = [
  { id: 'name', cellName: 'Name', width: 100, isMain: true, isFixed: true, cell: ({ id }) => `Name ${id}` },
  { id: 'text', cellName: 'Text', width: 100, cell: ({ id }) => `Text of ${id}` },
];
const rows = Array.from({ length: 1_000 }, (_, at) => ({ id: at + 1 }));

function Cards() {
  const table = useListTable({ name: 'cards-test', columns, rows, rowId: (row) => row.id });
  const arrangement = { sort: null, limit: 1_000, defaultLimit: 50 };
  return (
    <>
      <div style={{ height: 300 }}>Filters</div>
      <ListCards list={{ arrangement, isLoading: false, view: 'rows', sortBy: () => undefined }} table={table} caption="rows" />
    </>
  );
}

const cards = page.getByRole('list', { name: 'rows' }).getByRole('listitem');

afterEach(() => page.viewport(1280, 800));

describe('cards of a long list', () => {
  it('[LIST-010] are mounted in view only, keep what is open while they scroll, and are all there in print', async () => {
    await page.viewport(390, 800);
    await renderWidget(<Cards />);
    await expect.element(page.getByText('Name 1', { exact: true })).toBeVisible();
    expect(cards.elements().length).toBeLessThan(40);
    await expect.element(cards.first()).toHaveAttribute('aria-setsize', '1000');
    await cards.first().getByRole('button', { name: 'Show more' }).click();
    await expect.element(page.getByText('Text of 1', { exact: true })).toBeVisible();

    window.scrollTo(0, document.documentElement.scrollHeight);
    await expect.element(page.getByText('Name 1000', { exact: true })).toBeVisible();
    await expect.element(page.getByText('Name 1', { exact: true })).not.toBeInTheDocument();
    expect(cards.elements().length).toBeLessThan(40);
    const below = (): number => {
      const bottom = cards.elements().at(-1)?.getBoundingClientRect().bottom ?? 0;
      return document.documentElement.scrollHeight - (bottom + window.scrollY);
    };
    await expect.poll(below).toBeLessThan(40);

    window.scrollTo(0, 0);
    await expect.element(page.getByText('Text of 1', { exact: true })).toBeVisible();
    await emulateMedia({ print: true });
    await expect.poll(() => cards.elements().length).toBe(1_000);
  });
});
