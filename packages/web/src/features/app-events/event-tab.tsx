import { formatDateTime, fromDate } from '@switchyard/contract/dates';
import { countPostbacks, listPostbacks, postbacksQuery } from '@switchyard/contract/postbacks';
import { streamPostbacks } from '@switchyard/contract/request-streams';
import type { RequestRow } from '@switchyard/contract/requests';
import { useCallback, useMemo, useState } from 'react';
import { z } from 'zod';
import { call, open as openStream } from '../../shared/api/call.ts';
import { ColumnMenu } from '../../shared/listing/column-menu.tsx';
import { ListContent } from '../../shared/listing/list-content.tsx';
import { useFilterDraft } from '../../shared/listing/use-filter-draft.ts';
import { useListTable } from '../../shared/listing/use-list-table.ts';
import { useList } from '../../shared/listing/use-list.ts';
import { useOpenRow } from '../../shared/listing/use-open-row.ts';
import { localSettings } from '../../shared/local-settings.ts';
import { correctedClock } from '../../shared/time/corrected-clock.ts';
import { displayDate, displayPreciseDate } from '../../shared/time/display-date.ts';
import { useServerOffset } from '../../shared/time/server-time.ts';
import { RequestsOverTime } from '../../shared/traffic/histogram/requests-over-time.tsx';
import { LiveToggle } from '../../shared/traffic/live/live-toggle.tsx';
import { NewRowsButton } from '../../shared/traffic/live/new-rows-button.tsx';
import { useHeldWhile } from '../../shared/traffic/live/use-held-while.ts';
import { followerShows, useLiveRequests } from '../../shared/traffic/live/use-live-requests.ts';
import { requestChips } from '../../shared/traffic/request-chips.ts';
import { RequestPanel } from '../../shared/traffic/request-panel.tsx';
import { useForgottenStartDate, useStoredStartDate } from '../../shared/traffic/use-stored-start-date.ts';
import { eventColumns } from './event-columns.tsx';
import { EventDownload } from './event-download.tsx';
import { EventFilters } from './event-filters.tsx';
import { useEventOptions } from './event-options.tsx';

type Props = { app: { id: number } };

const rowId = (row: RequestRow): number => row.id;
const preciseDates = localSettings.json('precise_dates', z.boolean());

/** Requests of one app (EVT-001 to EVT-038); a start date kept on this device is put into effect first (AMB-128). */
export function EventTab({ app }: Props) {
  return useStoredStartDate(postbacksQuery) ? <Events appId={app.id} /> : null;
}

function Events({ appId }: { appId: number }) {
  const read = useList({
    name: `postbacks-${appId}`,
    schema: postbacksQuery,
    load: (query, signal) => call(listPostbacks, { params: { id: appId }, query, signal }),
  });
  const live = useLiveRequests({
    list: read,
    open: ({ page: _page, limit: _limit, orderBy: _orderBy, orderDirection: _direction, ...filters }, { lastEventId, signal }) =>
      openStream(streamPostbacks, { params: { id: appId }, query: { ...filters, lastEventId }, signal, showsFailureItself: followerShows }),
  });
  const { list } = live;
  const draft = useFilterDraft(list);
  const options = useEventOptions(list.name, appId);
  const offset = useServerOffset();
  const [isPrecise, setPrecise] = useState(() => preciseDates.get() ?? false);
  const { sort } = list.arrangement;
  const opened = useOpenRow({
    rows: list.rows,
    rowId,
    closesOn: `${list.fingerprint} ${sort?.orderBy ?? ''} ${sort?.orderDirection ?? ''}`,
  });
  const { open } = opened;
  useHeldWhile(live, opened.row !== undefined);
  const dateOf = useCallback(
    (row: RequestRow) => (isPrecise ? displayPreciseDate(row.concatenated_date, offset) : displayDate(row.date, offset)),
    [isPrecise, offset],
  );
  const columns = useMemo(() => eventColumns({ dateOf, isPrecise, onShow: open }), [dateOf, isPrecise, open]);
  const table = useListTable({ name: 'postbacks', columns, rows: list.rows, rowId });
  const streamName = (uid: string): string => options.streams.find(({ value }) => value === uid)?.name ?? uid;
  const chips = requestChips(list.query, offset, streamName);
  useForgottenStartDate(list.query.startDate);

  // Nothing is deleted: from now on the older rows are left out of the lists of requests (AMB-127).
  const clearPrevious = (): void => {
    const startDate = formatDateTime(fromDate(correctedClock.now()));
    localSettings.startDate.set(startDate);
    list.change({ startDate, endDate: undefined });
  };
  const showPrecise = (next: boolean): void => {
    setPrecise(next);
    preciseDates.set(next);
  };

  return (
    <ListContent
      list={list}
      table={table}
      noun="requests"
      filters={
        <EventFilters
          draft={draft}
          options={options}
          activeCount={chips.length}
          onRefresh={list.reload}
          onClearPrevious={clearPrevious}
          isPrecise={isPrecise}
          onPrecise={showPrecise}
          tools={
            <>
              <LiveToggle live={live} />
              <EventDownload appId={appId} draft={draft} />
            </>
          }
          columns={<ColumnMenu list={table} />}
        />
      }
      chips={chips}
      onRemoveChip={(chip) => list.change(chip.removal)}
      onClearChips={draft.clear}
      above={
        <RequestsOverTime
          listName={list.name}
          filters={list.query}
          load={(input) => call(countPostbacks, { params: { id: appId }, ...input })}
          onNarrow={list.change}
        />
      }
      overRows={<NewRowsButton live={live} />}
      gapAbove={live.gapAbove}
      onOpen={opened.open}
      openRow={opened.row}
      panel={opened.row !== undefined && <RequestPanel key="panel" request={opened.row} onClose={opened.close} onStep={opened.step} />}
      empty={{ title: 'No requests yet', text: 'Requests of this app appear here as soon as traffic servers report them.' }}
    />
  );
}
