import type { listPickBuyers, listPickServers } from '@switchyard/contract/pick-lists';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call, inBackground } from '../api/call.ts';
import { useHoldsAny } from '../session/use-session.ts';
import type { PickOption } from '../ui/pick-options.tsx';
import { manyFilter } from './filter-fields.tsx';
import { chipsOfMany, type Filter } from './filter.ts';

/** Values that can be picked from; undefined for readers who may not. */
export type OptionList = { list: readonly PickOption<string>[] | undefined; retry: (() => void) | undefined };

/** The buyers or traffic servers to pick from, if the reader may. */
export function usePickOptions(pickList: typeof listPickBuyers | typeof listPickServers, queryKey: readonly string[]): OptionList {
  const mayPick = useHoldsAny(...pickList.access.anyOf);
  const { data, isError, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<{ data: { id: number; name: string }[] }> => call(pickList, { signal, ...inBackground }),
    enabled: mayPick,
  });
  const list = useMemo(() => (data?.data ?? []).map(({ id, name }) => ({ value: String(id), name })), [data]);
  return useMemo(
    () => ({ list: mayPick ? list : undefined, retry: isError ? () => void refetch() : undefined }),
    [mayPick, list, isError, refetch],
  );
}

/** A filter by apps, buyers or servers; without a field for readers who may not pick from them. */
export function optionFilter(label: string, { list, retry }: OptionList, nameOf: (id: string) => string): Filter<string[] | undefined> {
  if (list === undefined) return { chips: (ids) => chipsOfMany(label, ids, nameOf) };
  return manyFilter({ label, width: 116, options: list, onRetry: retry, nameOf });
}
