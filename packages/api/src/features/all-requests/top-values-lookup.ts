import type { AllRequestFilters, RequestFilters } from '@switchyard/contract/requests';
import { eventsReadAtOnce } from '@switchyard/contract/report-rules';
import { mostTopValues, topMessages, type TopField, type TopValues } from '@switchyard/contract/top-values';
import type { AppScope } from '@switchyard/contract/app-scope';
import type { Databases } from '../../database/connect.ts';
import { isStatementTimeout } from '@switchyard/traffic-store/database-errors';
import { eventStoreFaults } from '@switchyard/traffic-store/event-store-faults';
import { namedValue } from '@switchyard/traffic-store/value-filters';
import { unavailable } from '../../errors.ts';
import { readEventFilter } from '../../traffic-queries/read-event-filter.ts';
import type { EventFilter, EventStore } from '@switchyard/traffic-store/event-store';
import { findAppLabels } from '../apps/apps-lookup.ts';
import { findAsnNames } from '../asns/registry-lookup.ts';
import { findStreamNames } from '../streams/streams-lookup.ts';

type Dependencies = { db: Databases['db']; eventStore: Pick<EventStore, 'findTopValues' | 'countEvents'>; serverOffset: string };
type Query = RequestFilters & Partial<Pick<AllRequestFilters, 'appId'>> & { field: TopField };

/**
 * The top values that a query asks for, of the apps in a scope, with their present names. Throws 503 with the number of requests if they
 * are too many to read within the limit of a statement.
 */
export async function readTopValues(deps: Dependencies, { query, scope }: { query: Query; scope: AppScope }): Promise<TopValues> {
  const { field } = query;
  const filter = readEventFilter(query, { scope, serverOffset: deps.serverOffset });
  const asked = { filter, field: field === 'error' ? ('error-kind' as const) : field, limit: mostTopValues };
  const top = await deps.eventStore.findTopValues(asked).catch(async (error: unknown) => explainTimeout(deps.eventStore, filter, error));
  const names = await findNames(deps.db, { field, values: top.values.map(({ value }) => value), scope });
  const values = top.values.map(({ value, count }) => ({
    value: namedValue(field, value),
    name: names.get(value) ?? null,
    count,
  }));
  return { field, values, total: top.rows, counted: top.counted, rows: top.rows };
}

/**
 * Throws the error of a query of events. A timeout becomes the number of requests that were to be read, as roll-ups count them; if they are
 * few, the store is busy.
 */
async function explainTimeout(eventStore: Dependencies['eventStore'], { scope, from, until }: EventFilter, error: unknown): Promise<never> {
  if (!isStatementTimeout(error) && !eventStoreFaults.isTimeout(error)) throw error;
  const requests = await eventStore.countEvents({ scope, from, until });
  throw requests > eventsReadAtOnce ? unavailable(topMessages.tooSlow(requests)) : error;
}

type NameQuery = { field: TopField; values: readonly string[]; scope: AppScope };

async function findNames(db: Databases['db'], { field, values, scope }: NameQuery): Promise<ReadonlyMap<string, string>> {
  if (field === 'asn') return findAsnNames(db, values);
  if (field === 'stream') return findStreamNames(db, { uids: values, scope });
  if (field !== 'app') return new Map();
  const labels = await findAppLabels(db, values.map(Number));
  return new Map(Array.from(labels, ([id, { name }]) => [String(id), name]));
}
