import { listPostbackFilters, typeFilterOptions, type PostbackFilters } from '@switchyard/contract/postbacks';
import { requestTypes, type RequestType } from '@switchyard/contract/requests';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../shared/api/call.ts';
import { listKey } from '../../shared/listing/list-key.ts';
import { CountryFlag } from '../../shared/traffic/country-flag.tsx';
import { typeOptions } from '../../shared/traffic/request-type-label.tsx';
import type { PickOption } from '../../shared/ui/pick-options.tsx';

/** What the requests of an app may be filtered by, as fields pick from it: shown by name, sent by uid (EVT-007). */
export type EventOptions = {
  types: readonly PickOption<RequestType>[];
  countries: readonly PickOption<string>[];
  streams: readonly PickOption<string>[];
  /** The reader's own address as the server sees it; absent until it is known. */
  ip: string | undefined;
};

const nothingSeen: PostbackFilters = { type: typeFilterOptions, geo: [], streamUid: [], ip: '' };

/** Asks what an app's requests may be filtered by (EVT-016); read again with the list of the given name. */
export function useEventOptions(listName: string, appId: number): EventOptions {
  const { data } = useQuery({
    queryKey: [...listKey(listName), 'options'],
    queryFn: ({ signal }) => call(listPostbackFilters, { params: { id: appId }, signal }),
  });
  return useMemo(() => readOptions(data?.data ?? nothingSeen), [data]);
}

function readOptions({ type, geo, streamUid, ip }: PostbackFilters): EventOptions {
  const offered = new Set(type.map(({ uid }) => uid));
  return {
    types: typeOptions(requestTypes.filter((known) => offered.has(known))),
    countries: geo.map(({ uid, name }) => ({ value: uid, name, icon: <CountryFlag code={uid} isDecorative /> })),
    streams: streamUid.map(({ uid, name }) => ({ value: uid, name })),
    ip: ip === '' ? undefined : ip,
  };
}
