import { Button, Skeleton, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { type RequestHistogram, requestTypes, type RequestFilters } from '@switchyard/contract/requests';
import { IconChevronDown } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { z } from 'zod';
import { listKey } from '../../shared/listing/list-key.ts';
import { localSettings } from '../../shared/local-settings.ts';
import { useServerOffset } from '../../shared/time/server-time.ts';
import { groupedNumber } from '../../shared/ui/text-format.ts';
import { typeColour } from '../request-type-label.tsx';
import { HistogramChart } from './histogram-chart.tsx';
import { countedText, countsOf, countsText, narrowedRange, spanText, totalOf, type Counts, type Span } from './histogram-view.ts';
import classes from './histogram.module.css';

const isOpenSetting = localSettings.json('histogram_open', z.boolean());

/** What the call of a histogram gets; the chart shows every failure but the end of the session itself. */
export type CountInput = { query: RequestFilters; signal: AbortSignal; showsFailureItself: (status: number | null) => boolean };

type Props = {
  /** The list's name: reading the list again reads the chart again. */
  listName: string;
  filters: RequestFilters;
  load: (input: CountInput) => Promise<{ data: RequestHistogram }>;
  /** Changes the filters of the list to the chosen time. */
  onNarrow: (range: { startDate: string; endDate: string }) => void;
};

/**
 * How many requests match a list's filters over time, by type; without dates, those of the last 24 hours. It loads beside
 * the list without delaying it, and can be collapsed.
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
  // An old chart would not match the rows below it.
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

type LegendProps = {
  counts: Counts;
  /** The counts of the whole chart; they reserve the width, so that nothing moves while a part is marked. */
  most: Counts;
};

/** Each type in its colour with how many requests are of it. */
function TypeLegend({ counts, most }: LegendProps) {
  return (
    <ul className={classes['legend']} aria-label="Requests by type">
      {requestTypes.map((type) => (
        <li key={type} className={classes['entry']} data-none={counts[type] === 0 || undefined}>
          <span className={classes['swatch']} style={{ background: typeColour(type) }} aria-hidden />
          {type}{' '}
          <span className={classes['count']} style={{ minWidth: `${groupedNumber(most[type]).length}ch` }}>
            {groupedNumber(counts[type])}
          </span>
        </li>
      ))}
    </ul>
  );
}
