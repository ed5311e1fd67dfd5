import { holdsAny } from '@switchyard/contract/permissions';
import { type Report, type ReportGroup, type ReportGrouping, reportQuery } from '@switchyard/contract/reports';
import { changeListQuery } from '../../shared/listing/list-query.ts';
import { type AppTab, paths } from '../../shared/paths.ts';
import { stringifySearch } from '../../shared/search-codec.ts';
import type { ValueFilters } from '../../traffic/value-actions.ts';
import type { ValueLink } from '../../traffic/value-menu.tsx';
import { daysOf } from './report-days.ts';
import type { ReportPageQuery } from './use-report.ts';

/** Which filters of a report find the values of its groups. */
export const reportValues: ValueFilters<ReportPageQuery> = {
  app: { only: 'appId' },
  vertical: { only: 'vertical' },
  buyer: { only: 'buyerId' },
  country: { only: 'geo', not: 'geoNot' },
  stream: { only: 'streamUid', not: 'streamUidNot' },
  type: { only: 'type', not: 'typeNot' },
};

type Place = {
  query: ReportPageQuery;
  report: Pick<Report, 'group_by' | 'from' | 'to'>;
  /** Permissions of the reader. */
  held: readonly string[];
};

type Filters = Pick<ReportPageQuery, 'appId' | 'geo' | 'geoNot' | 'streamUid' | 'streamUidNot' | 'type' | 'typeNot'> & {
  startDate: string;
  endDate: string;
};

/**
 * The filters that find in a list of requests what a group counts, or the whole report without one; null where lists lack a
 * filter: they know no verticals, buyers, servers and hours of day, and nothing without a country or stream.
 */
function filtersOf({ query, report }: Place, keys: ReportGroup['keys']): Filters | null {
  if (query.vertical !== undefined || query.buyerId !== undefined) return null;
  const { appId, geo, geoNot, streamUid, streamUidNot, type, typeNot } = query;
  const found: Filters = { appId, geo, geoNot, streamUid, streamUidNot, type, typeNot, startDate: report.from, endDate: report.to };
  for (const [at, { value }] of keys.entries()) {
    const grouping = report.group_by[at];
    const narrowed = grouping === undefined ? null : narrow(grouping, value, { from: found.startDate, to: found.endDate });
    if (narrowed === null) return null;
    Object.assign(found, narrowed);
  }
  return found;
}

function narrow(grouping: ReportGrouping, value: string, days: { from: string; to: string }): Partial<Filters> | null {
  const span = daysOf(grouping, value, days);
  if (span !== null) return { startDate: span.from, endDate: span.to };
  // Several values are separated by commas, so one that contains them cannot be sent.
  const parameter = reportValues[grouping]?.only;
  if (parameter === undefined || value === '' || /,|^\s|\s$/.test(value)) return null;
  if (parameter === 'vertical' || parameter === 'buyerId') return null;
  return { [parameter]: [value] };
}

/** The lists that show what a group counts, as far as the reader may open them; without keys those of the whole report. */
export function listLinks(place: Place, keys: ReportGroup['keys'] = []): ValueLink[] {
  const filters = filtersOf(place, keys);
  if (filters === null) return [];
  const may = (...permissions: Parameters<typeof holdsAny>[1]): boolean => holdsAny(place.held, permissions);
  const { appId, ...others } = filters;
  const [only, ...more] = appId ?? [];
  const { geo, geoNot, streamUid, streamUidNot, type, typeNot, startDate, endDate } = others;
  const app = only !== undefined && more.length === 0 && may('manager_app_edit') ? Number(only) : null;
  const tab = (name: AppTab, parameters: Record<string, unknown>): string =>
    `${paths.appEdit(app ?? 0, name)}&${stringifySearch(parameters).slice(1)}`;
  const isPlain = app !== null && [geo, geoNot, type, typeNot, streamUid, streamUidNot].every((values) => values === undefined);
  return [
    ...(may('manager_app_all_requests') ? [{ label: 'Show in All Requests', path: paths.requests() + stringifySearch(filters) }] : []),
    ...(app !== null && may('manager_app_requests') ? [{ label: 'Show in events of the app', path: tab('Event', others) }] : []),
    ...(isPlain && may('manager_app_pushes') ? [{ label: 'Show pushes', path: tab('Push', { startDate, endDate }) }] : []),
    ...(isPlain && may('manager_app_conversions') ? [{ label: 'Show conversions', path: tab('Conversion', { startDate, endDate }) }] : []),
  ];
}

/** The report of the days that a key stands for; null for keys that are no days. `search` is the query of the page. */
export function narrowLink(
  search: string,
  { report }: Pick<Place, 'report'>,
  key: { grouping: ReportGrouping; value: string },
): ValueLink | null {
  const days = daysOf(key.grouping, key.value, report);
  if (days === null || (days.from === report.from && days.to === report.to)) return null;
  const patch = { startDate: days.from, endDate: days.to, days: undefined };
  return {
    label: `Filter for this ${key.grouping}`,
    path: paths.reports() + stringifySearch(changeListQuery(reportQuery, search, patch)),
    isFilter: true,
  };
}
