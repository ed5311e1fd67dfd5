import type { Microseconds } from '@switchyard/contract/dates';
import type pg from 'pg';
import { findDaysByTime, slicesOf } from './matching-days.ts';
import { narrows } from '../../event-filter-rules.ts';
import { everyMatch, firstAndLast, matchesInSlices, nearMatches, type Reading, searchMatches } from './event-queries.ts';
import { runQuery } from '../run-query.ts';
import type { ListedEvent } from '../../event-fields.ts';

/** When a search goes from one way of reading to the next. */
export type SearchPlan = {
  offset: string;
  lookAhead: number;
  /** A search with fewer matches by each of its ways is read as a whole. */
  rareSearch: number;
  /** What has fewer matches is read as a whole: a filter beside the search, or a stretch of time. */
  mostMatches: number;
};

const firstStretch: Microseconds = 12 * 3_600_000_000;
const growth = 8;
/** So many stretches are tried; what is left then, if anything, is left to the database's own plan. */
const mostStretches = 10;

/**
 * The first rows of a search past a position. The database cannot know how matches lie in time: left alone, it walks
 * through all of it for a block of addresses that was busy last month. Most searches have few matches, which an index
 * finds wherever they are. Otherwise the rows next in order are tried, then a filter that is rare by itself, then one
 * stretch of time after the other.
 */
export async function readSearch(pool: pg.Pool, plan: SearchPlan, reading: Reading): Promise<ListedEvent[]> {
  const all = await runQuery(pool, searchMatches(reading, plan.rareSearch));
  if (all.matches < plan.rareSearch) return all.rows;
  const near = await runQuery(pool, nearMatches(reading, plan.lookAhead));
  if (near.rows.length >= reading.wanted) return near.rows;
  const ofRareFilter = await readRareFilter(pool, plan, reading);
  if (ofRareFilter !== null) return ofRareFilter;
  // By arrival a stretch of time says nothing about what comes first.
  return reading.order === 'time' ? readStretches(pool, plan, reading) : leaveToDatabase(pool, reading);
}

/** All matches of a filter whose matches are few before the search is asked, as the roll-ups know; null when they are many. */
async function readRareFilter(pool: pg.Pool, plan: SearchPlan, reading: Reading): Promise<ListedEvent[] | null> {
  if (!narrows(reading.filter)) return null;
  const calendar = { filter: reading.filter, offset: plan.offset };
  const days = await findDaysByTime(pool, { ...calendar, direction: reading.direction, wanted: plan.mostMatches });
  const matches = days.reduce((sum, day) => sum + day.requests, 0);
  if (matches >= plan.mostMatches) return null;
  if (matches === 0) return [];
  return (await runQuery(pool, matchesInSlices(reading, await slicesOf(pool, days, calendar)))).rows;
}

async function leaveToDatabase(pool: pg.Pool, reading: Reading): Promise<ListedEvent[]> {
  return (await runQuery(pool, everyMatch(reading), { isKept: false })).rows;
}

/** Goes through time, in longer stretches where matches are few and in shorter ones where they are many. */
async function readStretches(pool: pg.Pool, plan: SearchPlan, reading: Reading): Promise<ListedEvent[]> {
  const isDescending = reading.direction === 'desc';
  const rows: ListedEvent[] = [];
  let [from, until] = await wholeStretch(pool, reading);
  let length = firstStretch;
  let tooLong = Infinity;
  for (let tried = 0; rows.length < reading.wanted && from < until; tried += 1) {
    const rest = { ...reading, wanted: reading.wanted - rows.length };
    if (tried === mostStretches) return [...rows, ...(await leaveToDatabase(pool, within(rest, from, until)))];
    const [start, end] = isDescending ? [Math.max(from, until - length), until] : [from, Math.min(until, from + length)];
    const found = await runQuery(pool, searchMatches(within(rest, start, end), plan.mostMatches));
    if (found.matches < plan.mostMatches) {
      rows.push(...found.rows);
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
  const { rows } = await pool.query<{ first: Microseconds | null; last: Microseconds | null }>(firstAndLast(filter));
  const { first = null, last = null } = rows[0] ?? {};
  return first === null || last === null ? [0, 0] : [first, last + 1];
}

function within(reading: Reading, from: Microseconds, until: Microseconds): Reading {
  return { ...reading, filter: { ...reading.filter, from, until } };
}
