import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { renderWidget } from '../../testing/render-widget.tsx';
import { ShortRows } from './short-rows.tsx';

const rows = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `edge-${at + 1}`, isMarked: at === 1_233 }));
const search = page.getByRole('searchbox', { name: 'Search servers' });
const names = () =>
  page
    .getByRole('listitem')
    .elements()
    .map((element) => element.textContent);

async function render(count: number): Promise<void> {
  await renderWidget(
    <ShortRows rows={rows(count)} noun="servers" textOf={({ name }) => name} isMarked={({ isMarked }) => isMarked}>
      {(shownRows) => (
        <ul>
          {shownRows.map(({ name }) => (
            <li key={name}>{name}</li>
          ))}
        </ul>
      )}
    </ShortRows>,
  );
}

it('[WID-091] are all there, without a search, up to twenty', async () => {
  await render(20);
  await expect.element(page.getByText('edge-20')).toBeVisible();
  await expect.element(search).not.toBeInTheDocument();
});

it('[WID-091] are the first ones of many, and every marked one, with their number, a search and a button for more', async () => {
  await render(5_000);
  await expect.element(page.getByText('20 of 5,000 servers')).toBeVisible();
  expect(names()).toEqual([...Array.from({ length: 19 }, (_, at) => `edge-${at + 1}`), 'edge-1234']);
  await page.getByRole('button', { name: 'Show 100 more' }).click();
  expect(names()).toHaveLength(120);
  await search.fill('EDGE-499');
  await expect.element(page.getByText('11 of 11 servers')).toBeVisible();
  expect(names()[10]).toBe('edge-4999');
  await search.fill('nowhere');
  await expect.element(page.getByText('Nothing matches.')).toBeVisible();
  expect(names()).toEqual([]);
  await userEvent.clear(search);
  await expect.element(page.getByText('120 of 5,000 servers')).toBeVisible();
});
