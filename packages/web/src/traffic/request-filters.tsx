import { countryName } from '@switchyard/contract/countries';
import { noBotLabel, type RequestFilters, type RequestType } from '@switchyard/contract/requests';
import type { ReactNode } from 'react';
import { dayFilters, FilterSwitch, manyFilter, searchFilter } from '../shared/listing/filter-fields.tsx';
import { chipsOfMany, type Filter, type Filters } from '../shared/listing/filter.ts';
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

/** A filter that cells and links set: what it names is left out. */
function excluded<Value extends string>(name: string, nameOf: (value: Value) => string = (value) => value): Filter<Value[] | undefined> {
  return { chips: (values) => chipsOfMany(`Not ${name}`, values, nameOf) };
}

function botName(label: string): string {
  return label === noBotLabel ? 'no label' : label;
}

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
    typeNot: excluded('Type'),
    geoNot: excluded('Geo', countryName),
    streamUidNot: excluded('Stream'),
    bot: { chips: (labels) => chipsOfMany('Bot', labels, botName) },
    botNot: excluded('Bot', botName),
    ipNot: excluded('IP'),
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
