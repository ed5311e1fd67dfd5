import { Switch } from '@mantine/core';
import type { RequestFilters, RequestType } from '@switchyard/contract/requests';
import { DayFilters } from './day-filters.tsx';
import type { PickOption } from '../ui/pick-options.tsx';
import { PickMany } from '../ui/pick-many.tsx';

type Values = Pick<RequestFilters, 'type' | 'geo' | 'streamUid' | 'startDate' | 'endDate' | 'emptyPostbacksDomain'>;

type Props = {
  values: Values;
  set: (patch: Values) => void;
  types: readonly PickOption<RequestType>[];
  countries: readonly PickOption<string>[];
  /** Streams to pick from, where the list offers that. */
  streams?: readonly PickOption<string>[];
};

/** The filters of a list of requests besides its search (EVT-004 to EVT-010, REQ-004 to REQ-008). */
export function RequestFilterFields({ values, set, types, countries, streams }: Props) {
  return (
    <>
      <PickMany label="Type" width={116} options={types} value={values.type ?? []} onChange={(type) => set({ type: none(type) })} />
      <PickMany label="Geo" width={124} options={countries} value={values.geo ?? []} onChange={(geo) => set({ geo: none(geo) })} />
      {streams !== undefined && (
        <PickMany
          label="Stream"
          width={136}
          options={streams}
          value={values.streamUid ?? []}
          onChange={(streamUid) => set({ streamUid: none(streamUid) })}
        />
      )}
      <DayFilters values={values} set={set} />
      <Switch
        label="Empty App"
        size="sm"
        h={32}
        checked={values.emptyPostbacksDomain === true}
        onChange={(event) => set({ emptyPostbacksDomain: event.currentTarget.checked ? true : undefined })}
        title="Only requests with an empty postbacks domain"
        styles={{ body: { height: '100%', alignItems: 'center' } }}
      />
    </>
  );
}

function none<Value>(values: Value[]): Value[] | undefined {
  return values.length === 0 ? undefined : values;
}
