import { Skeleton, VisuallyHidden } from '@mantine/core';
import {
  type AllRequestFilters,
  type RequestHistogram,
  type RequestRow,
  requestTypes,
  type RequestType,
  ownTypeName,
} from '@switchyard/contract/requests';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useState, type CSSProperties } from 'react';
import { z } from 'zod';
import { failingInPlace } from '../../shared/api/call.ts';
import { loadOrRefresh } from '../../shared/api/refresh.ts';
import { listKey } from '../../shared/listing/list-key.ts';
import { localSettings } from '../../shared/local-settings.ts';
import type { Span } from '../../shared/charts/use-span-choice.ts';
import { MarksMenu } from '../../shared/marks/chart-marks.tsx';
import { useMarksShown } from '../../shared/marks/use-marks.ts';
import { useServerOffset } from '../../shared/time/server-time.ts';
import { plainClasses } from '../../shared/ui/plain-buttons.ts';
import { groupedNumber } from '../../shared/ui/text-format.ts';
import { CollapsiblePanel } from '../collapsible-panel.tsx';
import type { ArrivedRow } from '../live/live-rows.ts';
import { typeColour } from '../request-type-label.tsx';
import { HistogramChart } from './histogram-chart.tsx';
import {
  axisOf,
  countedText,
  countsOf,
  countsText,
  narrowedRange,
  spanText,
  totalOf,
  withoutTypes,
  withRequests,
  type Counts,
} from './histogram-view.ts';
import classes from './histogram.module.css';
import { RetryButton } from '../../shared/ui/retry.tsx';

const isOpenSetting = localSettings.json('histogram_open', z.boolean());

/** Options of the call of a histogram; the chart shows every failure except the end of the session. */
export type CountInput = {
  query: AllRequestFilters & { range: 'list' };
  signal: AbortSignal;
  showsFailureItself: (status: number | null) => boolean;
};

type Props = {
  /** The list's name: reading the list again reads the chart again. */
  listName: string;
  filters: AllRequestFilters;
  load: (input: CountInput) => Promise<{ data: RequestHistogram }>;
  /** The apps of the list, whose changes are marked; undefined: those of the filters, or all. */
  appIds?: readonly number[] | undefined;
  /** Changes the filters of the list to the chosen time. */
  onNarrow: (range: { startDate: string; endDate: string }) => void;
  /** The requests that have arrived live, and how many. They are added at once, and counted a moment later. */
  live?: Arrivals;
  /** Gets the number of requests that the legend adds up to; null while it shows none, or those of the filters before. */
  onCounted?: (total: number | null) => void;
};

type Arrivals = { readonly arrivedCount: number; readonly arrivals: readonly ArrivedRow<RequestRow>[] };
const noArrivals: Arrivals = { arrivedCount: 0, arrivals: [] };

/** Milliseconds from an arrival to the next count, so that a stream of arrivals is counted once for all of them. */
const recountDelay = 1_000;

/**
 * How many requests match a list's filters over time, by type, in exactly the range of the list: its total is the list's. It
 * loads beside the list without delaying it, and can be collapsed.
 */
export function RequestsOverTime(props: Props) {
  return (
    <CollapsiblePanel title="Requests over time" setting={isOpenSetting} isOpenAtFirst>
      <LoadedChart {...props} />
    </CollapsiblePanel>
  );
}

function LoadedChart({ listName, filters, load, appIds, onNarrow, live = noArrivals, onCounted }: Props) {
  const [hasLane] = useMarksShown();
  const [hiddenTypes, setHiddenTypes] = useState<ReadonlySet<RequestType>>(new Set());
  const query = { ...filters, range: 'list' } as const;
  const { data, dataUpdatedAt, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: [...listKey(listName), 'histogram', query],
    queryFn: (context) => loadOrRefresh(context, (signal) => load({ query, signal, ...failingInPlace })),
    placeholderData: keepPreviousData,
  });
  const { arrivedCount, arrivals } = live;
  useRecount(arrivedCount, isFetching, () => void refetch());
  // A response counts the requests that have arrived before it.
  const [lastCount, setLastCount] = useState({ dataUpdatedAt, arrivedCount });
  if (lastCount.dataUpdatedAt !== dataUpdatedAt || lastCount.arrivedCount > arrivedCount) setLastCount({ dataUpdatedAt, arrivedCount });
  const histogram = useMemo(() => {
    const later = arrivals.filter(({ at }) => at > lastCount.arrivedCount).map(({ row }) => row);
    return data === undefined ? undefined : withRequests(data.data, later);
  }, [data, arrivals, lastCount]);
  const total = histogram === undefined || error !== null || isPlaceholderData ? null : totalOf(wholeOf(histogram));
  const reportTotal = useEffectEvent((countedTotal: number | null) => onCounted?.(countedTotal));
  // Before the browser paints, so that list and legend never show different numbers.
  useLayoutEffect(() => {
    reportTotal(total);
    return () => reportTotal(null);
  }, [total]);
  // An old chart would not match the rows below it.
  if (error !== null) {
    return (
      <output className={classes['message']}>
        <span>The requests could not be counted: {error.message}</span>
        <RetryButton isRunning={isFetching} onRetry={refetch} />
      </output>
    );
  }
  if (histogram === undefined) {
    return (
      <div className={classes['waiting']} data-lane={hasLane || undefined}>
        <Skeleton component="output" display="block" height="100%" aria-label="Counting requests" />
      </div>
    );
  }
  const toggle = (type: RequestType): void => {
    const others = [...hiddenTypes].filter((other) => other !== type);
    setHiddenTypes(new Set(hiddenTypes.has(type) ? others : [...others, type]));
  };
  return (
    <CountedChart
      histogram={histogram}
      endDate={filters.endDate}
      appIds={appIds ?? filters.appId?.map(Number)}
      onNarrow={onNarrow}
      hiddenTypes={hiddenTypes}
      onToggle={toggle}
    />
  );
}

