import { conversionStatuses, listConversionKinds, listConversionStatuses } from '@switchyard/contract/conversions';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call, inBackground } from '../../shared/api/call.ts';
import { listKey } from '../../shared/listing/list-key.ts';
import type { PickOption } from '../../shared/ui/pick-options.tsx';

/** The options of the filters of conversions. */
export type ConversionOptions = {
  kinds: readonly PickOption<string>[];
  statuses: readonly PickOption<string>[];
  /** Load the options of a field again; set when that has failed. */
  retryKinds: (() => void) | undefined;
  retryStatuses: (() => void) | undefined;
};

type Option = { name: string; uid: string };

/** Until the server has answered, only the statuses that always exist can be picked. */
const noKinds: readonly Option[] = [];
const knownStatuses: readonly Option[] = conversionStatuses.map((status) => ({ name: status, uid: status }));

/** Loads the kinds and statuses of conversions; reloaded with the list of the given name. */
export function useConversionOptions(listName: string): ConversionOptions {
  const kinds = useQuery({
    queryKey: [...listKey(listName), 'kinds'],
    queryFn: ({ signal }) => call(listConversionKinds, { signal, ...inBackground }),
  });
  const statuses = useQuery({
    queryKey: [...listKey(listName), 'statuses'],
    queryFn: ({ signal }) => call(listConversionStatuses, { signal, ...inBackground }),
  });
  const options = useMemo(
    () => ({ kinds: toPick(kinds.data?.data ?? noKinds), statuses: toPick(statuses.data?.data ?? knownStatuses) }),
    [kinds.data, statuses.data],
  );
  return {
    ...options,
    retryKinds: kinds.isError ? () => void kinds.refetch() : undefined,
    retryStatuses: statuses.isError ? () => void statuses.refetch() : undefined,
  };
}

function toPick(options: readonly Option[]): PickOption<string>[] {
  return options.map(({ uid, name }) => ({ value: uid, name }));
}
