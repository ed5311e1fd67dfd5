import { Button } from '@mantine/core';
import { logTexts } from '@switchyard/contract/log-viewer';
import { IconInbox, IconListSearch } from '@tabler/icons-react';
import { ListState } from '../../shared/listing/list-states.tsx';
import { StatePanel } from '../../shared/ui/state-panel.tsx';
import classes from './log-day.module.css';
import type { LogEntries } from './use-log-day.ts';

/** What stands for the entries while there are none (LOG-027). */
export function EntriesState({ list }: { list: LogEntries }) {
  const { view } = list;
  if (view === 'rows' || view === 'loading') return null;
  const isSearched = list.more?.day.search_stopped === undefined;
  return (
    <div className={classes['state']}>
      {view === 'empty' || view === 'nothing-found' ? (
        <Empty list={list} isSearched={isSearched} />
      ) : (
        <ListState view={view} list={list} noun="entries" empty={{ title: logTexts.empty, text: '' }} />
      )}
    </div>
  );
}

function Empty({ list: { query, change, reload }, isSearched }: { list: LogEntries; isSearched: boolean }) {
  const { level, query: term } = query;
  // Before the end of the file nobody can say that it holds nothing.
  if (!isSearched) {
    return (
      <StatePanel icon={IconListSearch} title="Nothing found so far">
        The search has not come to the end of this file yet.
      </StatePanel>
    );
  }
  const everything = level === 'all' && term === undefined;
  return (
    <StatePanel
      icon={IconInbox}
      title={logTexts.empty}
      action={
        everything ? (
          <Button variant="default" onClick={reload}>
            Read again
          </Button>
        ) : (
          <Button variant="default" onClick={() => change({ level: 'all', query: undefined })}>
            Show every entry
          </Button>
        )
      }
    >
      {everything ? 'Nothing has been written to this file.' : reasonOf(level, term)}
    </StatePanel>
  );
}

function reasonOf(level: string, term: string | undefined): string {
  const entries = level === 'all' ? 'No entry' : `No ${level} entry`;
  return term === undefined ? `${entries} stands in this file.` : `${entries} of this file contains “${term}”.`;
}
