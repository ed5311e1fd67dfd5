import { listPickApps } from '@switchyard/contract/pick-lists';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call, inBackground } from '../../shared/api/call.ts';
import { loadOrRefresh } from '../../shared/api/refresh.ts';
import { listKey } from '../../shared/listing/list-key.ts';
import { useHoldsAny } from '../../shared/session/use-session.ts';
import type { PickOption } from '../../shared/ui/pick-options.tsx';

/** The apps to filter requests by. */
export type AppOptions = {
  /** Undefined for readers who may not pick from the apps. */
  apps: readonly PickOption<string>[] | undefined;
  /** Loads them again; set when that has failed. */
  retry: (() => void) | undefined;
};

/** Loads the apps that the reader may pick from; reloaded with the list of the given name. */
export function useAppOptions(listName: string): AppOptions {
  const mayPick = useHoldsAny(...listPickApps.access.anyOf);
  const { data, isError, refetch } = useQuery({
    queryKey: [...listKey(listName), 'apps'],
    queryFn: (context) => loadOrRefresh(context, (signal) => call(listPickApps, { signal, ...inBackground })),
    enabled: mayPick,
  });
  const apps = useMemo(() => (data?.data ?? []).map(({ id, label }) => ({ value: String(id), name: label })), [data]);
  return { apps: mayPick ? apps : undefined, retry: isError ? () => void refetch() : undefined };
}
