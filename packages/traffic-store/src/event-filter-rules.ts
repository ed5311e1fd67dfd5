import type { RequestType } from '@switchyard/contract/requests';
import { namesOf } from './event-fields.ts';
import type { EventFilter } from './event-store.ts';
import { isValuePart, valueFilters, type ValuePart, valueParts } from './value-filters.ts';

/** A filter of a part of a list: `ownType` asks for the event's own type, while `types` may ask for errors of any type. */
export type PartFilter = EventFilter & { ownType?: RequestType | undefined };

/** Parts with a rule and a condition of their own. */
export type OwnPart = Exclude<keyof Required<PartFilter>, ValuePart>;

/**
 * Dimensions by which roll-ups count events, beside time, in sets that are counted together. A finer set would have nearly a row for each
 * event: an address has one system, but a system has addresses in all streams.
 */
export const countedSets = {
  breakdown: ['app_id', 'type', 'country', 'stream_uid', 'flags'],
  systems: ['app_id', 'type', 'asn'],
} as const;
export type Dimension = (typeof countedSets)[keyof typeof countedSets][number];
const dimensions: readonly Dimension[] = [...new Set([...countedSets.breakdown, ...countedSets.systems])];

/** Whether some roll-up counts by all of these dimensions. */
export function areCountedTogether(wanted: Iterable<Dimension>): boolean {
  const wantedDimensions = [...wanted];
  return Object.values(countedSets).some((set: readonly Dimension[]) => wantedDimensions.every((dimension) => set.includes(dimension)));
}

/**
 * The source that answers a part of a filter. `roll-ups`: whatever counts by the dimensions that the value asks for, none when it excludes
 * nothing. `index`: only the events themselves, by an index (a search). `events`: only the events, one by one. `time`: the range that is read.
 */
type Rule<Value> =
  | { answeredBy: 'roll-ups'; dimensions: (value: Value) => readonly Dimension[] }
  | { answeredBy: 'index' | 'events' | 'time' };

/**
 * Every part of a filter but those of `valueFilters`, declared once. Which roll-up may count a filter, whether a search is needed and whether anything is
 * excluded follow from it, so a new part that is forgotten here does not compile.
 */
const filterRules: { readonly [Part in OwnPart]: Rule<NonNullable<PartFilter[Part]>> } = {
  ownType: { answeredBy: 'roll-ups', dimensions: () => ['type'] },
  scope: { answeredBy: 'roll-ups', dimensions: (scope) => (scope === 'all' ? [] : ['app_id']) },
  // The type error selects every event with an error, whatever its type.
  types: { answeredBy: 'roll-ups', dimensions: (types) => (types.includes('error') ? ['type', 'flags'] : ['type']) },
  furtherTypes: { answeredBy: 'roll-ups', dimensions: (further) => (further.flat().includes('error') ? ['type', 'flags'] : ['type']) },
  typesNot: { answeredBy: 'roll-ups', dimensions: (types) => (types.includes('error') ? ['type', 'flags'] : ['type']) },
  emptyPostbacksDomain: { answeredBy: 'roll-ups', dimensions: (isAsked) => (isAsked ? ['flags'] : []) },
  bots: { answeredBy: 'events' },
  furtherBots: { answeredBy: 'events' },
  botsNot: { answeredBy: 'events' },
  addressesNot: { answeredBy: 'events' },
  servers: { answeredBy: 'events' },
  clientUid: { answeredBy: 'index' },
  search: { answeredBy: 'index' },
  from: { answeredBy: 'time' },
  until: { answeredBy: 'time' },
};

export type FilterPart = OwnPart | ValuePart;
const parts: readonly FilterPart[] = [...namesOf(filterRules), ...valueParts];

function answeredBy(part: FilterPart): Rule<unknown>['answeredBy'] {
  return isValuePart(part) ? valueFilters[part].answeredBy : filterRules[part].answeredBy;
}

/** The parts of a filter that roll-ups answer. */
export const rollupParts = parts.filter((part) => answeredBy(part) === 'roll-ups');
/** The parts that only the events answer. */
export const eventParts = parts.filter((part) => answeredBy(part) === 'index' || answeredBy(part) === 'events');
const searchParts = parts.filter((part) => answeredBy(part) === 'index');

/** The dimensions by which a roll-up has to count to know the matches of a filter; searches and time are not among them. */
export function dimensionsOf(filter: PartFilter): ReadonlySet<Dimension> {
  return new Set(rollupParts.flatMap((part) => (isValuePart(part) ? dimensionOfValues(part, filter) : dimensionsOfPart(part, filter))));
}

function dimensionOfValues(part: ValuePart, filter: PartFilter): readonly Dimension[] {
  return filter[part] === undefined ? [] : dimensions.filter((dimension) => dimension === valueFilters[part].column);
}

function dimensionsOfPart<Part extends OwnPart>(part: Part, filter: Pick<PartFilter, Part>): readonly Dimension[] {
  const rule: Rule<NonNullable<PartFilter[Part]>> = filterRules[part];
  const value = filter[part];
  return rule.answeredBy === 'roll-ups' && value !== undefined ? rule.dimensions(value) : [];
}

/**
 * Whether roll-ups can count the matches of a filter, and by the other dimensions: it asks for no client, no address and no label, and for
 * systems of addresses only beside what is counted with them.
 */
export function isCounted(filter: PartFilter, others: readonly Dimension[] = []): boolean {
  return eventParts.every((part) => filter[part] === undefined) && areCountedTogether([...dimensionsOf(filter), ...others]);
}

/** Whether a filter asks for clients or addresses, which have indexes. */
export function isSearched(filter: PartFilter): boolean {
  return searchParts.some((part) => filter[part] !== undefined);
}

/** Whether a filter excludes events of a time range by what roll-ups count, so that asking where its matches lie can save work. */
export function narrows(filter: PartFilter): boolean {
  const filteredDimensions = dimensionsOf(filter);
  return filteredDimensions.size > 0 && areCountedTogether(filteredDimensions);
}
