import type { Microseconds } from '@switchyard/contract/dates';
import { pageSizes } from '@switchyard/contract/limits';
import type { Span } from '../../time-buckets.ts';
import { type PartFilter, isCounted } from '../../event-filter-rules.ts';
import { indexedConditions, newParameters, type Parameters, sharedConditions, timeConditions, timestamp } from '../event-conditions.ts';
import type { Query } from './event-queries.ts';
import { asEventPage } from '../stored-event.ts';

/** Rows `skip` to `skip + limit` of a part of a list. */
export type PagePart = {
  filter: PartFilter;
  order: 'time' | 'arrival';
  direction: 'asc' | 'desc';
  /** Stretches of time that hold all of these rows; nothing outside them is counted. */
  spans: readonly Span[];
  /** The last id that may belong to the part, in its direction. */
  lastId?: number;
  skip: number;
  limit: number;
};

/** So many rows are passed together with their bodies, rather than being looked up by themselves. */
const cheapSkip = 50;

/**
 * Query for the part. Rows that come before it are passed in the index alone, which carries what lists filter by; only
 * those of the page are read. Ties in time go to the younger row (api 0.6).
 */
export function partOfPage(part: PagePart): Query {
  const parameters = newParameters();
  const isDeep = part.skip > cheapSkip || !isCounted(part.filter);
  const columns = isDeep ? 'events.occurred_at, events.app_id, events.id' : 'events.*';
  const selection = `${inSpans(part, columns, parameters)} order by ${orderOf(part)} limit ${part.limit} offset ${part.skip}`;
  const text = isDeep ? withRows(selection, part) : selection;
  return { text: asEventPage(text), values: parameters.values };
}

/**
 * Whether the statement is one of few, so that it may stay prepared: its text holds the place of the page. A search is
 * planned for its own values.
 */
export function isFrequent({ filter, skip, limit }: PagePart): boolean {
  return isCounted(filter) && skip === 0 && pageSizes.some((size) => size === limit);
}

function inSpans(part: PagePart, columns: string, parameters: Parameters): string {
  const [only, ...more] = part.spans;
  const conditions = [
    ...sharedConditions(part.filter, parameters),
    ...indexedConditions(part.filter, parameters),
    ...upTo(part, parameters),
  ];
  if (more.length === 0) {
    const time = only === undefined ? ['false'] : timeConditions(only, parameters);
    return `select ${columns} from events where ${[...conditions, ...time].join(' and ')}`;
  }
  const inSpan = ['occurred_at >= span_from', 'occurred_at < span_until', ...conditions].join(' and ');
  const times = (side: (span: Span) => Microseconds) => `${parameters.add(part.spans.map((span) => timestamp(side(span))))}::timestamptz[]`;
  return `select events.* from unnest(${times((span) => span.from)}, ${times((span) => span.until)}) as span (span_from, span_until)
    cross join lateral (select ${columns} from events where ${inSpan} order by ${orderOf(part)} limit ${part.skip + part.limit}) as events`;
}

function upTo({ lastId, direction }: PagePart, parameters: Parameters): string[] {
  return lastId === undefined ? [] : [`id ${direction === 'desc' ? '>=' : '<='} ${parameters.add(lastId)}::bigint`];
}

/** Rows of keys, each looked up by itself: joined freely, the database might read whole partitions for them. */
function withRows(keys: string, part: PagePart): string {
  return `select events.* from (${keys}) as keys cross join lateral (select * from events where events.occurred_at = keys.occurred_at
    and events.app_id = keys.app_id and events.id = keys.id limit 1) as events order by ${orderOf(part)}`;
}

function orderOf({ order, direction }: PagePart): string {
  return order === 'time' ? `events.occurred_at ${direction}, events.id desc` : `events.id ${direction}`;
}
