import { listPostbackFilters, typeFilterOptions, type PostbackFilters } from '@switchyard/contract/postbacks';
import { requestTypes, type RequestType } from '@switchyard/contract/requests';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call, inBackground } from '../../shared/api/call.ts';
import { listKey } from '../../shared/listing/list-key.ts';
import { CountryFlag } from '../../shared/countries/country-flag.tsx';
import { typeOptions } from '../request-type-label.tsx';
import type { PickOption } from '../../shared/ui/pick-options.tsx';

/** The options of the filters of an app's requests. */
export type RequestOptions = {
  types: readonly PickOption<RequestType>[];
  countries: readonly PickOption<string>[];
  streams: readonly PickOption<string>[];
  /** The reader's own address as the server sees it; absent until it is known. */
  ip: string | undefined;
  /** Loads the options again; set when that has failed. */
  retry: (() => void) | undefined;
};

const nothingSeen: PostbackFilters = { type: typeFilterOptions, geo: [], streamUid: [], ip: '' };

/** Loads the options of the filters of an app's requests; reloaded with the list of the given name. */
export function useRequestOptions(listName: string, appId: number): RequestOptions {
  const { data, isError, refetch } = useQuery({
    queryKey: [...listKey(listName), 'options'],
    queryFn: ({ signal }) => call(listPostbackFilters, { params: { id: appId }, signal, ...inBackground }),
  });
  const options = useMemo(() => readOptions(data?.data ?? nothingSeen), [data]);
  return { ...options, retry: isError ? () => void refetch() : undefined };
}

function readOptions({ type, geo, streamUid, ip }: PostbackFilters): Omit<RequestOptions, 'retry'> {
  const offeredUids = new Set(type.map(({ uid }) => uid));
  return {
    types: typeOptions(requestTypes.filter((requestType) => offeredUids.has(requestType))),
    countries: geo.map(({ uid, name }) => ({ value: uid, name, icon: <CountryFlag code={uid} isDecorative /> })),
    streams: streamUid.map(({ uid, name }) => ({ value: uid, name })),
    ip: ip === '' ? undefined : ip,
  };
}
