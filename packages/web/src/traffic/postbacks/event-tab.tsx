import { formatDateTime, fromDate } from '@switchyard/contract/dates';
import { countPostbacks, listPostbacks, postbacksQuery, type PostbacksQuery } from '@switchyard/contract/postbacks';
import { downloadPostbacks } from '@switchyard/contract/request-exports';
import { streamPostbacks } from '@switchyard/contract/request-streams';
import type { RequestRow } from '@switchyard/contract/requests';
import { appTopFields, topOfPostbacks } from '@switchyard/contract/top-values';
import { Button, Checkbox } from '@mantine/core';
import { IconEraser } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { z } from 'zod';
import { call, open } from '../../shared/api/call.ts';
import type { ListColumn } from '../../shared/listing/list-column.ts';
import { List } from '../../shared/listing/list.tsx';
import type { ListState } from '../../shared/listing/use-list.ts';
import { usePromptValue } from '../../shared/listing/use-prompt-value.ts';
import { localSettings } from '../../shared/local-settings.ts';
import { correctedClock } from '../../shared/time/corrected-clock.ts';
import { displayPreciseDate } from '../../shared/time/display-date.ts';
import { useServerOffset } from '../../shared/time/server-time.ts';
import { HoverTooltip } from '../../shared/ui/hover-tooltip.tsx';
import { isTransient } from '../live/follow-rows.ts';
import { originOf, requestColumns } from '../request-columns.tsx';
import { requestFilters } from '../request-filters.tsx';
import { requestValues } from '../request-values.ts';
import { RequestList } from '../request-list.tsx';
import { topCalls } from '../top-values/top-calls.ts';
import type { ColumnsInput } from '../traffic-tab.tsx';
import { useRequestOptions } from './request-options.tsx';

const preciseDates = localSettings.json('precise_dates', z.boolean());

/** Requests of one app. */
export function EventTab({ app: { id } }: { app: { id: number } }) {
  const name = `postbacks-${id}`;
  const params = { id };
  const offset = useServerOffset();
  const { types, countries, streams, ip, retry } = useRequestOptions(name, id);
  const [isPrecise, setPrecise] = useState(() => preciseDates.get() ?? false);
  const showPrecise = (next: boolean): void => {
    setPrecise(next);
    preciseDates.set(next);
  };
  return (
    <RequestList
      Frame={List}
      declaration={{
        name,
        settingsName: 'postbacks',
        viewList: 'events',
        noun: 'requests',
        schema: postbacksQuery,
        load: (query, signal, hasOrigin) => call(listPostbacks, { params, query: { ...query, ...originOf(hasOrigin) }, signal }),
        filters: requestFilters({
          offset,
          types,
          countries,
          streams,
          onRetry: retry,
          searchEnd: ownAddressButton(ip),
        }),
        values: requestValues,
        columns: isPrecise ? preciseColumns : columns,
        download: {
          fileName: `app_${id}.csv`,
          open: (query, options) => open(downloadPostbacks, { params, query, ...options }),
          count: async (query, options) =>
            (await call(listPostbacks, { params, query: { ...query, limit: 1 }, ...options })).pagination.total,
        },
        requests: {
          stream: (
            { page: _page, limit: _limit, orderBy: _orderBy, orderDirection: _direction, ...filters },
            { lastEventId, signal, hasOrigin },
          ) =>
            open(streamPostbacks, {
              params,
              query: { ...filters, ...originOf(hasOrigin), lastEventId },
              signal,
              showsFailureItself: isTransient,
            }),
          count: (input) => call(countPostbacks, { params, ...input }),
          appIds: [id],
          top: topCalls(appTopFields, (input) => call(topOfPostbacks, { params, ...input })),
        },
        furtherTools: (list) => requestTools({ isPrecise, showPrecise, clearPrevious: () => clearPrevious(list) }),
        empty: { title: 'No requests yet', text: 'Requests of this app appear here as soon as traffic servers report them.' },
      }}
    />
  );
}

type RequestTools = { isPrecise: boolean; showPrecise: (isPrecise: boolean) => void; clearPrevious: () => void };

function requestTools({ isPrecise, showPrecise, clearPrevious: clear }: RequestTools): ReactNode {
  return (
    <>
      <HoverTooltip label="Before current date">
        <Button variant="default" leftSection={<IconEraser size={16} aria-hidden />} onClick={clear}>
          Clear previous data
        </Button>
      </HoverTooltip>
      <PreciseDates isPrecise={isPrecise} showPrecise={showPrecise} />
    </>
  );
}

function PreciseDates({ isPrecise, showPrecise }: Pick<RequestTools, 'isPrecise' | 'showPrecise'>) {
  const [isChecked, check] = usePromptValue(isPrecise, showPrecise);
  return (
    <Checkbox label="Show date with microseconds" size="xs" checked={isChecked} onChange={(event) => check(event.currentTarget.checked)} />
  );
}

/** Deletes nothing: from now on, lists of requests leave out older rows. */
function clearPrevious(list: ListState<PostbacksQuery, RequestRow>): void {
  const startDate = formatDateTime(fromDate(correctedClock.serverNow()));
  localSettings.startDate.set(startDate);
  list.change({ startDate, endDate: undefined });
}

function columns({ displayDate, show }: ColumnsInput<RequestRow>): ListColumn<RequestRow>[] {
  return tabColumns({ dateOf: (row) => displayDate(row.date), dateWidth: 160, show });
}

function preciseColumns({ offset, show }: ColumnsInput<RequestRow>): ListColumn<RequestRow>[] {
  return tabColumns({ dateOf: (row) => displayPreciseDate(row.concatenated_date, offset), dateWidth: 216, show });
}

type TabColumnsInput = Pick<ColumnsInput<RequestRow>, 'show'> & { dateOf: (row: RequestRow) => string; dateWidth: number };

/** The date alone sorts. */
function tabColumns({ dateOf, dateWidth, show }: TabColumnsInput): ListColumn<RequestRow>[] {
  const { id, ip, bot, stream, date, ...others } = requestColumns({ dateOf, onShow: show });
  return [
    id,
    { ...ip, grows: true },
    { ...bot, cellName: 'Bot labels', width: 104 },
    { ...stream, cellName: 'Stream name' },
    { ...date, width: dateWidth },
    ...Object.values(others),
  ];
}

/** A button in the search that fills it with the reader's own address; until that is known it keeps its place, so that nothing moves. */
function ownAddressButton(ip: string | undefined) {
  const button = (search: (text: string) => void): ReactNode =>
    ip === undefined ? (
      <Button size="compact-xs" variant="subtle" disabled>
        My IP
      </Button>
    ) : (
      <Button size="compact-xs" variant="subtle" title={`Search for your own address ${ip}`} onClick={() => search(ip)}>
        My IP
      </Button>
    );
  return { button, width: 58 };
}
