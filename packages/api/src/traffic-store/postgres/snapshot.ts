import type pg from 'pg';
import { inTransaction } from './in-transaction.ts';

/** What answers statements: a pool, or one connection of it. */
export type Reader = Pick<pg.Pool, 'query'>;

/**
 * Runs statements that all see the events as they were at the first of them, so that a total and the rows beside it
 * agree while others write.
 */
export async function inSnapshot<T>(pool: pg.Pool, work: (reader: Reader) => Promise<T>): Promise<T> {
  return inTransaction(pool, work, 'begin isolation level repeatable read read only');
}
