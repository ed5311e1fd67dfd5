import { defaultRequestSort } from '@switchyard/contract/all-requests';
import { requestSortKeys, requestTypes, type RequestType } from '@switchyard/contract/requests';
import type { Microseconds } from '@switchyard/contract/dates';
import type { AskedSort, RequestSort } from './traffic-store.ts';

/** A place between two rows of a sorted list, and which way to go from it. */
export type Position = { toward: 'next' | 'previous'; id: number; occurredAt: Microseconds; type: RequestType };

/** Opaque text of a position in a list sorted this way (api 0.7, AMB-140). */
export function writeCursor(sort: RequestSort, position: Position): string {
  const parts = [sort.orderBy, sort.orderDirection, position.toward, position.id, position.occurredAt, position.type];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/**
 * How a list is sorted, and from where it goes on (api 0.7). A cursor keeps its sort: it stands in for what was not asked
 * for. One that is malformed, foreign, or of another sort than the one asked for means the first page: position null.
 */
export function readCursor(asked: AskedSort, text: string | undefined): { sort: RequestSort; position: Position | null } {
  const kept = text === undefined ? null : parseCursor(text);
  const isAsked = kept !== null && fits(asked.orderBy, kept.sort.orderBy) && fits(asked.orderDirection, kept.sort.orderDirection);
  if (isAsked) return kept;
  const { orderBy = defaultRequestSort.orderBy, orderDirection = defaultRequestSort.orderDirection } = asked;
  return { sort: { orderBy, orderDirection }, position: null };
}

function fits(asked: string | undefined, kept: string): boolean {
  return asked === undefined || asked === kept;
}

function parseCursor(text: string): { sort: RequestSort; position: Position } | null {
  if (text.length > 500 || !/^[A-Za-z0-9_-]+$/.test(text)) return null;
  const parts = parseParts(text);
  if (parts?.length !== 6) return null;
  const [sortKey, direction, toward, id, occurredAt, typeName] = parts;
  const orderBy = requestSortKeys.find((known) => known === sortKey);
  const type = requestTypes.find((known) => known === typeName);
  if (orderBy === undefined || type === undefined || (direction !== 'asc' && direction !== 'desc')) return null;
  if (toward !== 'next' && toward !== 'previous') return null;
  if (!isWhole(id) || id < 0 || !isWhole(occurredAt) || Math.abs(occurredAt) > furthest) return null;
  const cursor = { sort: { orderBy, orderDirection: direction }, position: { toward, id, occurredAt, type } } as const;
  // Decoding base64 passes over what does not belong to it; only the very text we wrote is a cursor.
  return writeCursor(cursor.sort, cursor.position) === text ? cursor : null;
}

/** Within this distance of 1970 every instant has a four-digit year. */
const furthest = 8_000_000_000_000_000;

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function parseParts(text: string): unknown[] | null {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return Array.isArray(parsed) ? parsed : null;
  } catch {
    return null;
  }
}
