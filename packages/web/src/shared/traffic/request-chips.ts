import { countryName } from '@switchyard/contract/countries';
import type { RequestFilters, RequestType } from '@switchyard/contract/requests';
import { manyChips, oneChip, type FilterChip } from '../listing/filter-chip.ts';
import { displayDay } from '../time/filter-day.ts';

/**
 * The filters of a list of requests that are in effect; a start date kept on this device is one of them (O17). Days are
 * shown in the server's offset, streams by the name that `streamName` knows.
 */
export function requestChips(
  query: RequestFilters,
  offset: string,
  streamName: (uid: string) => string = (uid) => uid,
): FilterChip<RequestFilters>[] {
  return [
    ...oneChip<RequestFilters>('Search', query.search, { search: undefined }),
    ...oneChip<RequestFilters>('Client', query.clientId, { clientId: undefined }),
    ...manyChips<RequestFilters, RequestType>('Type', query.type, (type) => ({ type })),
    ...manyChips<RequestFilters, string>('Geo', query.geo, (geo) => ({ geo }), countryName),
    ...manyChips<RequestFilters, string>('Stream', query.streamUid, (streamUid) => ({ streamUid }), streamName),
    ...oneChip<RequestFilters>('From', displayDay(query.startDate, offset), { startDate: undefined }),
    ...oneChip<RequestFilters>('Until', displayDay(query.endDate, offset), { endDate: undefined }),
    ...oneChip<RequestFilters>('App', query.emptyPostbacksDomain === true ? 'empty' : undefined, { emptyPostbacksDomain: undefined }),
  ];
}
