import { requestTypes, type RequestType } from '@switchyard/contract/requests';
import type { Microseconds } from '@switchyard/contract/dates';
import type { RequestSort } from './traffic-store.ts';

/** A place between two rows of a sorted list, and which way to go from it. */
export type Position = { toward: 'next' | 'previous'; id: number; occurredAt: Microseconds; type: RequestType };

/** Opaque text of a position in a list sorted this way (api 0.7, AMB-140). */
export function writeCursor(sort: RequestSort, position: Position): string {
  const parts = [sort.orderBy, sort.orderDirection, position.toward, position.id, position.occurredAt, position.type];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** The position, or null when the text is malformed, foreign, or belongs to another sort: then the list starts anew. */
export function readCursor(sort: RequestSort, text: string | undefined): Position | null {
  if (text === undefined || text.length > 500 || !/^[A-Za-z0-9_-]+$/.test(text)) return null;
  const parts = parseParts(text);
  if (parts === null) return null;
  const [orderBy, orderDirection, toward, id, occurredAt, typeName] = parts;
  const type = requestTypes.find((known) => known === typeName);
  if (parts.length !== 6 || orderBy !== sort.orderBy || orderDirection !== sort.orderDirection || type === undefined) return null;
  if (toward !== 'next' && toward !== 'previous') return null;
  if (!isWhole(id) || id < 0 || !isWhole(occurredAt) || Math.abs(occurredAt) > furthest) return null;
  return { toward, id, occurredAt, type };
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
