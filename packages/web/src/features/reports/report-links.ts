import { dayRange, formatMicroseconds } from '@switchyard/contract/dates';
import { holdsAny } from '@switchyard/contract/permissions';
import { readKindMeasure } from '@switchyard/contract/kind-measures';
import {
  countedMeasuresOf,
  type Report,
  type ReportGroup,
  type ReportGrouping,
  reportQuery,
  type ReportSubject,
  subjectOf,
  typeOfMeasure,
} from '@switchyard/contract/reports';
import { requestTypes, type RequestType } from '@switchyard/contract/requests';
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
  asn: { only: 'asn', not: 'asnNot' },
  type: { only: 'type', not: 'typeNot' },
  server: { only: 'serverId' },
  conversion: { only: 'statusConversion', not: 'statusConversionNot' },
};

type Place = {
  query: ReportPageQuery;
  /** The server's offset, in which hours begin. */
  offset: string;
  report: Pick<Report, 'group_by' | 'from' | 'to'>;
  /** Permissions of the reader. */
  permissions: readonly string[];
};

type Filters = Pick<
  ReportPageQuery,
  | 'appId'
  | 'geo'
  | 'geoNot'
  | 'streamUid'
  | 'streamUidNot'
  | 'asn'
  | 'asnNot'
  | 'search'
  | 'bot'
  | 'botNot'
  | 'ipNot'
  | 'type'
  | 'typeNot'
  | 'statusConversion'
  | 'statusConversionNot'
> & { startDate: string; endDate: string };

/**
 * The filters that find in a list of requests what a group counts of the given types, or the whole report without keys; null where lists
 * lack a filter: they know no verticals, buyers, servers, further filters and hours of day, and those of deliveries no hours.
 */
function filtersOf(
  { query, report, offset }: Place,
  keys: ReportGroup['keys'],
  countedTypes: readonly RequestType[] | null,
): Filters | null {
  if ([query.vertical, query.buyerId, query.serverId, query.within].some((values) => values !== undefined)) return null;
  const { appId, geo, geoNot, streamUid, streamUidNot, asn, asnNot, search, bot, botNot, ipNot, type, typeNot } = query;
  const { statusConversion, statusConversionNot } = query;
  const days = { startDate: report.from, endDate: report.to };
  const lists = {
    appId,
    geo,
    geoNot,
    streamUid,
    streamUidNot,
    asn,
    asnNot,
    search,
    bot,
    botNot,
    ipNot,
    type,
    typeNot,
    statusConversion,
    statusConversionNot,
  };
  const reportFilters: Filters = { ...lists, ...days };
  const groups = keys.map((key, at) => ({ ...key, grouping: report.group_by[at] }));
  // An hour lies in the days of the other group.
  for (const { value, merged, grouping } of groups.toSorted((a, b) => Number(isHour(a)) - Number(isHour(b)))) {
    if (grouping === undefined || merged !== undefined) return null;
    const narrowedFilters =
      grouping === 'type'
        ? narrowTypes(reportFilters, [value])
        : isHour({ grouping })
          ? hourOf(value, offset)
          : narrow(grouping, value, { from: reportFilters.startDate, to: reportFilters.endDate });
    if (narrowedFilters === null) return null;
    Object.assign(reportFilters, narrowedFilters);
  }
  const narrowedFilters = countedTypes === null ? {} : narrowTypes(reportFilters, countedTypes);
  return narrowedFilters && { ...reportFilters, ...narrowedFilters };
}

/**
 * The filters that leave requests of these types. In lists the type error also finds requests of other types with an error, which are
 * counted under their own; it is found alone without these.
 */
function narrowTypes({ type, typeNot }: Filters, types: readonly string[]): Pick<Filters, 'type' | 'typeNot'> | null {
  const knownTypes = requestTypes.filter((one) => types.includes(one));
  if (knownTypes.length === 0 || (type !== undefined && knownTypes.some((one) => !type.includes(one)))) return null;
  if (!knownTypes.includes('error')) return { type: knownTypes, typeNot };
  const others = requestTypes.filter((one) => !knownTypes.includes(one));
  return { type: knownTypes, typeNot: [...new Set([...(typeNot ?? []), ...others])] };
}

/** The types that the request measures of a report count, if each counts one type; null if one counts all types, or successes only. */
function typesOf(measures: ReturnType<typeof countedMeasuresOf>): RequestType[] | null {
  const ofRequests = measures.filter((measure) => subjectOf(measure) === 'requests');
  const types = requestTypes.filter((type) => ofRequests.some((measure) => typeOfMeasure(measure) === type));
  return types.length > 0 && ofRequests.every((measure) => typeOfMeasure(measure) !== null) ? types : null;
}

/** The list that shows exactly what a column counts of a group; null where there is none. */
export function valueLink(place: Place, keys: ReportGroup['keys'], column: string): string | null {
  if (column === 'pushes') return deliveryLink(place, keys, 'Push')[0]?.path ?? null;
  const ofKind = readKindMeasure(column);
  if (ofKind?.name === 'conversions_of') return deliveryLink(place, keys, 'Conversion', { statusConversion: ofKind.kind })[0]?.path ?? null;
  const conversions = /^conversions(?::(.+)|_(success))?$/.exec(column);
  if (conversions !== null) {
    return deliveryLink(place, keys, 'Conversion', { status: conversions[1] ?? conversions[2] })[0]?.path ?? null;
  }
  const type = requestTypes.find((one) => one === column);
  if (column !== 'requests' && type === undefined) return null;
  const filters = filtersOf(place, keys, type === undefined ? null : [type]);
  return requestLinks(place, filters)[0]?.path ?? null;
}

