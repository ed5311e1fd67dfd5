import { Button } from '@mantine/core';
import { IconAdjustmentsHorizontal, IconX } from '@tabler/icons-react';
import { useId, useState, type ReactNode } from 'react';
import classes from './filter-bar.module.css';
import type { FilterDraft } from './use-filter-draft.ts';

type Props = {
  draft: Pick<FilterDraft<never>, 'apply' | 'clear' | 'isChanged' | 'isLoading'>;
  /** The search field; always in view, also on phones. */
  search: ReactNode;
  /** The other filters, if there are any; on phones behind a button. */
  children?: ReactNode;
  /** How many filters are in effect, told on the phone's button. */
  activeCount: number;
  /** Buttons after 'Apply filter'. */
  extra?: ReactNode;
  /** Chooses the columns, at the far end; phones have cards without columns. */
  columns: ReactNode;
  /** Leaves out the button that clears every filter. */
  isClearable?: boolean;
};

/** The filters of a list; Enter in a text field and 'Apply filter' put them into effect (AMB-081), and it says 'Loading' until the rows are there (WID-052). */
export function FilterBar({ draft, search, children, activeCount, extra, columns, isClearable = true }: Props) {
  const [isOpen, setOpen] = useState(false);
  const more = useId();
  return (
    <search data-screen-only>
      <form
        className={classes['bar']}
        onSubmit={(event) => {
          event.preventDefault();
          draft.apply();
        }}
      >
        <div className={classes['search']}>{search}</div>
        {children !== undefined && (
          <Button
            className={classes['more'] ?? ''}
            variant="default"
            leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
            aria-expanded={isOpen}
            aria-controls={more}
            onClick={() => setOpen(!isOpen)}
          >
            {activeCount === 0 ? 'Filters' : `Filters (${activeCount})`}
          </Button>
        )}
        {children !== undefined && (
          <div id={more} className={classes['fields']} data-open={isOpen || undefined}>
            {children}
          </div>
        )}
        <div className={classes['buttons']}>
          {isClearable && (
            <Button variant="subtle" color="neutral" px={8} leftSection={<IconX size={14} aria-hidden />} onClick={draft.clear}>
              Clear
            </Button>
          )}
          <Button
            className={classes['apply'] ?? ''}
            type="submit"
            variant={draft.isChanged ? 'filled' : 'default'}
            aria-busy={draft.isLoading || undefined}
          >
            {draft.isLoading ? 'Loading' : 'Apply filter'}
          </Button>
          {extra}
          <span className={classes['columns']}>{columns}</span>
        </div>
      </form>
    </search>
  );
}
