import type { BelongingsSummary } from '@switchyard/contract/belongings';
import { bulkMessages, type BulkChange, type BulkEntityName, type FilterTarget } from '@switchyard/contract/bulk';
import { fieldErrors } from '@switchyard/contract/field-errors';
import { choosesAll, readQuery, unknownNames } from '@switchyard/contract/listing';
import type { z } from 'zod';
import type { Databases } from './database/connect.ts';
import type { OpenTransaction } from './database/transaction.ts';
import { FieldErrors, rejectUnknownParameters } from './errors.ts';
import type { AccountCall, AccountCaller, Reader } from './http/bind.ts';

/** A locked row of an entity. `state` differs whenever a change of the row would be lost or reverted by another one. */
export type LockedRow = {
  label: string;
  state: string;
  /**
   * Makes the change by the command of a single row, which writes its audit entry. Throws what that command throws. Absent where the
   * entity changes the rows of a chunk at once.
   */
  apply?: (tx: OpenTransaction, change: BulkChange, call: AccountCall) => Promise<void>;
  /** The change that restores this state; null if there is none. */
  inverseOf: (change: BulkChange) => BulkChange | null;
};

/** An entity whose rows can be changed in bulk. */
export type BulkEntity = {
  name: BulkEntityName;
  /** Keys of the rows in the reader's scope that match the query string of the list. Throws what the list throws, and what `parseFilter` does. */
  listKeys: (db: Databases['db'], target: FilterTarget, reader: Reader) => Promise<string[]>;
  /** The spelling of a key by which its row is found. */
  canonicalKey: (key: string) => string;
  /** Why a key can name no row; null if it can. */
  keyProblem: (key: string) => string | null;
  /** Compares keys by the order in which rows are locked. */
  compareKeys: (one: string, other: string) => number;
  /**
   * Locks rows in the order of their keys, with everything else that these changes lock, so that two runs cannot deadlock. Rows
   * that do not exist or lie outside the caller's scope are left out.
   */
  lockRows: (
    tx: OpenTransaction,
    rows: { keys: readonly string[]; changes: readonly BulkChange[]; caller: AccountCaller },
  ) => Promise<ReadonlyMap<string, LockedRow>>;
  /** Changes locked rows in a few statements, with an audit entry for each. For changes that no row of the caller can be denied. */
  applyAll?: (tx: OpenTransaction, rows: readonly { key: string; change: BulkChange }[], call: AccountCall) => Promise<void>;
  /**
   * Counts the requests of the last days that a change would have blocked, of the apps in the reader's scope. Null if the change blocks
   * none, and for a reader who may not see them.
   */
  countBlocked?: (change: BulkChange, reader: Reader) => Promise<BlockedRequests | null>;
  /** Summarises what hangs on the accounts with these keys that the caller may change. */
  summarizeBelongings?: (keys: readonly string[], caller: AccountCaller) => Promise<BelongingsSummary>;
};

export type BlockedRequests = {
  byKey: ReadonlyMap<string, number>;
  /** Counts all requests of these days, and those that belong to no key yet. */
  countAll: () => Promise<{ all: number; unknown: number }>;
};

/** Keys that are numbers. */
export const numberKeys: Pick<BulkEntity, 'canonicalKey' | 'keyProblem' | 'compareKeys'> = {
  canonicalKey: (key) => key.replace(/^0+(?=\d+$)/, ''),
  keyProblem: (key) => (/^\d+$/.test(key) ? null : bulkMessages.notFound),
  compareKeys: (one, other) => Number(one) - Number(other),
};

/** Keys as numbers; others name no row. */
export function numbersOf(keys: readonly string[]): number[] {
  return keys.map(Number).filter(Number.isSafeInteger);
}

/**
 * The filter of a list from its query string. Throws 422 for parameters that the list does not have, for values that it rejects, and where
 * it chooses nothing by itself and the target does not say that it means all.
 */
export function parseFilter<S extends z.ZodObject>(schema: S, { filter, all }: Pick<FilterTarget, 'filter' | 'all'>): z.output<S> {
  rejectUnknownParameters(unknownNames(schema, filter));
  const result = schema.safeParse(readQuery(filter), { reportInput: true });
  if (result.success) {
    if (all !== true && choosesAll(filter, (name) => result.data[name] !== undefined))
      throw new FieldErrors({ target: [bulkMessages.choosesAll] });
    return result.data;
  }
  throw new FieldErrors({
    'target.filter': Object.values({ ...fieldErrors(result.error).value, ...fieldErrors(result.error).shape }).flat(),
  });
}
