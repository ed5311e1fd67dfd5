import { Checkbox } from '@mantine/core';
import { conversionsQuery, listConversions, type ConversionsQuery } from '@switchyard/contract/conversions';
import { downloadConversions } from '@switchyard/contract/delivery-exports';
import { call, open } from '../../shared/api/call.ts';
import { dayFilters } from '../../shared/listing/day-filters.tsx';
import { choiceFilter, textFilter } from '../../shared/listing/filter-fields.tsx';
import type { Filter } from '../../shared/listing/filter.ts';
import { useServerOffset } from '../../shared/time/server-time.ts';
import { placeFilters, placeOf, placeValues } from '../place-columns.tsx';
import { TrafficTab } from '../traffic-tab.tsx';
import type { ValueFilters } from '../value-actions.ts';
import { conversionColumns } from './conversion-columns.tsx';
import { useConversionOptions } from './conversion-options.ts';

const values: ValueFilters<ConversionsQuery> = {
  stream: { only: 'streamUid' },
  client: { only: 'clientUid' },
  conversion: { only: 'statusConversion' },
  status: { only: 'status' },
  ...placeValues,
};

/** Longest search text for the two uids. */
const maxLength = 128;

/** Conversions of one app. */
export function ConversionTab({ app: { id, name: appName } }: { app: { id: number; name: string } }) {
  const name = `conversions-${id}`;
  const params = { id };
  const days = dayFilters(useServerOffset());
  const { kinds, statuses, retryKinds, retryStatuses } = useConversionOptions(name);
  return (
    <TrafficTab
      declaration={{
        name,
        settingsName: 'conversions',
        viewList: 'conversions',
        noun: 'conversions',
        schema: conversionsQuery,
        load: (query, signal, hasOrigin) => call(listConversions, { params, query: { ...query, ...placeOf(hasOrigin) }, signal }),
        filters: (rows) => ({
          streamUid: textFilter({ label: 'Stream uid', maxLength }),
          clientUid: textFilter({ label: 'Client uid', width: 132, maxLength }),
          statusConversion: choiceFilter({ label: 'Status conversion', width: 136, options: kinds, onRetry: retryKinds }),
          status: choiceFilter({ label: 'Status', width: 120, options: statuses, onRetry: retryStatuses }),
          ...days,
          isSend: isSendFilter,
          ...placeFilters(rows),
        }),
        values,
        columns: conversionColumns,
        download: {
          fileName: { of: appName, list: 'conversions' },
          open: (query, options) => open(downloadConversions, { params, query: { ...query, place: true }, ...options }),
          count: async (query, options) =>
            (await call(listConversions, { params, query: { ...query, limit: 1 }, ...options })).pagination.total,
        },
        empty: { title: 'No conversions yet', text: 'Conversions of this app appear here as soon as traffic servers report them.' },
      }}
    />
  );
}

/** A checkbox that filters nothing until it is clicked. */
const isSendFilter: Filter<boolean | undefined> = {
  field: ({ value, onChange }) => (
    <Checkbox
      label="Is send"
      title="Not touched: sent or not; checked: only sent; unchecked: only not sent"
      size="sm"
      h={32}
      styles={{ body: { height: '100%', alignItems: 'center' } }}
      indeterminate={value === undefined}
      checked={value === true}
      onChange={() => onChange(value !== true)}
    />
  ),
  chips: (isSent) => [{ name: 'Is send', value: isSent ? 'sent' : 'not sent' }],
};
