import { defaultRequestSort } from '@switchyard/contract/all-requests';
import type { Microseconds } from '@switchyard/contract/dates';
import { requestSortKeys, type RequestType, requestTypes } from '@switchyard/contract/requests';
import type { AskedSort, EventSort } from './event-store.ts';

/** A position between two rows of a sorted list, and the direction to read from it. */
export type Position = { toward: 'next' | 'previous'; id: number; occurredAt: Microseconds; type: RequestType };

/** Opaque text of a position in a list sorted this way. */
export function writeCursor(sort: EventSort, position: Position): string {
  const parts = [sort.orderBy, sort.orderDirection, position.toward, position.id, position.occurredAt, position.type];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/**
 * The sort of a list and the position to resume from. A cursor contains its sort, which applies where the query names none. A
 * cursor that is malformed, or of another sort than the query's, gives the first page: position null.
 */
export function readCursor(askedSort: AskedSort, text: string | undefined): { sort: EventSort; position: Position | null } {
  const parsedCursor = text === undefined ? null : parseCursor(text);
  const isAsked =
    parsedCursor !== null &&
    fits(askedSort.orderBy, parsedCursor.sort.orderBy) &&
    fits(askedSort.orderDirection, parsedCursor.sort.orderDirection);
  if (isAsked) return parsedCursor;
  const { orderBy = defaultRequestSort.orderBy, orderDirection = defaultRequestSort.orderDirection } = askedSort;
  return { sort: { orderBy, orderDirection }, position: null };
}

function fits(askedValue: string | undefined, storedValue: string): boolean {
  return askedValue === undefined || askedValue === storedValue;
}

function parseCursor(text: string): { sort: EventSort; position: Position } | null {
  if (text.length > 500 || !/^[A-Za-z0-9_-]+$/.test(text)) return null;
  const parts = parseParts(text);
  if (parts?.length !== 6) return null;
  const [sortKey, direction, toward, id, occurredAt, typeName] = parts;
  const orderBy = requestSortKeys.find((key) => key === sortKey);
  const type = requestTypes.find((requestType) => requestType === typeName);
  if (orderBy === undefined || type === undefined || (direction !== 'asc' && direction !== 'desc')) return null;
  if (toward !== 'next' && toward !== 'previous') return null;
  if (!isWhole(id) || id < 0 || !isWhole(occurredAt) || Math.abs(occurredAt) > furthest) return null;
  const cursor = { sort: { orderBy, orderDirection: direction }, position: { toward, id, occurredAt, type } } as const;
  // Decoding base64 ignores foreign characters, so only the exact text that was written is a cursor.
  return writeCursor(cursor.sort, cursor.position) === text ? cursor : null;
}

/** Within this distance of 1970 every instant has a four-digit year. */
const furthest = 8_000_000_000_000_000;

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function parseParts(text: string): unknown[] | null {
  try {
    const values: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return Array.isArray(values) ? values : null;
  } catch {
    return null;
  }
}

/** How far a live stream has come: batches in the order of their commits, within a batch the rows by id. */
export type TailPosition = { seq: number; id: number };

/** Past every row of a batch. */
export function endOfBatch(seq: number): TailPosition {
  return { seq, id: Number.MAX_SAFE_INTEGER };
}

/** The opaque id of a position. */
export function writeTailPosition({ seq, id }: TailPosition): string {
  return Buffer.from(`${seq}.${id}`).toString('base64url');
}

/** The position of an id; null when the id is invalid. */
export function readTailPosition(text: string): TailPosition | null {
  if (text.length > 60) return null;
  const match = /^(\d{1,16})\.(\d{1,16})$/.exec(Buffer.from(text, 'base64url').toString('latin1'));
  if (!match) return null;
  const position = { seq: Number(match[1]), id: Number(match[2]) };
  const isOurs = Number.isSafeInteger(position.seq) && Number.isSafeInteger(position.id) && writeTailPosition(position) === text;
  return isOurs ? position : null;
}
