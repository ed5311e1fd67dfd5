import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { renderWidget } from '../../testing/render-widget.tsx';
import { CursorPages } from '../listing/pages.tsx';
import { FilterChips } from '../listing/filter-chips.tsx';
import { useFocusFallback } from './use-focus-fallback.ts';

const chipOf = (value: string) => ({ key: value, name: 'Type', value, removal: {} });

/** A list of three pages with three filters; with `hasRow` it has a row. */
function Content({ hasRow }: { hasRow: boolean }) {
  const content = useFocusFallback<HTMLDivElement>(['[data-index]', 'input']);
  const [values, setValues] = useState(['create', 'track', 'error']);
  const [at, setAt] = useState(1);
  return (
    <div ref={content}>
      <search>
        <input aria-label="Search" />
      </search>
      <FilterChips
        chips={values.map(chipOf)}
        onRemove={({ value }) => void Promise.resolve().then(() => setValues((before) => before.filter((one) => one !== value)))}
        onClear={() => setValues([])}
      />
      {hasRow && (
        <button type="button" data-index={0} tabIndex={0}>
          Row
        </button>
      )}
      <CursorPages previous={at === 1 ? null : String(at - 1)} next={at === 3 ? null : String(at + 1)} onGo={(to) => setAt(Number(to))} />
    </div>
  );
}

const button = (name: string) => page.getByRole('button', { name, exact: true });
async function press(name: string): Promise<void> {
  const element = button(name).element();
  if (element instanceof HTMLElement) element.focus();
  await userEvent.keyboard('{Enter}');
}

describe('the keyboard', () => {
  it('goes on to the next filter when one is removed, and after the last to the rows', async () => {
    await renderWidget(<Content hasRow />);
    await press('Remove filter track');
    await expect.element(button('Remove filter error')).toHaveFocus();
    await press('Remove filter error');
    await expect.element(button('Remove filter create')).toHaveFocus();
    await press('Remove filter create');
    await expect.element(button('Row')).toHaveFocus();
  });

  it('goes to the first filter where there are no rows', async () => {
    await renderWidget(<Content hasRow={false} />);
    await press('Clear filters');
    await expect.element(page.getByLabelText('Search')).toHaveFocus();
  });

  it('stays at the pages when the last step has been taken', async () => {
    await renderWidget(<Content hasRow />);
    await press('Next');
    await expect.element(button('Next')).toHaveFocus();
    await press('Next');
    await expect.element(button('Prev')).toHaveFocus();
  });

  it('goes to the content of the page when nothing of the list is left', async () => {
    function Tray() {
      const tray = useFocusFallback<HTMLElement>(['button']);
      const [isEmpty, setIsEmpty] = useState(false);
      return (
        <>
          <main tabIndex={-1}>Content</main>
          <section ref={tray}>
            {!isEmpty && (
              <button type="button" onClick={() => setIsEmpty(true)}>
                Dismiss
              </button>
            )}
          </section>
        </>
      );
    }
    await renderWidget(<Tray />);
    await press('Dismiss');
    await expect.element(page.getByRole('main')).toHaveFocus();
  });

  it('is left alone after a click', async () => {
    await renderWidget(<Content hasRow />);
    await button('Remove filter track').click();
    await expect.poll(() => button('Remove filter track').elements()).toHaveLength(0);
    expect(document.activeElement).toBe(document.body);
  });
});
