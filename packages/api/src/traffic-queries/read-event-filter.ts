import { type AllRequestFilters, anyBot, noValue, type RequestFilters } from '@switchyard/contract/requests';
import { addressRange, readEventSearch } from '@switchyard/traffic-store/event-search';
import { readTimeRange } from './read-time-range.ts';
import { type AppScope, withinScope } from '@switchyard/contract/app-scope';
import type { BotLabels, EventFilter } from '@switchyard/traffic-store/event-store';
import { readValueParts } from '@switchyard/traffic-store/value-filters';

/** The filter that a query asks for. Throws FieldErrors when the range of time ends before it starts. */
export function readEventFilter(
  query: RequestFilters & Partial<Pick<AllRequestFilters, 'appId'>>,
  options: { scope: AppScope; serverOffset: string },
): EventFilter {
  return {
    scope: query.appId === undefined ? options.scope : withinScope(query.appId.map(Number), options.scope),
    search: query.search === undefined ? undefined : readEventSearch(query.search),
    clientUid: query.clientId,
    types: query.type,
    typesNot: query.typeNot,
    ...readValueParts(query),
    bots: query.bot && readBotLabels(query.bot),
    botsNot: query.botNot && readBotLabels(query.botNot),
    addressesNot: query.ipNot?.flatMap((text) => addressRange(text) ?? []),
    ...readTimeRange(query, options.serverOffset),
    emptyPostbacksDomain: query.emptyPostbacksDomain === true ? true : undefined,
  };
}

/** The labels that a filter names. */
export function readBotLabels(values: readonly string[]): BotLabels {
  return {
    labels: values.filter((value) => value !== noValue && value !== anyBot),
    none: values.includes(noValue),
    blocking: values.includes(anyBot),
  };
}
