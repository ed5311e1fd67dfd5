import { Button, Skeleton, UnstyledButton, VisuallyHidden } from '@mantine/core';
import type { RequestHistogram } from '@switchyard/contract/request-histogram';
import type { RequestFilters } from '@switchyard/contract/requests';
import { IconChevronDown } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { z } from 'zod';
import { listKey } from '../../listing/list-key.ts';
import { localSettings } from '../../local-settings.ts';
import { useServerOffset } from '../../time/server-time.ts';
import { groupedNumber } from '../counter-text.ts';
import { HistogramChart } from './histogram-chart.tsx';
import { countedText, countsOf, countsText, narrowedRange, spanText, totalOf, type Span } from './histogram-view.ts';
import classes from './histogram.module.css';
import { TypeLegend } from './type-legend.tsx';

const isOpenSetting = localSettings.json('histogram_open', z.boolean());

/** What a histogram's call is given; the chart shows failures itself, but for the end of the session. */
type LoadInput = { query: RequestFilters; signal: AbortSignal; showsFailureItself: (status: number | null) => boolean };

type Props = {
  /** The list's name: reading the list again reads the chart again. */
  listName: string;
  filters: RequestFilters;
  load: (input: LoadInput) => Promise<{ data: RequestHistogram }>;
  /** Changes the filters of the list to the chosen time. */
  onNarrow: (range: { startDate: string; endDate: string }) => void;
};

/**
 * How many requests fit a list's filters over time, by type (api [27], [36]); without dates, those of the last 24 hours.
 * It loads beside the list and never holds it up, and can be folded away.
 */
export function RequestsOverTime({ listName, filters, load, onNarrow }: Props) {
  const [isOpen, setOpen] = useState(() => isOpenSetting.get() ?? true);
  const body = useId();
  const toggle = (): void => {
    setOpen(!isOpen);
    isOpenSetting.set(!isOpen);
  };
  return (
    <section className={classes['panel']} aria-label="Requests over time" data-screen-only>
      <UnstyledButton className={classes['toggle'] ?? ''} aria-expanded={isOpen} aria-controls={body} onClick={toggle}>
        <IconChevronDown size={14} aria-hidden /> Requests over time
      </UnstyledButton>
      <div id={body} className={classes['body']}>
        {isOpen && <LoadedChart listName={listName} filters={filters} load={load} onNarrow={onNarrow} />}
      </div>
    </section>
  );
}

function LoadedChart({ listName, filters, load, onNarrow }: Props) {
  const query = requestFiltersOf(filters);
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: [...listKey(listName), 'histogram', query],
    queryFn: ({ signal }) => load({ query, signal, showsFailureItself: (status) => status !== 401 }),
    placeholderData: keepPreviousData,
  });
  // An old chart must not stand above rows that it does not count.
  if (error !== null) {
    return (
      <output className={classes['message']}>
        <span>The requests could not be counted: {error.message}</span>
        <Button size="compact-xs" variant="default" loading={isFetching} onClick={() => void refetch()}>
          Try again
        </Button>
      </output>
    );
  }
  if (data === undefined) return <Skeleton height={104} aria-label="Counting requests" />;
  return <CountedChart histogram={data.data} isOld={isPlaceholderData} endDate={filters.endDate} onNarrow={onNarrow} />;
}

type CountedProps = Pick<Props, 'onNarrow'> & { histogram: RequestHistogram; isOld: boolean; endDate: string | undefined };

function CountedChart({ histogram, isOld, endDate, onNarrow }: CountedProps) {
  const offset = useServerOffset();
  const [marked, setMarked] = useState<Span | null>(null);
  const [announcement, setAnnouncement] = useState('');
  const { buckets } = histogram;
  const span = marked !== null && marked.last < buckets.length ? marked : null;
  const whole = countsOf(histogram, { first: 0, last: buckets.length - 1 });
  const counts = span === null ? whole : countsOf(histogram, span);
  const total = totalOf(counts);
  const choose = (chosen: Span): void => {
    if (isOld) return;
    onNarrow(narrowedRange(histogram, chosen, endDate));
    setAnnouncement(`Narrowed to ${spanText(histogram, chosen, offset)}, ${countsText(countsOf(histogram, chosen))}`);
  };
  return (
    <>
      <div className={classes['head']}>
        <span className={classes['range']} data-marked={span !== null || undefined}>
          {span === null ? countedText(histogram, offset) : spanText(histogram, span, offset)}
          <b>{total === 1 ? '1 request' : `${groupedNumber(total)} requests`}</b>
        </span>
        <TypeLegend counts={counts} most={whole} />
      </div>
      <HistogramChart histogram={histogram} offset={offset} onChoose={choose} onMark={setMarked} />
      <VisuallyHidden component="output">{announcement}</VisuallyHidden>
    </>
  );
}

/** The filters alone, whatever else the query of a list holds. */
function requestFiltersOf(query: RequestFilters): RequestFilters {
  const { search, clientId, type, geo, streamUid, startDate, endDate, emptyPostbacksDomain } = query;
  return { search, clientId, type, geo, streamUid, startDate, endDate, emptyPostbacksDomain };
}
