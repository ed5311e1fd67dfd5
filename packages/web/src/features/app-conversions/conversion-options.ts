import { conversionStatuses, listConversionKinds, listConversionStatuses } from '@switchyard/contract/conversions';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../shared/api/call.ts';
import { listKey } from '../../shared/listing/list-key.ts';
import type { PickOption } from '../../shared/ui/pick-options.tsx';

/** What conversions may be filtered by, as fields pick from it. */
export type ConversionOptions = { kinds: readonly PickOption<string>[]; statuses: readonly PickOption<string>[] };

type Option = { name: string; uid: string };

/** Until the server has answered, only what every server knows can be picked. */
const noKinds: readonly Option[] = [];
const knownStatuses: readonly Option[] = conversionStatuses.map((status) => ({ name: status, uid: status }));

/** Asks which kinds and statuses of conversions there are (CONV-004, CONV-005); read again with the list of the given name. */
export function useConversionOptions(listName: string): ConversionOptions {
  const kinds = useQuery({ queryKey: [...listKey(listName), 'kinds'], queryFn: ({ signal }) => call(listConversionKinds, { signal }) });
  const statuses = useQuery({
    queryKey: [...listKey(listName), 'statuses'],
    queryFn: ({ signal }) => call(listConversionStatuses, { signal }),
  });
  return useMemo(
    () => ({ kinds: toPick(kinds.data?.data ?? noKinds), statuses: toPick(statuses.data?.data ?? knownStatuses) }),
    [kinds.data, statuses.data],
  );
}

function toPick(options: readonly Option[]): PickOption<string>[] {
  return options.map(({ uid, name }) => ({ value: uid, name }));
}