function isHour({ grouping }: { grouping: ReportGrouping | undefined }): boolean {
  return grouping === 'date_hour';
}

const hour = 3_600_000_000;

/** The filters of an hour `YYYY-MM-DD HH`. */
function hourOf(key: string, offset: string): Partial<Filters> {
  const [day = '', ofDay] = key.split(' ');
  const from = dayRange(day, offset).from + Number(ofDay) * hour;
  return { startDate: formatMicroseconds(from), endDate: formatMicroseconds(from + hour - 1) };
}

function narrow(grouping: ReportGrouping, value: string, days: { from: string; to: string }): Partial<Filters> | null {
  const span = daysOf(grouping, value, days);
  if (span !== null) return { startDate: span.from, endDate: span.to };
  const parameter = reportValues[grouping === 'status_conversion' ? 'conversion' : grouping]?.only;
  if (parameter === undefined || value === '') return null;
  if (parameter === 'vertical' || parameter === 'buyerId' || parameter === 'serverId') return null;
  return { [parameter]: [value] };
}

/** The lists that show what the measures count of a group, as far as the reader may open them; without keys those of the whole report. */
export function listLinks(place: Place, keys: ReportGroup['keys'] = []): ValueLink[] {
  const measures = countedMeasuresOf(place.query);
  const counts = (subject: ReportSubject): boolean => measures.some((measure) => subjectOf(measure) === subject);
  return [
    ...(counts('requests') ? requestLinks(place, filtersOf(place, keys, typesOf(measures))) : []),
    ...(counts('pushes') ? deliveryLink(place, keys, 'Push') : []),
    ...(counts('conversions') ? deliveryLink(place, keys, 'Conversion') : []),
  ];
}

function requestLinks({ permissions }: Place, filters: Filters | null): ValueLink[] {
  if (filters === null || (filters.statusConversion ?? filters.statusConversionNot) !== undefined) return [];
  const { appId: _appId, ...others } = filters;
  const app = holdsAny(permissions, ['manager_app_requests']) ? editedApp(permissions, filters) : null;
  return [
    ...(holdsAny(permissions, ['manager_app_all_requests'])
      ? [{ label: 'Show in All Requests', path: paths.requests() + stringifySearch(filters) }]
      : []),
    ...(app === null ? [] : [{ label: 'Show in events of the app', path: tabPath(app, 'Event', others) }]),
  ];
}

const deliveries = {
  Push: { label: 'Show pushes', permission: 'manager_app_pushes' },
  Conversion: { label: 'Show conversions', permission: 'manager_app_conversions' },
} as const;

/** The tab of an app with a group's pushes or conversions. Of the filters of a report these lists have days, places and a kind. */
function deliveryLink(
  place: Place,
  keys: ReportGroup['keys'],
  tab: keyof typeof deliveries,
  ownFilters: { status?: string | undefined; statusConversion?: string | undefined } = {},
): ValueLink[] {
  const { permissions, report } = place;
  const { label, permission } = deliveries[tab];
  const filters = keys.some((_, at) => isHour({ grouping: report.group_by[at] })) ? null : filtersOf(place, keys, null);
  if (filters === null || !holdsAny(permissions, [permission])) return [];
  const { appId: _appId, startDate, endDate, geo, geoNot, asn, asnNot, bot, botNot, statusConversion, ...others } = filters;
  // The list of conversions has one kind at a time, that of pushes none.
  const kinds = ownFilters.statusConversion === undefined ? (statusConversion ?? []) : [ownFilters.statusConversion];
  const isListed = kinds.length <= (tab === 'Conversion' ? 1 : 0) && Object.values(others).every((values) => values === undefined);
  const app = isListed ? editedApp(permissions, filters) : null;
  return app === null
    ? []
    : [
        {
          label,
          path: tabPath(app, tab, { ...ownFilters, statusConversion: kinds[0], startDate, endDate, geo, geoNot, asn, asnNot, bot, botNot }),
        },
      ];
}

/** The only app that filters leave, if the reader may open its page. */
function editedApp(permissions: readonly string[], { appId: [only, ...more] = [] }: Filters): number | null {
  return only !== undefined && more.length === 0 && holdsAny(permissions, ['manager_app_edit']) ? Number(only) : null;
}

function tabPath(app: number, tab: AppTab, parameters: Record<string, unknown>): string {
  return `${paths.appEdit(app, tab)}&${stringifySearch(parameters).slice(1)}`;
}

/** The report of the days of a key; null for keys that are no days. `search` is the query of the page. */
export function narrowLink(
  search: string,
  { report }: Pick<Place, 'report'>,
  key: { grouping: ReportGrouping; value: string },
): ValueLink | null {
  const days = daysOf(key.grouping, key.value, report);
  if (days === null || (days.from === report.from && days.to === report.to)) return null;
  const patch = { startDate: days.from, endDate: days.to, days: undefined, period: undefined };
  return {
    label: `Filter for this ${key.grouping === 'date_hour' ? 'day' : key.grouping}`,
    path: paths.reports() + stringifySearch(changeListQuery(reportQuery, search, patch)),
    isFilter: true,
  };
}
