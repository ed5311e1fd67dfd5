import { createContext, useContext, useMemo } from 'react';
import { z } from 'zod';
import type { AnyQuery } from '../shared/listing/filter.ts';
import type { ListSchema } from '../shared/listing/list-query.ts';
import { useListChange } from '../shared/listing/use-list.ts';
import { useQueryText } from '../shared/navigation.tsx';
import { valueChanges, type ValueFilters, type ValueKind } from './value-actions.ts';

/** The list that values are in: its query, and which of its filters find them. */
export type ValueList = {
  readonly schema: ListSchema;
  readonly filters: ValueFilters<AnyQuery>;
};

/** The list around a value. It must keep its identity, or every value renders again. Outside lists nothing can be filtered. */
export const ValueListContext = createContext<ValueList>({ schema: z.object({}), filters: {} });

/** Describes a list to the values in it. */
export function useValueList({ schema, values }: { schema: ListSchema; values: ValueFilters<AnyQuery> }): ValueList {
  return useMemo(() => ({ schema, filters: values }), [schema, values]);
}

/** Functions that filter the list around a value for it, or exclude it; each is absent where the list cannot. */
export function useValueFilters(kind: ValueKind, value: string): { only?: () => void; not?: () => void } {
  const list = useContext(ValueListContext);
  const search = useQueryText();
  const change = useListChange(list.schema);
  const { only, not } = valueChanges({ ...list, search }, kind, value);
  return { ...(only && { only: () => change(only) }), ...(not && { not: () => change(not) }) };
}
