import { listPickServers } from '@switchyard/contract/pick-lists';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call, inBackground } from '../api/call.ts';
import { useHoldsAny } from '../session/use-session.ts';
import type { OptionSource } from '../ui/option-source.ts';
import type { PickOption } from '../ui/pick-options.tsx';
import { manyFilter } from './filter-fields.tsx';
import { chipsOfMany, type Filter } from './filter.ts';

/** Values that can be picked from; undefined for readers who may not. */
export type OptionList = { list: readonly PickOption<string>[] | undefined; retry: (() => void) | undefined };

/** The traffic servers to pick from, if the reader may. */
export function useServerOptions(queryKey: readonly string[]): OptionList {
  const mayPick = useHoldsAny(...listPickServers.access.anyOf);
  const { data, isError, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(listPickServers, { signal, ...inBackground }),
    enabled: mayPick,
  });
  const list = useMemo(() => (data?.data ?? []).map(({ id, name }) => ({ value: String(id), name })), [data]);
  return useMemo(
    () => ({ list: mayPick ? list : undefined, retry: isError ? () => void refetch() : undefined }),
    [mayPick, list, isError, refetch],
  );
}

type Input = {
  /** Undefined for readers who may not pick from them, who get no field. */
  options: readonly PickOption<string>[] | OptionSource | undefined;
  retry?: (() => void) | undefined;
  nameOf: (id: string) => string;
};

/** A filter by apps, buyers or servers. */
export function optionFilter(label: string, { options, retry, nameOf }: Input, width = 116): Filter<string[] | undefined> {
  if (options === undefined) return { chips: (ids) => chipsOfMany(label, ids, nameOf) };
  return manyFilter({ label, width, options, onRetry: retry, nameOf });
}
