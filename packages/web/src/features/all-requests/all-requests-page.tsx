import { allRequestsQuery, countAllRequests, listAllRequests } from '@switchyard/contract/all-requests';
import { streamAllRequests } from '@switchyard/contract/request-streams';
import type { RequestRow } from '@switchyard/contract/requests';
import { useMemo } from 'react';
import { call, open as openStream } from '../../shared/api/call.ts';
import { ColumnMenu } from '../../shared/listing/column-menu.tsx';
import { ListPage } from '../../shared/listing/list-page.tsx';
import type { RowMark } from '../../shared/listing/list-row.tsx';
import { useFilterDraft } from '../../shared/listing/use-filter-draft.ts';
import { useListTable } from '../../shared/listing/use-list-table.ts';
import { useList } from '../../shared/listing/use-list.ts';
import { useOpenRow } from '../../shared/listing/use-open-row.ts';
import { useDisplayDate, useServerOffset } from '../../shared/time/server-time.ts';
import { RequestsOverTime } from '../../shared/traffic/histogram/requests-over-time.tsx';
import { LiveToggle } from '../../shared/traffic/live/live-toggle.tsx';
import { useHeldWhile } from '../../shared/traffic/live/use-held-while.ts';
import { NewRowsButton } from '../../shared/traffic/live/new-rows-button.tsx';
import { followerShows, useLiveRequests } from '../../shared/traffic/live/use-live-requests.ts';
import { requestChips } from '../../shared/traffic/request-chips.ts';
import { RequestPanel } from '../../shared/traffic/request-panel.tsx';
import { useForgottenStartDate, useStoredStartDate } from '../../shared/traffic/use-stored-start-date.ts';
import { requestsColumns } from './requests-columns.tsx';
import { RequestsFilters } from './requests-filters.tsx';
import { RequestsDownload } from './requests-tools.tsx';

const sameAddress: RowMark = { tone: 'accent', meaning: 'Same IP as the opened request' };
const rowId = (row: RequestRow): number => row.id;

/** Requests of all apps (REQ-001 to REQ-034); a start date kept on this device is put into effect first (REQ-032). */
export function AllRequestsPage() {
  return useStoredStartDate(allRequestsQuery) ? <AllRequests /> : null;
}

function AllRequests() {
  const read = useList({
    name: 'all-requests',
    schema: allRequestsQuery,
    load: (query, signal) => call(listAllRequests, { query, signal }),
  });
  const live = useLiveRequests({
    list: read,
    open: ({ cursor: _cursor, limit: _limit, orderBy: _orderBy, orderDirection: _direction, ...filters }, { lastEventId, signal }) =>
      openStream(streamAllRequests, { query: { ...filters, lastEventId }, signal, showsFailureItself: followerShows }),
  });
  const { list } = live;
  const draft = useFilterDraft(list);
  const offset = useServerOffset();
  const displayDate = useDisplayDate();
  const { sort } = list.arrangement;
  const opened = useOpenRow({
    rows: list.rows,
    rowId,
    closesOn: `${list.fingerprint} ${sort?.orderBy ?? ''} ${sort?.orderDirection ?? ''}`,
  });
  const { open } = opened;
  useHeldWhile(live, opened.row !== undefined);
  const columns = useMemo(() => requestsColumns({ displayDate, onShow: open }), [displayDate, open]);
  const table = useListTable({ name: list.name, columns, rows: list.rows, rowId });
  const chips = requestChips(list.query, offset);
  const openIp = opened.row?.ip;

  useForgottenStartDate(list.query.startDate);

  return (
    <ListPage
      list={list}
      table={table}
      noun="requests"
      filters={
        <RequestsFilters
          draft={draft}
          activeCount={chips.length}
          onRefresh={list.reload}
          tools={
            <>
              <LiveToggle live={live} />
              <RequestsDownload draft={draft} />
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
          load={(input) => call(countAllRequests, input)}
          onNarrow={list.change}
        />
      }
      overRows={<NewRowsButton live={live} />}
      gapAbove={live.gapAbove}
      markOf={(row) => (row.ip === openIp ? sameAddress : undefined)}
      onOpen={(row) => {
        if (row.has_body || opened.row !== undefined) opened.open(row);
      }}
      openRow={opened.row}
      panel={opened.row !== undefined && <RequestPanel key="panel" request={opened.row} onClose={opened.close} onStep={opened.step} />}
      empty={{ title: 'No requests yet', text: 'Requests appear here as soon as traffic servers report them.' }}
    />
  );
}
