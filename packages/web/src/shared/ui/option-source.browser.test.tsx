import { useState } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { renderWidget } from '../../testing/render-widget.tsx';
import { queryClient } from '../api/query-client.ts';
import { type OptionSource, useNamedRows } from './option-source.ts';
import { Dropdown, PickMany } from './pick-list.tsx';

type Row = { id: number; name: string };

const rows: readonly Row[] = Array.from({ length: 200 }, (_, at) => ({ id: at + 1, name: `App ${at + 1}` }));
const most = 50;

/** A server with 200 apps, of which it gives 50; answers to `held` wait until they are let go. */
function createServer() {
  const queries: string[] = [];
  const waiting = new Map<string, () => void>();
  const held = new Set<string>();
  const source: OptionSource<Row> = {
    key: ['list', 'test', 'picks'],
    load: async ({ search = '', ids }, signal) => {
      queries.push(ids === undefined ? `search ${search}` : `ids ${ids.join()}`);
      if (held.has(search)) await new Promise<void>((resolve) => waiting.set(search, resolve));
      signal.throwIfAborted();
      const found = rows.filter(({ id, name }) => (ids === undefined ? name.includes(search) : ids.includes(String(id))));
      return { rows: ids === undefined ? found.slice(0, most) : found, total: found.length };
    },
    optionOf: ({ id, name }) => ({ value: String(id), name }),
  };
  return { queries, held, waiting, source };
}

function One({ source, initial }: { source: OptionSource<Row>; initial?: string }) {
  const [value, setValue] = useState(initial);
  return <Dropdown label="App" options={source} value={value} onChange={setValue} />;
}

function Many({ source }: { source: OptionSource<Row> }) {
  const [value, setValue] = useState<readonly string[]>([]);
  return <PickMany label="Apps" options={source} value={value} onChange={setValue} />;
}

function Names({ source, values }: { source: OptionSource<Row>; values: readonly string[] }) {
  const { rows: named } = useNamedRows(source, values);
  const names = values.flatMap((value) => named.get(value)?.name ?? []);
  return `${names.length} names, the last one ${names.at(-1) ?? ''}`;
}

const field = (name: string) => page.getByRole('button', { name }).or(page.getByRole('combobox', { name, exact: true }));
const option = (name: string) => page.getByRole('option', { name, exact: true });

beforeEach(() => queryClient.clear());

describe('a select whose options the server finds', () => {
  it('[LARGE-003] loads nothing before it opens, says how many there are, and searches', async () => {
    const { source, queries } = createServer();
    await renderWidget(<One source={source} />);
    expect(queries).toEqual([]);
    await field('App').first().click();
    await expect.element(page.getByText('50 of 200. Type to find others.')).toBeVisible();
    await userEvent.keyboard('199');
    await option('App 199').click();
    await expect.element(field('App').first()).toMatchTextContent(/App 199$/);
    expect(queries).toEqual(['search ', 'search 199']);
  });

  it('[LARGE-003] names a value that no answer had, and keeps the names of values that the search no longer finds', async () => {
    const { source, queries } = createServer();
    await renderWidget(
      <>
        <One source={source} initial="150" />
        <Many source={source} />
      </>,
    );
    await expect.element(field('App').first()).toMatchTextContent(/App 150$/);
    expect(queries).toEqual(['ids 150']);
    await field('Apps').first().click();
    await option('App 2').click();
    await userEvent.keyboard('188');
    await option('App 188').click();
    await expect.element(field('Apps').first()).toHaveAttribute('title', 'App 2, App 188');
    await expect.element(field('App').first()).toMatchTextContent(/App 150$/);
    expect(queries).toEqual(['ids 150', 'search ', 'search 188']);
  });

  it('[LARGE-003] shows the answer to the last search, however late an earlier one comes', async () => {
    const { source, held, waiting, queries } = createServer();
    held.add('1');
    await renderWidget(<One source={source} />);
    await field('App').first().click();
    await expect.element(option('App 1')).toBeVisible();
    await userEvent.keyboard('1');
    await expect.poll(() => queries.at(-1)).toBe('search 1');
    await userEvent.keyboard('77');
    await expect.element(option('App 177')).toBeVisible();
    await expect.element(option('App 1')).not.toBeInTheDocument();
    waiting.get('1')?.();
    await expect.poll(() => page.getByRole('option').elements().length).toBe(1);
  });

  it('[LARGE-003] picks with Enter from the answer to the search alone, and nothing before it', async () => {
    const { source, held, waiting, queries } = createServer();
    held.add('177');
    await renderWidget(<One source={source} />);
    await field('App').first().click();
    await expect.element(option('App 1')).toBeVisible();
    await userEvent.keyboard('177{Enter}');
    await expect.poll(() => queries.at(-1)).toBe('search 177');
    await userEvent.keyboard('{Enter}');
    await expect.element(option('App 1')).toBeVisible();
    waiting.get('177')?.();
    await expect.element(option('App 177')).toBeVisible();
    await userEvent.keyboard('{Enter}');
    await expect.element(field('App').first()).toMatchTextContent(/App 177$/);
  });

  it('[LARGE-003] keeps names when they are loaded again, also beside a value that nothing has', async () => {
    const { source, queries } = createServer();
    await renderWidget(<Names source={source} values={['5', '999']} />);
    await expect.element(page.getByText('1 names, the last one App 5')).toBeVisible();
    for (const loads of [2, 3]) {
      await queryClient.invalidateQueries({ queryKey: source.key });
      expect(queries).toHaveLength(loads);
      await expect.element(page.getByText('1 names, the last one App 5')).toBeVisible();
    }
  });

  it('[LARGE-003] loads the names of many values in parts, each value once', async () => {
    const { source, queries } = createServer();
    const values = rows.slice(0, 120).map(({ id }) => String(id));
    await renderWidget(<Names source={source} values={[...values, '999']} />);
    await expect.element(page.getByText('120 names, the last one App 120')).toBeVisible();
    expect(queries.map((query) => query.split(',').length)).toEqual([100, 21]);
    expect(queries.at(-1)).toMatch(/120,999$/);
  });
});
