import { VisuallyHidden } from '@mantine/core';
import { useEffect, useEffectEvent, useMemo, type ReactNode } from 'react';
import type { Filters } from '../../shared/listing/filter.ts';
import type { ListColumn } from '../../shared/listing/list-column.ts';
import type { ListSchema } from '../../shared/listing/list-query.ts';
import { List } from '../../shared/listing/list.tsx';
import { RefreshButton } from '../../shared/listing/refresh-button.tsx';
import { useList } from '../../shared/listing/use-list.ts';
import { useOpenRow } from '../../shared/listing/use-open-row.ts';
import type { FilterDraft } from '../../shared/listing/use-filter-draft.ts';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { DownloadButton } from '../../traffic/download-button.tsx';
import { LiveToggle } from '../../traffic/live/live-toggle.tsx';
import { NewRowsButton } from '../../traffic/live/new-rows-button.tsx';
import { EntryPanel } from './entry-panel.tsx';
import classes from './subjects.module.css';
import { nothingSeen, type Subject, type TimelineQuery } from './subject.ts';
import { entriesOf, type Entry, type TimelineInfo } from './timeline-entry.ts';
import { useLiveTimeline } from './use-live-timeline.ts';
import { useNewerPages } from './use-newer-pages.ts';

type Props<Query extends TimelineQuery> = {
  subject: Subject;
  schema: ListSchema<Query>;
  filters: Filters<Query>;
  columns: (input: { displayDate: (text: string) => string; show: (entry: Entry) => void }) => ListColumn<Entry>[];
};

const entryId = ({ id }: Entry): string => id;

/** Timeline of a client or an address, newest first, with new entries on top while the reader wants them. */
export function Timeline<Query extends TimelineQuery>({ subject, schema, filters, columns: columnsOf }: Props<Query>) {
  const displayDate = useDisplayDate();
  const loadedList = useList<Query, Entry, TimelineInfo>({
    name: subject.name,
    schema,
    rowId: entryId,
    load: async (query, signal) => {
      const { data, pagination } = await subject.list(query, { signal });
      return { data: entriesOf(data.rows), pagination, newest: data.newest, logs_searched_to: data.logs_searched_to };
    },
  });
  const live = useLiveTimeline(useNewerPages(loadedList), subject);
  const { list } = live;
  const openRow = useOpenRow(list);
  const { open, close, step, row } = openRow;
  const columns = useMemo(() => columnsOf({ displayDate, show: open }), [columnsOf, displayDate, open]);

  // Content that the reader has open in the panel must not move.
  const isOpen = row !== undefined;
  const hold = useEffectEvent(live.hold);
  useEffect(() => hold('panel', isOpen), [isOpen]);

  const logsTo = list.more?.logs_searched_to ?? null;
  return (
    <section aria-label="Timeline">
      <VisuallyHidden component="h2">Timeline</VisuallyHidden>
      <List
        list={list}
        noun="entries"
        settingsName={`${subject.noun}-timeline`}
        columns={columns}
        filters={filters}
        isClearable={false}
        tools={(draft) => timelineTools({ live, draft, subject })}
        above={
          logsTo !== null && (
            <output className={classes['note']}>The app log was searched back to {logsTo} only. The next page continues.</output>
          )
        }
        overRows={<NewRowsButton live={live} />}
        openedRow={openRow}
        opensOnClick
        panel={row !== undefined && <EntryPanel row={row} onClose={close} onStep={step} />}
        empty={{
          title: nothingSeen(subject.noun),
          text: 'Its requests may be past the retention period, or belong to apps that you may not see.',
        }}
      />
    </section>
  );
}

type Tools<Query> = { live: ReturnType<typeof useLiveTimeline>; draft: FilterDraft<Query>; subject: Subject };

function timelineTools<Query extends TimelineQuery>({ live, draft, subject }: Tools<Query>): ReactNode {
  return (
    <>
      <LiveToggle live={live} />
      <DownloadButton name={subject.name} draft={draft} download={subject.download} />
      <RefreshButton onRefresh={live.list.reload} />
    </>
  );
}
