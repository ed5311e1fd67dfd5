import type { Microseconds } from '@switchyard/contract/dates';
import type pg from 'pg';
import type { Reading } from '../../list/cursor-pages.ts';
import { totalOf } from '../../list/slices.ts';
import { findDays } from './plan-days.ts';
import { narrows } from '../../event-filter-rules.ts';
import { everyMatch, firstAndLast, matchesOfDays, nearMatches, searchMatches } from './event-queries.ts';
import { readMatches, readRows } from '../event-page.ts';
import type { ListedEvent } from '../../event-fields.ts';
import { keptName } from '../statements.ts';

/** When a search tries the next way of reading. */
export type SearchPlan = {
  offset: string;
  lookAhead: number;
  /** A search with fewer matches in each of its alternatives is read as a whole. */
  rareSearch: number;
  /** A filter beside the search, or a stretch of time, with fewer matches is read as a whole. */
  mostMatches: number;
};

const firstStretch: Microseconds = 12 * 3_600_000_000;
const growth = 8;
/** So many stretches are tried; the rest is left to the planner of the database. */
const mostStretches = 10;

/**
 * The first rows of a search past a position. The database does not know how matches are distributed in time, and may scan all of
 * it for addresses that were last seen a month ago. Most searches have few matches, which an index finds directly. Otherwise the
 * next rows in order are tried, then a filter that is rare by itself, then one stretch of time after the other.
 */
export async function readSearch(pool: pg.Pool, plan: SearchPlan, reading: Reading): Promise<ListedEvent[]> {
  const all = await readMatches(pool, searchMatches(reading, plan.rareSearch));
  if (all.matches < plan.rareSearch) return all.rows;
  const near = await readRows(pool, nearMatches(reading, plan.lookAhead));
  if (near.length >= reading.limit) return near;
  const ofRareFilter = await readRareFilter(pool, plan, reading);
  if (ofRareFilter !== null) return ofRareFilter;
  // By arrival a stretch of time says nothing about what comes first.
  return reading.order === 'time' ? readStretches(pool, plan, reading) : leaveToDatabase(pool, reading);
}

/** The matches among the rows of a filter that is rare without the search, by the roll-ups; null if it is not rare. */
async function readRareFilter(pool: pg.Pool, plan: SearchPlan, reading: Reading): Promise<ListedEvent[] | null> {
  if (!narrows(reading.filter)) return null;
  const calendar = { filter: reading.filter, offset: plan.offset };
  const { days } = await findDays(pool, calendar, {
    order: 'time',
    direction: reading.direction,
    limit: plan.mostMatches,
    position: null,
  });
  const matches = totalOf(days);
  if (matches >= plan.mostMatches) return null;
  return matches === 0 ? [] : readRows(pool, matchesOfDays(reading, plan.offset, days));
}

async function leaveToDatabase(pool: pg.Pool, reading: Reading): Promise<ListedEvent[]> {
  return readRows(pool, everyMatch(reading), { isKept: false });
}

/** Goes through time, in longer stretches where matches are few and in shorter ones where they are many. */
async function readStretches(pool: pg.Pool, plan: SearchPlan, reading: Reading): Promise<ListedEvent[]> {
  const isDescending = reading.direction === 'desc';
  const rows: ListedEvent[] = [];
  let [from, until] = await wholeStretch(pool, reading);
  let length = firstStretch;
  let tooLong = Infinity;
  for (let attempt = 0; rows.length < reading.limit && from < until; attempt += 1) {
    const rest = { ...reading, limit: reading.limit - rows.length };
    if (attempt === mostStretches) return [...rows, ...(await leaveToDatabase(pool, within(rest, from, until)))];
    const [start, end] = isDescending ? [Math.max(from, until - length), until] : [from, Math.min(until, from + length)];
    const hits = await readMatches(pool, searchMatches(within(rest, start, end), plan.mostMatches));
    if (hits.matches < plan.mostMatches) {
      rows.push(...hits.rows);
      if (isDescending) until = start;
      else from = end;
      length = Math.floor(Math.min(length * growth, Math.max(length, tooLong / 2)));
    } else {
      tooLong = length;
      length = Math.ceil(length / growth);
    }
  }
  return rows;
}

async function wholeStretch(pool: pg.Pool, { filter }: Reading): Promise<[from: Microseconds, until: Microseconds]> {
  const query = firstAndLast(filter);
  const { rows } = await pool.query<{ first: Microseconds | null; last: Microseconds | null }>({ name: keptName(query.text), ...query });
  const { first = null, last = null } = rows[0] ?? {};
  return first === null || last === null ? [0, 0] : [first, last + 1];
}

function within(reading: Reading, from: Microseconds, until: Microseconds): Reading {
  return { ...reading, filter: { ...reading.filter, from, until } };
}
