import { getRevisionTraffic, type RevisionTraffic } from '@switchyard/contract/marks';
import type { Revision } from '@switchyard/contract/history';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call, inBackground } from '../../shared/api/call.ts';
import type { ListColumn } from '../../shared/listing/list-column.ts';
import { RowLink } from '../../shared/navigation.tsx';
import { paths } from '../../shared/paths.ts';
import { Fact } from '../../shared/ui/fact.tsx';
import { groupedNumber } from '../../shared/ui/text-format.ts';

/** Traffic around the revisions of an app, by the id of the revision; undefined: it is not loaded, or could not be. */
export type TrafficByRevision = ReadonlyMap<number, RevisionTraffic> | undefined;

/** Loads the traffic around the shown revisions of an app, beside their list; null for other entities. */
export function useRevisionTraffic(appId: number | null, revisions: readonly Revision[]): TrafficByRevision {
  const ids = revisions.map(({ id }) => id);
  const { data } = useQuery({
    queryKey: ['revision-traffic', appId, ids],
    queryFn: ({ signal }) => call(getRevisionTraffic, { params: { id: appId ?? 0 }, query: { revision: ids }, signal, ...inBackground }),
    enabled: appId !== null && ids.length > 0,
    retry: false,
  });
  return useMemo(() => data && new Map(data.data.map((traffic) => [traffic.id, traffic])), [data]);
}

type Compared = RevisionTraffic['requests'];

/** The change from before to after: `+12.5%`; without traffic before, there is no percentage. */
function changeText(compared: NonNullable<Compared>): string {
  const { before, after } = compared;
  if (before === after) return 'unchanged';
  if (before === 0) return 'new';
  const percent = ((after - before) / before) * 100;
  const shown = Math.abs(percent) >= 100 ? Math.round(percent).toLocaleString('en-US') : percent.toFixed(1);
  return `${percent > 0 ? '+' : ''}${shown.replace('-', '−')}%`;
}

/** The compared time in words. */
function hoursText(hours: number): string {
  if (hours === 0) return 'Too recent: no whole hour has passed since the change.';
  return hours === 24
    ? '24 hours after the hour of the change, compared with the 24 hours before it'
    : `${hours === 1 ? '1 hour' : `${hours} hours`} after the hour of the change, compared with the same ${hours === 1 ? 'hour' : 'hours'} of the day before`;
}

/** The columns with the change of an app's requests around each of its revisions, and with the bulk changes that made some of them. */
export function trafficColumns(traffic: TrafficByRevision): ListColumn<Revision>[] {
  const runs: ListColumn<Revision> = {
    id: 'run',
    cellName: 'Bulk change',
    width: 110,
    isFixed: true,
    cell: ({ id }) => <RunLink run={traffic?.get(id)?.run ?? null} />,
  };
  const requests: ListColumn<Revision> = {
    id: 'traffic',
    cellName: 'Requests after',
    tooltip: 'Requests in the 24 hours after the change, or as many whole hours as have passed, against the same hours before it',
    width: 200,
    minWidth: 130,
    isMain: true,
    cell: ({ id }) => {
      const found = traffic?.get(id);
      if (found === undefined) return '';
      if (found.hours === 0) return <span title={hoursText(0)}>Too recent</span>;
      if (found.requests === null) return '-';
      const { before, after } = found.requests;
      return (
        <span className="tabular" title={hoursText(found.hours)}>
          {changeText(found.requests)} <span className="caption">{`${groupedNumber(before)} → ${groupedNumber(after)} requests`}</span>
        </span>
      );
    },
  };
  const hasRuns = [...(traffic?.values() ?? [])].some(({ run }) => run !== null);
  return hasRuns ? [runs, requests] : [requests];
}

function RunLink({ run }: { run: RevisionTraffic['run'] }) {
  if (run === null) return '-';
  return run.is_own ? <RowLink href={paths.bulkRunOfApps(run.id)}>{`#${run.id}`}</RowLink> : `#${run.id}`;
}

/** The traffic around a revision, and the bulk change that made it. */
export function TrafficFacts({ traffic }: { traffic: RevisionTraffic | undefined }) {
  if (traffic === undefined) return null;
  const { requests, conversions, hours, run } = traffic;
  return (
    <>
      {run !== null && (
        <Fact name="Bulk change">
          <RunLink run={run} />
        </Fact>
      )}
      {requests !== null && <Fact name="Requests">{comparedText(requests)}</Fact>}
      {conversions !== null && <Fact name="Conversions">{comparedText(conversions)}</Fact>}
      {(requests !== null || conversions !== null || hours === 0) && <Fact name="Compared">{hoursText(hours)}</Fact>}
    </>
  );
}

function comparedText(compared: NonNullable<Compared>): string {
  return `${groupedNumber(compared.before)} before, ${groupedNumber(compared.after)} after (${changeText(compared)})`;
}
