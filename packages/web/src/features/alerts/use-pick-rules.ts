import { listPickRules } from '@switchyard/contract/alerts';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call, inBackground } from '../../shared/api/call.ts';
import { listKey } from '../../shared/listing/list-key.ts';
import type { PickOption } from '../../shared/ui/pick-options.tsx';

/** All rules that the reader may see, to pick from. */
export function usePickRules(): readonly PickOption<string>[] {
  const { data } = useQuery({
    queryKey: [...listKey('alert-rules'), 'names'],
    queryFn: ({ signal }) => call(listPickRules, { signal, ...inBackground }),
  });
  return useMemo(() => (data?.data ?? []).map(({ id, name }) => ({ value: String(id), name })), [data]);
}
