import { countryName } from '@switchyard/contract/countries';
import { anyBot, botLabels, noValue, type RequestFilters, type RequestType } from '@switchyard/contract/requests';
import type { ReactNode } from 'react';
import { dayFilters } from '../shared/listing/day-filters.tsx';
import { FilterSwitch, manyFilter, searchFilter } from '../shared/listing/filter-fields.tsx';
import { chipsOfMany, type Filter, type Filters } from '../shared/listing/filter.ts';
import { CountryFlag } from '../shared/countries/country-flag.tsx';
import { asnText } from './asn-text.ts';
import { filteredTypeName } from './request-type-label.tsx';
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
function exclusionFilter<Value extends string>(
  name: string,
  nameOf: (value: Value) => string = (value) => value,
): Filter<Value[] | undefined> {
  return { chips: (values) => chipsOfMany(`Not ${name}`, values, nameOf) };
}

const bots: readonly PickOption<string>[] = [
  ...Object.keys(botLabels).map((label) => ({ value: label, name: label })),
  { value: anyBot, name: 'Any bot' },
  { value: noValue, name: 'No label' },
];

function botName(label: string): string {
  if (label === anyBot) return 'any bot';
  return label === noValue ? 'no label' : label;
}

function nameIn(options: readonly PickOption<string>[] = []) {
  return (value: string): string => options.find((option) => option.value === value)?.name ?? value;
}

/** A country of a filter in words. */
export function filteredCountryName(code: string): string {
  return code === noValue ? 'No country' : countryName(code);
}

const noCountry: PickOption<string> = { value: noValue, name: 'No country', icon: <CountryFlag code={null} isDecorative /> };
const noStream: PickOption<string> = { value: noValue, name: 'No stream' };

/** Countries to pick from, and that there is none. */
export function withNoCountry(countries: readonly PickOption<string>[]): readonly PickOption<string>[] {
  return [...countries, noCountry];
}

/** The filters by stream, with chips alone. */
export function streamChips(nameOfUid: (uid: string) => string): Pick<Filters<RequestFilters>, 'streamUid' | 'streamUidNot'> {
  const nameOf = (uid: string): string => (uid === noValue ? noStream.name : nameOfUid(uid));
  return { streamUid: { chips: (uids) => chipsOfMany('Stream', uids, nameOf) }, streamUidNot: exclusionFilter('Stream', nameOf) };
}

/** The filters that lists of requests share. */
export function requestFilters(input: Input): Filters<RequestFilters> {
  const { offset, types, countries, streams, onRetry, searchEnd } = input;
  const stream = streamChips(nameIn(streams));
  return {
    search: searchFilter({ placeholder: 'search by client uid or ip', maxLength: 100, end: searchEnd }),
    clientId: { chips: (value) => [{ name: 'Client', value }] },
    type: manyFilter({ label: 'Type', width: 116, options: types, nameOf: filteredTypeName }),
    geo: manyFilter({ label: 'Geo', width: 124, options: withNoCountry(countries), onRetry, nameOf: filteredCountryName }),
    streamUid:
      streams === undefined ? stream.streamUid : manyFilter({ label: 'Stream', width: 136, options: [...streams, noStream], onRetry }),
    bot: manyFilter({ label: 'Bot', width: 104, options: bots, nameOf: botName }),
    typeNot: exclusionFilter<RequestType>('Type', filteredTypeName),
    geoNot: exclusionFilter('Geo', filteredCountryName),
    streamUidNot: stream.streamUidNot,
    botNot: exclusionFilter('Bot', botName),
    ipNot: exclusionFilter('IP'),
    asn: { chips: (codes) => chipsOfMany('ASN', codes, (code) => asnText(code)) },
    asnNot: exclusionFilter('ASN', asnText),
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
    // Last, so that the time presets are beside them.
    ...dayFilters(offset),
  };
}
