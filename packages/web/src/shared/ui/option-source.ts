import { hashKey, keepPreviousData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { PickOption } from './pick-options.tsx';

/** Rows that match a part of their texts, or those with these values. */
type OptionQuery = { search?: string | undefined; ids?: readonly string[] | undefined };
type OptionPage<Row> = { rows: Row[]; total: number };

/** Options that are too many to be loaded as a whole: the server finds them by a part of their texts. */
export type OptionSource<Row = unknown, Value extends string = string> = {
  /** Cache key, below that of the list of the rows. Sources of the same rows have the same key. */
  readonly key: readonly unknown[];
  /** What else decides which rows the source offers. */
  readonly variant?: string;
  load(this: void, query: OptionQuery, signal: AbortSignal): Promise<OptionPage<Row>>;
  optionOf(this: void, row: Row): PickOption<Value>;
};

/** Milliseconds for which loaded rows serve other selects. Writes invalidate them together with the list. */
const freshFor = 60_000;
const noKey = ['no-options'] as const;

/** The rows of a source that a search finds; nothing is loaded without a source. */
export function useFoundRows<Value extends string>(source: OptionSource<unknown, Value> | null, search: string) {
  return useQuery({
    queryKey: [...(source?.key ?? noKey), 'found', source?.variant, search],
    queryFn: ({ signal }) => source?.load({ search }, signal),
    enabled: source !== null,
    placeholderData: keepPreviousData,
    staleTime: freshFor,
  });
}

/** The rows of a source that any select has loaded, by value, without those of one query. */
function readLoadedRows<Row, Value extends string>(
  cache: QueryClient,
  { key, optionOf }: OptionSource<Row, Value>,
  except?: readonly unknown[],
): Map<string, Row> {
  const pages = cache.getQueriesData<OptionPage<Row>>({
    queryKey: key,
    predicate: ({ queryHash }) => except === undefined || queryHash !== hashKey(except),
  });
  return new Map(pages.flatMap(([, page]) => page?.rows ?? []).map((row) => [optionOf(row).value, row]));
}

/** Returns a function that gives the row of an option that was just picked. */
export function useLoadedRow<Row>(source: OptionSource<Row>): (value: string) => Row | undefined {
  const cache = useQueryClient();
  return (value) => readLoadedRows(cache, source).get(value);
}

/** How many rows are loaded at once for their names. */
const namedAtOnce = 100;

/** The rows with these values by value, as far as they are loaded. Loads those that no select has shown, a hundred at a time. */
export function useNamedRows<Row, Value extends string = string>(source: OptionSource<Row, Value> | null, values: readonly string[]) {
  const cache = useQueryClient();
  const rows: ReadonlyMap<string, Row> = source === null ? new Map() : readLoadedRows(cache, source);
  const queryKey = [...(source?.key ?? noKey), 'ids', source?.variant, values.join()];
  const { isLoading, isError, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (source === null ? null : loadMissingRows(source, { cache, values, signal, queryKey })),
    enabled: source !== null && values.some((value) => !rows.has(value)),
    staleTime: freshFor,
  });
  return { rows, isLoading, failure: isError ? () => void refetch() : null };
}

async function loadMissingRows<Row, Value extends string>(
  source: OptionSource<Row, Value>,
  { cache, values, signal, queryKey }: { cache: QueryClient; values: readonly string[]; signal: AbortSignal; queryKey: readonly unknown[] },
): Promise<OptionPage<Row>> {
  // What this query had itself is loaded again: its answer replaces it.
  const loaded = readLoadedRows(cache, source, queryKey);
  const missing = values.filter((value) => !loaded.has(value));
  const rows: Row[] = [];
  for (let from = 0; from < missing.length; from += namedAtOnce)
    rows.push(...(await source.load({ ids: missing.slice(from, from + namedAtOnce) }, signal)).rows);
  return { rows, total: rows.length };
}

/** The rows alone. */
export function usePickedRows<Row, Value extends string = string>(
  source: OptionSource<Row, Value> | null,
  values: readonly string[],
): ReadonlyMap<string, Row> {
  return useNamedRows(source, values).rows;
}

/** Returns a function that names these values: by their options, and by `#` and the id as long as they are not loaded. */
export function usePickedNames(source: OptionSource | null, values: readonly string[]): (value: string) => string {
  const rows = usePickedRows(source, values);
  const named = values.flatMap((value) =>
    source === null || !rows.has(value) ? [] : [`${value} ${source.optionOf(rows.get(value)).name}`],
  );
  const lines = named.join('\n');
  // The same function as long as it gives the same names: filters are declared anew whenever it changes.
  return useMemo(() => {
    const nameByValue = new Map(lines.split('\n').map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]));
    return (value) => nameByValue.get(value) ?? `#${value}`;
  }, [lines]);
}