/** Counts again a moment after requests have arrived, one count at a time. */
function useRecount(arrivedCount: number, isCounting: boolean, count: () => void): void {
  const [isDue, setDue] = useState(false);
  const [seenArrivals, setSeenArrivals] = useState(arrivedCount);
  if (seenArrivals !== arrivedCount) {
    setSeenArrivals(arrivedCount);
    if (arrivedCount > 0) setDue(true);
  }
  const start = useEffectEvent(() => {
    setDue(false);
    count();
  });
  useEffect(() => {
    if (!isDue || isCounting) return undefined;
    const timer = setTimeout(() => start(), recountDelay);
    return () => clearTimeout(timer);
  }, [isDue, isCounting]);
}

function wholeOf(histogram: RequestHistogram): Counts {
  return countsOf(histogram, { first: 0, last: histogram.buckets.length - 1 });
}

type CountedProps = Pick<Props, 'onNarrow' | 'appIds'> & {
  histogram: RequestHistogram;
  endDate: string | undefined;
  /** Types that are counted but not drawn. */
  hiddenTypes: ReadonlySet<RequestType>;
  onToggle: (type: RequestType) => void;
};

function CountedChart({ histogram, endDate, appIds, onNarrow, hiddenTypes, onToggle }: CountedProps) {
  const offset = useServerOffset();
  const [markedSpan, setMarkedSpan] = useState<Span | null>(null);
  const [announcement, setAnnouncement] = useState('');
  const { buckets } = histogram;
  const drawnHistogram = useMemo(() => withoutTypes(histogram, hiddenTypes), [histogram, hiddenTypes]);
  const axis = useMemo(() => axisOf(histogram), [histogram]);
  const markSubjects = { appIds };
  const span = markedSpan !== null && markedSpan.last < buckets.length ? markedSpan : null;
  const whole = wholeOf(histogram);
  const counts = span === null ? whole : countsOf(histogram, span);
  const choose = (chosenSpan: Span): void => {
    // Also of the chart of the filters before, while the next is counted: the list gets the time that was chosen.
    onNarrow(narrowedRange(histogram, chosenSpan, endDate));
    setAnnouncement(`Narrowed to ${spanText(histogram, chosenSpan, offset)}, ${countsText(countsOf(histogram, chosenSpan))}`);
  };
  return (
    <>
      <div className={classes['head']}>
        <span className={classes['range']} data-marked={span !== null || undefined}>
          {span === null ? countedText(histogram, offset) : spanText(histogram, span, offset)}
          <b>{totalText(counts, hiddenTypes)}</b>
        </span>
        <MarksMenu axis={axis} subjects={markSubjects} />
        <TypeLegend counts={counts} most={whole} hiddenTypes={hiddenTypes} onToggle={onToggle} />
      </div>
      <HistogramChart
        histogram={drawnHistogram}
        offset={offset}
        axis={axis}
        markSubjects={markSubjects}
        onChoose={choose}
        onMark={setMarkedSpan}
      />
      <VisuallyHidden component="output">{announcement}</VisuallyHidden>
    </>
  );
}

/** `8 requests`; with hidden types `3 of 8 requests`, so that the total still is the list's. */
function totalText(counts: Counts, hiddenTypes: ReadonlySet<RequestType>): string {
  const all = totalOf(counts);
  const total = all === 1 ? '1 request' : `${groupedNumber(all)} requests`;
  const shownCount = requestTypes.reduce((sum, type) => sum + (hiddenTypes.has(type) ? 0 : counts[type]), 0);
  return shownCount === all ? total : `${groupedNumber(shownCount)} of ${total}`;
}

type LegendProps = Pick<CountedProps, 'hiddenTypes' | 'onToggle'> & {
  counts: Counts;
  /** The counts of the whole chart; they reserve the width, so that nothing moves while a part is marked. */
  most: Counts;
};

/** Each type in its colour with how many requests are of it; a press hides it in the chart or shows it again. */
function TypeLegend({ counts, most, hiddenTypes, onToggle }: LegendProps) {
  return (
    <ul className={classes['legend']} aria-label="Requests by type">
      {requestTypes.map((type) => (
        <li key={type}>
          <button
            type="button"
            className={`${plainClasses.unstyled} ${classes['entry'] ?? ''}`}
            data-none={counts[type] === 0 || undefined}
            aria-pressed={!hiddenTypes.has(type)}
            disabled={most[type] === 0 && !hiddenTypes.has(type)}
            title={`${hiddenTypes.has(type) ? 'Show' : 'Hide'} ${ownTypeName(type)} in the chart${type === 'error' ? '. The filter error also finds requests of other types with an error' : ''}`}
            onClick={() => onToggle(type)}
          >
            <span className={classes['swatch']} style={colourStyle(type)} aria-hidden />
            <span className={classes['type']}>{ownTypeName(type)}</span>{' '}
            <span className={classes['count']} style={{ minWidth: `${groupedNumber(most[type]).length}ch` }}>
              {groupedNumber(counts[type])}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function colourStyle(type: RequestType): CSSProperties & Record<'--type', string> {
  return { '--type': typeColour(type) };
}
