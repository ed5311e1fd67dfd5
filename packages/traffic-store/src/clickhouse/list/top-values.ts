import {
  countedTopFields,
  errorKindLength,
  mostNewest,
  type MostNewest,
  toTopValues,
  topTypes,
  type TypeGroup,
  withoutLabel,
} from '../../top-fields.ts';
import { isCounted } from '../../event-filter-rules.ts';
import { positions } from '../../event-fields.ts';
import { flag } from '../../event-flags.ts';
import { storableJsonSql } from '../../unstorable-text.ts';
import type { EventFilter, TopField, TopValues, ValueCount } from '../../event-store.ts';
import type { EngineClient } from '../engine-client.ts';
import { allConditions, where, hasFlag } from '../event-conditions.ts';
import { newParameters, type Parameters, using } from '../statement.ts';
import { countedSelections } from './hours.ts';
import { type EngineReading, planSearch, projectionOf, type SearchPlan, wayConditions } from './search.ts';

/** Arrays of the engine begin at 1. */
const errorAt = positions.error + 1;

const replacing = {
  literal: (text: string) => `'${text.replaceAll('\\', String.raw`\\`)}'`,
  replaceText: (text: string, from: string, to: string) => `replaceAll(${text}, ${from}, ${to})`,
  replacePattern: (text: string, from: string, to: string) => `replaceRegexpAll(${text}, ${from}, ${to})`,
};

/** The engine reads no row with a lone surrogate or a number beyond its own; of numbers one digit is enough here. */
const readableRow = replacing.replacePattern(
  storableJsonSql('row', replacing),
  replacing.literal(String.raw`("(?:[^"\\]|\\.)*")|([0-9])[0-9.eE+-]*`),
  replacing.literal(String.raw`\1\2`),
);
const isReadable = `isValidJSON(row) and position(row, ${replacing.literal(String.raw`\u0000`)}) = 0`;

/** SQL of the JSON of the exception type of an event: the last of repeated ones. */
const errorKind = `arrayLast(member -> member.1 = 'exception_type',
    JSONExtractKeysAndValuesRaw(if(${isReadable}, row, ${readableRow}), ${errorAt})).2`;

/** SQL of the value of each field. */
const valueOf: Readonly<Record<TopField, string>> = {
  app: 'toString(app_id)',
  country: 'toString(country)',
  type: 'toString(type)',
  stream: 'toString(stream_uid)',
  bot: 'toString(bot)',
  asn: 'toString(asn)',
  'error-kind': `substringUTF8(if(startsWith(${errorKind}, '"'), JSONExtractString(${errorKind}), ''), 1, ${errorKindLength})`,
};

/** An exception type is read from the JSON of its event. */
const usual: MostNewest = {
  app: 1_000_000,
  country: 1_000_000,
  type: 1_000_000,
  stream: 1_000_000,
  bot: 1_000_000,
  asn: 1_000_000,
  'error-kind': 200_000,
};

type TopQuery = { field: TopField; limit: number | null };

/** The most frequent values of a field: from the projections where they count by it, else among the newest matches. */
export async function findTopValues(
  engine: EngineClient,
  reading: EngineReading,
  { filter, ...query }: TopQuery & { filter: EventFilter },
): Promise<TopValues> {
  const neededDimensions = countedTopFields[query.field];
  if (neededDimensions === undefined || !isCounted(filter, neededDimensions)) return countNewest(engine, reading, { ...query, filter });
  const parameters = newParameters();
  const selections = countedSelections(filter, query.field === 'type' ? [...neededDimensions, 'flags'] : neededDimensions, parameters);
  if (selections.length === 0) return { values: [], rows: 0, counted: 'all' };
  return read(engine, { selection: selections.join(' union all '), count: 'sum(matches)', parameters }, { ...query, most: null });
}

