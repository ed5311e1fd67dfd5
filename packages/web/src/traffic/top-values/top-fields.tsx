import { noValue, requestTypes } from '@switchyard/contract/requests';
import type { TopField, TopValues } from '@switchyard/contract/top-values';
import type { ReactNode } from 'react';
import { CountryFlag } from '../../shared/countries/country-flag.tsx';
import { filteredCountryName } from '../request-filters.tsx';
import { asnText } from '../asn-text.ts';
import { filteredTypeName, typeOptions } from '../request-type-label.tsx';
import type { ValueKind } from '../value-actions.ts';

/** How a field of the top values is shown. */
type FieldView = {
  title: string;
  /** The kind of its values, by which the list may filter; none where no filter finds them. */
  kind?: ValueKind;
  nameOf: (value: TopValues['values'][number]) => string;
  iconOf?: (value: string) => ReactNode;
};

const typeIcons = new Map<string, ReactNode>(typeOptions(requestTypes).map(({ value, icon }) => [value, icon]));

/** Each field as the panel shows it. */
export const fieldViews: Readonly<Record<TopField, FieldView>> = {
  app: { title: 'App', kind: 'app', nameOf: ({ value, name }) => name ?? `App ${value}` },
  country: {
    title: 'Country',
    kind: 'country',
    nameOf: ({ value }) => filteredCountryName(value),
    iconOf: (value) => <CountryFlag code={value} isDecorative />,
  },
  type: { title: 'Type', kind: 'type', nameOf: ({ value }) => filteredTypeName(value), iconOf: (value) => typeIcons.get(value) },
  stream: { title: 'Stream', kind: 'stream', nameOf: ({ value, name }) => (value === noValue ? 'No stream' : (name ?? value)) },
  bot: { title: 'Bot label', kind: 'bot', nameOf: ({ value }) => (value === noValue ? 'No label' : value) },
  asn: {
    title: 'Autonomous system',
    kind: 'asn',
    nameOf: ({ value, name }) => asnText(value, name),
  },
  error: { title: 'Error', nameOf: ({ value }) => (value === '' ? 'Without a type' : value) },
};
