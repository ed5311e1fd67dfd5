import { Button, Group, Text } from '@mantine/core';
import { bulkLimits, type BulkEntityName } from '@switchyard/contract/bulk';
import type { ReactNode } from 'react';
import type { BulkBegin } from './bulk-dialog.tsx';
import { RecentRuns } from './recent-runs.tsx';
import { groupedNumber } from '../ui/text-format.ts';
import { countSelected, type SelectedRows, type Selection } from '../listing/use-selection.ts';

type Props = {
  /** The rows whose recent changes are listed; none unless given. */
  runs?: { entity: BulkEntityName; onOpen: (run: BulkBegin) => void };
  selection: Selection<never>;
  selected: SelectedRows;
  /** Number of rows that match the filters; null while it is unknown, and where they cannot be chosen together. */
  total: number | null;
  /** Plural noun of the rows. */
  noun: string;
  /** Hint on how to select rows of a card, whose bar is shown on demand. */
  hint: string | undefined;
  /** The menu of actions. */
  children: ReactNode;
};

/** Shows how many rows are selected, selects all that match, and offers what can be done with them. */
export function SelectionBar({ runs, selection, selected, total, noun, hint, children }: Props) {
  const count = countSelected(selected, total);
  const isIdle = count === 0 && hint === undefined;
  return (
    <Group gap="xs" role="toolbar" aria-label="Selection" mb="xs" data-screen-only>
      <Text aria-live="polite" {...(isIdle ? { c: 'dimmed', size: 'sm' } : { fw: 600 })}>
        {count === 0 ? (hint ?? `Select ${noun} to change several at once`) : `${groupedNumber(count)} selected`}
      </Text>
      {!isIdle && total !== null && count < total && total <= bulkLimits.rows && (
        <Button size="compact-sm" variant="default" onClick={selection.selectAll}>
          Select all {groupedNumber(total)} that match
        </Button>
      )}
      {!isIdle && total !== null && total > bulkLimits.rows && (
        <Text c="dimmed" size="sm">
          To select all, filter down to {groupedNumber(bulkLimits.rows)}
        </Text>
      )}
      {count > 0 && children}
      {runs !== undefined && <RecentRuns {...runs} />}
      {!isIdle && (
        <Button size="compact-sm" variant="subtle" onClick={selection.end}>
          Clear selection
        </Button>
      )}
    </Group>
  );
}
