import { requestExportColumns } from '@switchyard/contract/requests';
import { Readable } from 'node:stream';
import { isEmptyScope } from '@switchyard/contract/app-scope';
import { csvLine } from './csv.ts';
import { noEventCounts } from './grouped-counts.ts';
import { emptySummary } from './event-subject.ts';
import type { EventStore } from './event-store.ts';

/** The store with the answers for accounts that see no app. It has nothing to read for them, so no statement is sent. */
export function withEmptyScope(store: EventStore): EventStore {
  return {
    ...store,
    listEventsByCursor: async (query) =>
      isEmptyScope(query.filter.scope) ? { rows: [], previous: null, next: null } : store.listEventsByCursor(query),
    listEventsByPage: async (query) => (isEmptyScope(query.filter.scope) ? { rows: [], total: 0 } : store.listEventsByPage(query)),
    countEvents: async (filter) => (isEmptyScope(filter.scope) ? 0 : store.countEvents(filter)),
    countByBucket: async (query) => (isEmptyScope(query.filter.scope) ? [] : store.countByBucket(query)),
    countGroups: async (query) => (isEmptyScope(query.filter.scope) ? noEventCounts(query) : store.countGroups(query)),
    findTopValues: async (query) =>
      isEmptyScope(query.filter.scope) ? { values: [], rows: 0, counted: 'all' } : store.findTopValues(query),
    exportEvents: async (query) =>
      isEmptyScope(query.filter.scope) ? Readable.from([Buffer.from(csvLine(requestExportColumns))]) : store.exportEvents(query),
    getEventSummary: async (query) => (isEmptyScope(query.scope) ? emptySummary : store.getEventSummary(query)),
  };
}
