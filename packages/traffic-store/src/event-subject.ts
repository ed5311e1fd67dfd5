import { requestTypes } from '@switchyard/contract/requests';
import type { AppScope } from '@switchyard/contract/app-scope';
import { addressRange } from './event-search.ts';
import type { EventFilter, EventSubject, EventSummary, SeenSpan, SeenWith } from './event-store.ts';

/** The filter that finds the events of a subject. */
export function subjectFilter(subject: EventSubject, scope: AppScope): EventFilter {
  if ('clientUid' in subject) return { scope, clientUid: subject.clientUid };
  const range = addressRange(subject.address);
  return { scope, search: range === null ? [] : [{ kind: 'ip-range', ...range }] };
}

/** Events of a subject that have an app, a type or a country in common; `key` is its text. */
export type SubjectGroup = SeenSpan & { part: 'app' | 'type' | 'country'; key: string };

/** The summary of a subject without events. */
export const emptySummary: EventSummary = { all: null, types: new Map(), apps: [], countries: [], latest: [], total: 0 };

/** The summary that the groups of a subject's events make up. */
export function toSummary(groups: readonly SubjectGroup[], { latest, total }: { latest: SeenWith[]; total: number }): EventSummary {
  const of = (part: SubjectGroup['part']) =>
    groups.filter((group) => group.part === part).toSorted((a, b) => b.events - a.events || (a.key < b.key ? -1 : 1));
  const types = of('type');
  return {
    all: sumOf(types),
    types: new Map(requestTypes.flatMap((type) => types.filter(({ key }) => key === type).map(({ events }) => [type, events]))),
    apps: of('app').map(({ key, events, first, last }) => ({ appId: Number(key), events, first, last })),
    countries: of('country').map(({ key: code, events }) => ({ code, events })),
    latest,
    total,
  };
}

function sumOf(groups: readonly SeenSpan[]): SeenSpan | null {
  if (groups.length === 0) return null;
  return {
    events: groups.reduce((sum, { events }) => sum + events, 0),
    first: Math.min(...groups.map(({ first }) => first)),
    last: Math.max(...groups.map(({ last }) => last)),
  };
}
