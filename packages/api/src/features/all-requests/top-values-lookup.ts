import type { AllRequestFilters, RequestFilters } from '@switchyard/contract/requests';
import { mostTopValues, type TopField, type TopValues } from '@switchyard/contract/top-values';
import type { AppScope } from '@switchyard/contract/app-scope';
import type { Databases } from '../../database/connect.ts';
import { namedValue } from '@switchyard/traffic-store/value-filters';
import { readEventFilter } from '../../traffic-queries/read-event-filter.ts';
import type { EventStore } from '@switchyard/traffic-store/event-store';
import { findAppLabels } from '../apps/apps-lookup.ts';
import { findAsnNames } from '../asns/registry-lookup.ts';
import { findStreamNames } from '../streams/streams-lookup.ts';

type Dependencies = { db: Databases['db']; eventStore: Pick<EventStore, 'findTopValues'>; serverOffset: string };
type Query = RequestFilters & Partial<Pick<AllRequestFilters, 'appId'>> & { field: TopField };

/** The top values that a query asks for, of the apps in a scope, with their present names. */
export async function readTopValues(deps: Dependencies, { query, scope }: { query: Query; scope: AppScope }): Promise<TopValues> {
  const { field } = query;
  const filter = readEventFilter(query, { scope, serverOffset: deps.serverOffset });
  const top = await deps.eventStore.findTopValues({ filter, field: field === 'error' ? 'error-kind' : field, limit: mostTopValues });
  const names = await findNames(deps.db, { field, values: top.values.map(({ value }) => value), scope });
  const values = top.values.map(({ value, count }) => ({
    value: namedValue(field, value),
    name: names.get(value) ?? null,
    count,
  }));
  return { field, values, total: top.rows, counted: top.counted, rows: top.rows };
}

type NameQuery = { field: TopField; values: readonly string[]; scope: AppScope };

async function findNames(db: Databases['db'], { field, values, scope }: NameQuery): Promise<ReadonlyMap<string, string>> {
  if (field === 'asn') return findAsnNames(db, values);
  if (field === 'stream') return findStreamNames(db, { uids: values, scope });
  if (field !== 'app') return new Map();
  const labels = await findAppLabels(db, values.map(Number));
  return new Map(Array.from(labels, ([id, { name }]) => [String(id), name]));
}
