import type { Microseconds } from '@switchyard/contract/dates';
import type { EventColumn } from './event-fields.ts';
import { eventParts, type FilterPart, type OwnPart, type PartFilter, rollupParts } from './event-filter-rules.ts';
import { flag } from './event-flags.ts';
import type { AddressRange, BotLabels, EventSearch } from './event-store.ts';
import type { TimeRange } from './time-range.ts';
import { type FilteredColumn, isValuePart, valueFilters, type ValuePart } from './value-filters.ts';

/** The columns of an event that filters compare with a list of values. */
export type ComparedColumn = Extract<EventColumn, 'app_id' | 'type'> | FilteredColumn;

/** How an engine writes each comparison; `Parameters` collects the values of a statement. */
export type ConditionDialect<Parameters> = {
  /** The column has one of the values. */
  anyOf: (column: ComparedColumn, values: readonly unknown[], parameters: Parameters) => string;
  noneOf: (column: ComparedColumn, values: readonly unknown[], parameters: Parameters) => string;
  instant: (at: Microseconds, parameters: Parameters) => string;
  /** A flag of `event-flags.ts` is set. */
  hasFlag: (bit: number) => string;
  inRange: (range: AddressRange, parameters: Parameters) => string;
  /** Has one of these labels, which are joined by spaces. */
  hasLabel: (labels: BotLabels, parameters: Parameters) => string;
  /** One of these traffic servers delivered the event. */
  isFrom: (servers: readonly number[], parameters: Parameters) => string;
  /** Conditions on a client: one that an index answers, and the exact comparison. */
  isClient: (uid: string, parameters: Parameters) => readonly string[];
  /** A search finds the event. */
  isFound: (search: EventSearch, parameters: Parameters) => string;
};

/** Conditions of a filter in the SQL of one engine. */
export type Conditions<Parameters> = {
  /** Those that events share with what counts them. A roll-up is only asked for dimensions by which it counts. */
  countedConditions: (filter: PartFilter, parameters: Parameters) => string[];
  /** Those that only the events themselves answer: on client, address, label and server. */
  searchConditions: (filter: PartFilter, parameters: Parameters) => string[];
  /** Those on time; the end is exclusive. */
  timeConditions: (range: TimeRange, parameters: Parameters) => string[];
  /** Every condition. */
  allConditions: (filter: PartFilter, parameters: Parameters) => string[];
};

/** Writes the conditions of filters in a dialect. Events and what counts them name their columns alike. */
export function assembleConditions<Parameters>(dialect: ConditionDialect<Parameters>): Conditions<Parameters> {
  const { anyOf, noneOf, instant, hasFlag, inRange, hasLabel, isFrom, isClient, isFound } = dialect;
  const partConditions: {
    readonly [Part in OwnPart]: (value: NonNullable<PartFilter[Part]>, parameters: Parameters) => readonly string[];
  } = {
    ownType: (type, parameters) => [anyOf('type', [type], parameters)],
    scope: (scope, parameters) => (scope === 'all' ? [] : [anyOf('app_id', scope, parameters)]),
    types: (types, parameters) => [hasType(types, parameters)],
    typesNot: (types, parameters) => [`not ${hasType(types, parameters)}`],
    bots: (labels, parameters) => [hasLabel(labels, parameters)],
    furtherTypes: (further, parameters) => further.map((types) => hasType(types, parameters)),
    furtherBots: (further, parameters) => further.map((labels) => hasLabel(labels, parameters)),
    botsNot: (labels, parameters) => [`not ${hasLabel(labels, parameters)}`],
    addressesNot: (ranges, parameters) => ranges.map((range) => `not (${inRange(range, parameters)})`),
    servers: (servers, parameters) => [isFrom(servers, parameters)],
    emptyPostbacksDomain: (isRequired) => (isRequired ? [hasFlag(flag.emptyPostbacksDomain)] : []),
    clientUid: isClient,
    search: (searches, parameters) => [anyCondition(cheapestFirst(searches).map((search) => isFound(search, parameters)))],
    from: (from, parameters) => [`occurred_at >= ${instant(from, parameters)}`],
    until: (until, parameters) => [`occurred_at < ${instant(until, parameters)}`],
  };

  /** The type error selects every event with an error, whatever its type. */
  function hasType(types: readonly string[], parameters: Parameters): string {
    const namedTypes = types.filter((type) => type !== 'error');
    return anyCondition([
      ...(namedTypes.length > 0 ? [anyOf('type', namedTypes, parameters)] : []),
      ...(types.includes('error') ? [hasFlag(flag.error)] : []),
    ]);
  }

  function valueConditions(part: ValuePart, filter: PartFilter, parameters: Parameters): readonly string[] {
    const values = filter[part];
    const { column, isExcluding } = valueFilters[part];
    return values === undefined ? [] : [(isExcluding ? noneOf : anyOf)(column, values, parameters)];
  }

  function ownConditions<Part extends OwnPart>(part: Part, filter: Pick<PartFilter, Part>, parameters: Parameters): readonly string[] {
    const value = filter[part];
    return value === undefined ? [] : partConditions[part](value, parameters);
  }

  function conditionsOf(part: FilterPart, filter: PartFilter, parameters: Parameters): readonly string[] {
    return isValuePart(part) ? valueConditions(part, filter, parameters) : ownConditions(part, filter, parameters);
  }

  const countedConditions: Conditions<Parameters>['countedConditions'] = (filter, parameters) =>
    rollupParts.flatMap((part) => conditionsOf(part, filter, parameters));
  const searchConditions: Conditions<Parameters>['searchConditions'] = (filter, parameters) =>
    eventParts.flatMap((part) => conditionsOf(part, filter, parameters));
  const timeConditions: Conditions<Parameters>['timeConditions'] = ({ from, until }, parameters) => {
    const range: PartFilter = { scope: 'all', from, until };
    return [...conditionsOf('from', range, parameters), ...conditionsOf('until', range, parameters)];
  };
  return {
    countedConditions,
    searchConditions,
    timeConditions,
    allConditions: (filter, parameters) => [
      ...countedConditions(filter, parameters),
      ...searchConditions(filter, parameters),
      ...timeConditions(filter, parameters),
    ],
  };
}

function anyCondition(alternatives: readonly string[]): string {
  return alternatives.length === 0 ? 'false' : `(${alternatives.join(' or ')})`;
}

/** Alternatives are evaluated in this order: comparing addresses takes far less time than lower-casing text. */
function cheapestFirst(searches: readonly EventSearch[]): EventSearch[] {
  return searches.toSorted((a, b) => Number(b.kind === 'ip-range') - Number(a.kind === 'ip-range'));
}