async function countNewest(
  engine: EngineClient,
  reading: EngineReading,
  { filter, field, limit }: TopQuery & { filter: EventFilter },
): Promise<TopValues> {
  const most = mostNewest(usual, field, reading);
  const parameters = newParameters();
  // In the order of time, a search with fewer matches than are read goes through all events: its projection holds what it needs.
  const rareSearch = searchedFields.has(field) ? reading.rareSearch * searchedFactor : reading.rareSearch;
  const plan = await planSearch(engine, { ...reading, rareSearch }, filter);
  if (plan.ways.length === 0) return toTopValues([], most);
  const selection = newest(plan, { field, most }, parameters);
  return read(engine, { selection, count: 'count()', parameters }, { field, limit, most });
}

/** Fields that the projections of searches hold, so that matches need not be looked up among the events. */
const searchedFields: ReadonlySet<TopField> = new Set(['app', 'country', 'type', 'stream']);

/** How many times as many matches as usual count as rare for these: ten million. */
const searchedFactor = 100;

const newestFirst = 'order by toStartOfHour(occurred_at) desc, occurred_at desc, id desc';
const key = 'toStartOfHour(occurred_at), app_id, occurred_at, id';

/** The newest matches with the columns of a field. A search that projections find is looked up there first, as these do not hold every column. */
function newest(plan: SearchPlan, { field, most }: { field: TopField; most: number }, parameters: Parameters): string {
  const columns = {
    'error-kind': 'row',
    type: 'type, flags',
    app: 'app_id',
    country: 'country',
    stream: 'stream_uid',
    bot: 'bot',
    asn: 'asn',
  }[field];
  const errorsOnly = field === 'error-kind' ? [hasFlag(flag.error)] : [];
  if (plan.isFrequent) {
    const conditions = where([...allConditions(plan.filter, parameters), ...errorsOnly]);
    return `select ${columns} from events ${conditions} ${newestFirst} limit ${most} ${using(null)}`;
  }
  if (searchedFields.has(field) && plan.ways.every(({ projection }) => projection === 'of_ip' || projection === 'of_client')) {
    const matches = plan.ways.map(
      (way) => `select ${columns}, occurred_at, id from events ${where(wayConditions(way, parameters))} ${using(way.projection)}`,
    );
    return `select ${columns} from (${matches.join(' union all ')}) order by occurred_at desc, id desc limit ${most} ${using(projectionOf(plan))}`;
  }
  const places = plan.ways.map(
    (way) =>
      `select occurred_at, id, app_id from events ${where([...wayConditions(way, parameters), ...errorsOnly])} ${using(way.projection)}`,
  );
  return `select ${columns} from events where (${key}) global in (
      select ${key} from (${places.join(' union all ')}) order by occurred_at desc, id desc limit ${most}
    ) ${using(projectionOf(plan))}`;
}

type CountedSelection = { selection: string; count: string; parameters: Parameters };

async function read(
  engine: EngineClient,
  { selection, count, parameters }: CountedSelection,
  { field, limit, most }: TopQuery & { most: number | null },
): Promise<TopValues> {
  const by = (columns: string) => `select ${columns}, ${count} as count from (${selection}) group by all`;
  if (field === 'type') {
    const byFailure = by(`${valueOf.type} as type, bitAnd(flags, ${flag.error}) as failed`);
    const text = `select type, sum(found.count) as count, sumIf(found.count, failed != 0) as errors from (${byFailure}) as found group by type`;
    return topTypes(await engine.rows<TypeGroup>({ text, parameters }), { limit, most });
  }
  const countSelection = `select value, count, sum(count) over () as rows from (${by(`${valueOf[field]} as value`)})`;
  const labels = `if(value = '', ['${withoutLabel}'], arrayDistinct(splitByChar(' ', value)))`;
  const values =
    field === 'bot'
      ? `select arrayJoin(${labels}) as value, sum(count) as count, any(rows) as rows from (${countSelection}) group by value`
      : countSelection;
  const text = `select value, count, rows from (${values}) order by count desc, value${limit === null ? '' : ` limit ${Math.trunc(limit)}`}`;
  return toTopValues(await engine.rows<ValueCount & { rows: number }>({ text, parameters }), most);
}
