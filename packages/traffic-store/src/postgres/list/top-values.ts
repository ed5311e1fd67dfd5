import type pg from 'pg';
import { isCounted } from '../../event-filter-rules.ts';
import { flag } from '../../event-flags.ts';
import type { EventFilter, TopField, TopValues, ValueCount } from '../../event-store.ts';
import {
  countedTopFields,
  errorKindLength,
  mostNewest,
  type MostNewest,
  type TopReading,
  toTopValues,
  topTypes,
  type TypeGroup,
  withoutLabel,
} from '../../top-fields.ts';
import { isUnstorableSql, storableJsonSql } from '../../unstorable-text.ts';
import { allConditions, newParameters, hasFlag } from '../event-conditions.ts';
import { type Outcome, outcomesIn } from '../rollups.ts';
import { keptName, type Reader } from '../statements.ts';
import { countedParts } from './counted-parts.ts';
import { withFewestConditions } from './match-all-search.ts';
import type { Calendar } from './plan-days.ts';

/** The database reads no escape that stands for no text. */
const storableError = `${storableJsonSql('error::text', {
  literal: (text) => `'${text}'`,
  replaceText: (text, from, to) => `replace(${text}, ${from}, ${to})`,
  replacePattern: (text, from, to) => `regexp_replace(${text}, ${from}, ${to}, 'g')`,
})}::json`;

/** SQL of the exception type of an error: the last of repeated ones, if it is text. */
function kindOf(error: string): string {
  return `(select case when json_typeof(kind) = 'string' then kind #>> '{}' else '' end from (select (${error}) -> 'exception_type' as kind) as error_kind)`;
}

/** SQL of the value of each field. */
const valueOf: Readonly<Record<TopField, string>> = {
  app: 'app_id::text',
  country: 'country',
  type: 'type::text',
  stream: 'stream_uid',
  bot: 'bot',
  asn: 'asn',
  'error-kind': `left(case when error is null then '' else ${kindOf(`case when ${isUnstorableSql('error')} then ${storableError} else error end`)} end, ${errorKindLength})`,
};

/** Rows of one app, or of a search, lie on a page each; an error is one of many rows. */
const usual: MostNewest = {
  app: 200_000,
  country: 200_000,
  type: 200_000,
  stream: 200_000,
  bot: 200_000,
  asn: 200_000,
  'error-kind': 50_000,
};

type TopQuery = { field: TopField; limit: number | null };

/** The most frequent values of a field: from the roll-ups where they count by it, else among the newest matches. */
export async function findTopValues(
  pool: pg.Pool,
  { offset, ...reading }: TopReading & { offset: string },
  { filter, ...query }: TopQuery & { filter: EventFilter },
): Promise<TopValues> {
  return withFewestConditions(pool, { filter, offset }, async (reader, partFilter) => {
    const neededDimensions = countedTopFields[query.field];
    const isExact = neededDimensions !== undefined && isCounted(partFilter, neededDimensions);
    return isExact
      ? countAll(reader, { filter: partFilter, offset }, query)
      : countNewest(reader, partFilter, { ...query, most: mostNewest(usual, query.field, reading) });
  });
}

async function countAll(reader: Reader, calendar: Calendar, { field, limit }: TopQuery): Promise<TopValues> {
  const parameters = newParameters();
  const selection = {
    columns: () => [`${valueOf[field]} as value`],
    neededDimensions: countedTopFields[field] ?? [],
    outcomes: outcomesOf(field),
  };
  const parts = countedParts(calendar, selection, parameters);
  if (parts.length === 0) return { values: [], rows: 0, counted: 'all' };
  const text = selectGroups(parts.map((part) => part.text).join(' union all '), { field, limit });
  return read(reader, { name: keptName(text), text, values: parameters.values }, { field, limit, most: null });
}

async function countNewest(reader: Reader, filter: EventFilter, query: TopQuery & { most: number }): Promise<TopValues> {
  const parameters = newParameters();
  const ofErrors = query.field === 'error-kind' ? [hasFlag(flag.error)] : [];
  const conditions = ['true', ...allConditions(filter, parameters), ...ofErrors].join(' and ');
  const columns = [`${valueOf[query.field]} as value`, '1 as requests', ...outcomesIn('events', outcomesOf(query.field))];
  const newest = `select ${columns.join(', ')} from events where ${conditions} order by occurred_at desc, id desc limit ${Math.trunc(query.most)}`;
  // Planned for its own values: a wide search wants another index than a narrow one.
  return read(reader, { text: selectGroups(newest, query), values: parameters.values }, query);
}

/** An event with an error counts for it beside its type. */
function outcomesOf(field: TopField): readonly Outcome[] {
  return field === 'type' ? ['errors'] : [];
}

/** SQL of the most frequent values of a selection; of types, all of them. An event counts for each of its labels. */
function selectGroups(selection: string, { field, limit }: TopQuery): string {
  if (field === 'type')
    return `select value as type, sum(requests)::bigint as count, sum(errors)::bigint as errors from (${selection}) as found group by 1`;
  const each = `cross join lateral (select distinct unnest(case when value = '' then array['${withoutLabel}'] else string_to_array(value, ' ') end) as label) as labels`;
  const values =
    field === 'bot' ? `(select label as value, sum(count)::bigint as count from grouped ${each} group by 1) as labelled` : 'grouped';
  return `with grouped as (select value, sum(requests)::bigint as count from (${selection}) as found group by 1)
    select value, count, (select sum(count)::bigint from grouped) as rows from ${values}
    order by count desc, value collate "C"${limit === null ? '' : ` limit ${Math.trunc(limit)}`}`;
}

type Reading = TopQuery & { most: number | null };

async function read(
  reader: Reader,
  query: { name?: string; text: string; values: unknown[] },
  { field, limit, most }: Reading,
): Promise<TopValues> {
  if (field !== 'type') return toTopValues((await reader.query<ValueCount & { rows: number }>(query)).rows, most);
  return topTypes((await reader.query<TypeGroup>(query)).rows, { limit, most });
}
