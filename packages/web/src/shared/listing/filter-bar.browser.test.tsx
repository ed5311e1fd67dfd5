import { expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { renderWidget } from '../../testing/render-widget.tsx';
import { FilterBar } from './filter-bar.tsx';
import { searchFilter } from './filter-fields.tsx';

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
