import { Button, Skeleton } from '@mantine/core';
import { alertKinds, type Incident } from '@switchyard/contract/alerts';
import { getIncidentValues, type IncidentValues } from '@switchyard/contract/incident-lists';
import { parseDateTime } from '@switchyard/contract/dates';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { amountText } from '../../shared/alerts/alert-words.ts';
import { call, inBackground } from '../../shared/api/call.ts';
import { Chart } from '../../shared/charts/chart.tsx';
import type { Span } from '../../shared/charts/use-span-choice.ts';
import type { ChartData } from '../../shared/charts/chart-data.ts';
import { listKey } from '../../shared/listing/list-key.ts';
import { MarksMenu } from '../../shared/marks/chart-marks.tsx';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { RetryNote } from '../../shared/ui/retry.tsx';
import classes from './incidents.module.css';
import { valuesChart, type Stretch } from './values-chart.ts';

const hour = 3_600_000_000;

/** The value of an incident over time with the threshold of its rule; nothing for kinds of which only the current value is known. */
export function IncidentChart({ incident }: { incident: Incident }) {
  const { id, rule } = incident;
  const hasPast = 'fromRollups' in alertKinds[rule.kind] && incident.app !== null;
  const displayDate = useDisplayDate();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [...listKey('incidents'), 'values', id],
    queryFn: ({ signal }) => call(getIncidentValues, { params: { id }, signal, ...inBackground }),
    enabled: hasPast,
  });
  const points = data?.data.points;
  const [zoom, setZoom] = useState<Zoom>(null);
  const chart = useMemo(() => {
    if (points === undefined) return null;
    return incidentChart({ incident, points, displayDate, zoom });
  }, [incident, points, displayDate, zoom]);
  const zoomTo = ({ first, last }: Span): void => {
    const starts = (points ?? []).filter(({ at }) => zoom === null || (at >= zoom.from && at <= zoom.to)).map(({ at }) => at);
    setZoom({ from: starts[first] ?? '', to: starts[last] ?? '' });
  };
  const appId = incident.app?.id;
  const markSubjects = appId === undefined ? {} : { appIds: [appId] };
  if (!hasPast) return null;
  return (
    <section className={classes['wideCard']} aria-labelledby="incident-value">
      <div className={classes['headingRow']}>
        <h2 id="incident-value" className={classes['heading']}>
          Value
        </h2>
        {chart?.axis !== undefined && <MarksMenu axis={chart.axis} subjects={markSubjects} />}
        {zoom !== null && (
          <Button size="compact-xs" variant="default" onClick={() => setZoom(null)}>
            Show all hours
          </Button>
        )}
      </div>
      {error !== null && points === undefined && (
        <RetryNote isRunning={isFetching} onRetry={refetch}>
          The values could not be loaded. {error.message}
        </RetryNote>
      )}
      {error === null && points === undefined && (
        <Skeleton component="output" display="block" height={228} radius="md" aria-label="Loading the values" />
      )}
      {chart !== null && (
        <Chart data={chart} format={(value) => amountText(rule.kind, value)} markSubjects={markSubjects} onZoom={zoomTo}>
          The facts above have the newest value and when the incident began.
        </Chart>
      )}
      {points !== undefined && chart === null && <p className="note">There are no hourly values of this time.</p>}
    </section>
  );
}

/** The first and the last hour that are shown: values that arrive later do not move them. */
type Zoom = { from: string; to: string } | null;

type Input = { incident: Incident; points: IncidentValues['points']; displayDate: (text: string) => string; zoom: Zoom };

/** The values as a chart with the threshold, and the time in which the incident was open; null with fewer than two values. */
export function incidentChart({ incident, points: all, displayDate, zoom }: Input): ChartData | null {
  const points = zoom === null ? all : all.filter(({ at }) => at >= zoom.from && at <= zoom.to);
  const { rule, threshold, started_at: from, resolved_at: until } = incident;
  if (points.filter(({ value }) => value !== null).length < 2) return null;
  // Dates of one form compare as texts. An incident begins in the hour after the value that began it.
  const began = all.findLast(({ at }) => at <= from)?.at ?? '';
  const begin = points.findIndex(({ at }) => at >= began);
  const first = begin === -1 ? points.length : begin;
  const last = until === null ? points.length - 1 : points.findLastIndex(({ at }) => at <= until);
  const stretches: Stretch[] = last < first ? [] : [[first, last]];
  const starts = points.map(({ at }) => parseDateTime(at));
  const axis = { starts, until: (starts.at(-1) ?? 0) + hour };
  return { ...valuesChart({ kind: rule.kind, threshold, points, stretches, displayDate, period: 'by hour' }), axis };
}
