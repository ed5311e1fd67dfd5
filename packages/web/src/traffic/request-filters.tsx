import { countryName } from '@switchyard/contract/countries';
import type { RequestFilters, RequestType } from '@switchyard/contract/requests';
import type { ReactNode } from 'react';
import { dayFilters, FilterSwitch, manyFilter, searchFilter } from '../shared/listing/filter-fields.tsx';
import { chipsOfMany, type Filters } from '../shared/listing/filter.ts';
import type { PickOption } from '../shared/ui/pick-options.tsx';

type Input = {
  /** The server's offset `+HH:MM`, in which days are shown. */
  offset: string;
  types: readonly PickOption<RequestType>[];
  countries: readonly PickOption<string>[];
  /** Streams to pick from; without them the list has a chip for streams but no field. */
  streams?: readonly PickOption<string>[];
  /** Set when countries and streams could not be loaded: loads them again. */
  onRetry?: (() => void) | undefined;
  /** A button at the end of the search, and the pixels it needs. */
  searchEnd?: { button: (search: (text: string) => void) => ReactNode; width: number } | undefined;
};

/** The filters that lists of requests share. */
export function requestFilters({ offset, types, countries, streams, onRetry, searchEnd }: Input): Filters<RequestFilters> {
  return {
    search: searchFilter({ placeholder: 'search by client uid or ip', maxLength: 100, end: searchEnd }),
    clientId: { chips: (value) => [{ name: 'Client', value }] },
    type: manyFilter({ label: 'Type', width: 116, options: types }),
    geo: manyFilter({ label: 'Geo', width: 124, options: countries, onRetry, nameOf: countryName }),
    streamUid:
      streams === undefined
        ? { chips: (uids) => chipsOfMany('Stream', uids, (uid) => uid) }
        : manyFilter({ label: 'Stream', width: 136, options: streams, onRetry }),
    ...dayFilters(offset),
    emptyPostbacksDomain: {
      field: ({ value, onChange }) => (
        <FilterSwitch
          label="Empty App"
          title="Only requests with an empty postbacks domain"
          isOn={value === true}
          onChange={(isOn) => onChange(isOn ? true : undefined)}
        />
      ),
      chips: (isOn) => (isOn ? [{ name: 'App', value: 'empty' }] : []),
    },
  };
}
