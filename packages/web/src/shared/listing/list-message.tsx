import { Button } from '@mantine/core';
import { IconCalendarX, IconFilterOff, IconInbox, IconLock, IconPageBreak } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { LoadFailure } from '../ui/load-failure.tsx';
import { StatePanel } from '../ui/state-panel.tsx';
import type { ListView } from './list-view.ts';
import type { ListState } from './use-list.ts';
import { StaleNotice } from '../ui/stale-notice.tsx';

/** The message of a list that has no rows at all: a title, a sentence, and the next step if there is one. */
export type EmptyText = { title: string; text: string; action?: ReactNode };

type Props = {
  view: Exclude<ListView, 'loading' | 'rows'>;
  list: Pick<ListState<unknown, unknown>, 'clearFilters' | 'swapDays' | 'reload' | 'goTo' | 'failure' | 'isLoading'>;
  /** Plural noun of the rows, e.g. `apps`. */
  noun: string;
  empty: EmptyText;
};

/** The message in place of rows, with one next step. */
export function ListMessage({ view, list, noun, empty }: Props) {
  switch (view) {
    case 'empty':
      return (
        <StatePanel icon={IconInbox} title={empty.title} action={empty.action}>
          {empty.text}
        </StatePanel>
      );
    case 'nothing-found':
      return (
        <StatePanel
          icon={IconFilterOff}
          title="Nothing found"
          action={
            <Button variant="default" onClick={list.clearFilters}>
              Clear filters
            </Button>
          }
        >
          No {noun} match these filters.
        </StatePanel>
      );
    case 'reversed-days':
      return (
        <StatePanel
          icon={IconCalendarX}
          tone="warning"
          title="The start day is after the end day"
          action={<Button onClick={list.swapDays}>Swap the days</Button>}
        >
          No {noun} can be in this range. Swap the days, or choose others above.
        </StatePanel>
      );
    case 'past-end':
      return (
        <StatePanel
          icon={IconPageBreak}
          title="This page is past the end"
          action={
            <Button variant="default" onClick={() => list.goTo({ page: 1 })}>
              Go to the first page
            </Button>
          }
        >
          There are fewer {noun} now than when this address was saved.
        </StatePanel>
      );
    case 'failed':
      return (
        <LoadFailure title={`The ${noun} could not be loaded`} isRunning={list.isLoading} onRetry={list.reload}>
          {list.failure}
        </LoadFailure>
      );
    default:
      return (
        <StatePanel icon={IconLock} tone="warning" title="No access">
          Your account may not see the {noun}. Ask an administrator for the permission.
        </StatePanel>
      );
  }
}

/** Says that the rows are old because the last reload failed. */
export function StaleAlert({ list }: { list: Pick<ListState<unknown, unknown>, 'failure' | 'reload' | 'isLoading'> }) {
  return <StaleNotice what="rows" why={list.failure ?? ''} isRunning={list.isLoading} onRetry={list.reload} />;
}
