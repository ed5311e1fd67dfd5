import { expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { renderWidget } from '../../testing/render-widget.tsx';
import { FilterBar } from './filter-bar.tsx';
import { searchFilter } from './filter-fields.tsx';
import type { AnyQuery } from './filter.ts';

it("[WID-052] says 'Loading' on the button that applies the filters until the rows are there, and keeps its focus", async () => {
  const apply = vi.fn<() => void>();
  const bar = (isLoading: boolean) => (
    <FilterBar
      filters={{ search: searchFilter({ placeholder: 'Name' }) }}
      draft={{ values: {}, set: () => undefined, apply, clear: () => undefined, isChanged: true, isLoading }}
      furtherFields={null}
      activeCount={0}
      tools={null}
      views={null}
      columns={null}
      isClearable={false}
    />
  );
  const button = page.getByRole('button');
  const { rerender } = await renderWidget(bar(false));
  await expect.element(button).toHaveTextContent('Apply filter');
  await userEvent.click(button);
  expect(apply).toHaveBeenCalledOnce();
  await rerender(bar(true));
  await expect.element(button).toHaveTextContent('Loading');
  await expect.element(button).toHaveAttribute('aria-busy', 'true');
  await expect.element(button).toHaveFocus();
});

it('renders only the controls whose values change', async () => {
  const fields = {
    own: vi.fn<() => string>(() => 'own'),
    limit: vi.fn<() => string>(() => 'limit'),
    other: vi.fn<() => string>(() => 'other'),
  };
  const chips = (): [] => [];
  const filters = {
    own: { field: fields.own, chips },
    limit: { field: fields.limit, dependsOn: 'own', chips },
    other: { field: fields.other, chips },
  };
  const set = (): undefined => undefined;
  const bar = (values: AnyQuery) => (
    <FilterBar
      filters={filters}
      draft={{ values, set, apply: set, clear: set, isChanged: false, isLoading: false }}
      furtherFields={null}
      activeCount={0}
      tools={null}
      views={null}
      columns={null}
      isClearable={false}
    />
  );
  const { rerender } = await renderWidget(bar({ own: 'a', other: 1 }));
  for (const field of Object.values(fields)) field.mockClear();
  await rerender(bar({ own: 'b', other: 1 }));
  expect(fields.own).toHaveBeenCalledWith(expect.objectContaining({ value: 'b' }));
  expect(fields.limit).toHaveBeenCalledWith(expect.objectContaining({ other: 'b' }));
  expect(fields.other).not.toHaveBeenCalled();
});
