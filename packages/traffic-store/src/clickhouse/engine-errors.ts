import { ClickHouseError } from '@clickhouse/client';
import { EventStoreUnavailable } from '../event-store-unavailable.ts';
import { isDatabaseUnavailable } from '../database-errors.ts';

/** The engine's own number of an error; null: it is not one of the engine's. */
function codeOf(error: unknown): number | null {
  return error instanceof ClickHouseError ? Number(error.code) : null;
}

function isOneOf(error: unknown, codes: ReadonlySet<number>): boolean {
  const code = codeOf(error);
  return code !== null && codes.has(code);
}

/**
 * Too many queries (202), sockets (209, 210) and replicas (225, 279, 285, 286, 289, 319, 999) that fail, a table that became read-only
 * (242), no memory (241), more parts than merges keep up with (252), a query that was stopped (236, 394), and no access (516).
 */
const unavailable = new Set([202, 209, 210, 225, 236, 241, 242, 252, 279, 285, 286, 289, 319, 394, 516, 999]);

/** Messages of the client for a timeout and for a broken connection. */
const clientMessages = /^(Timeout error|socket hang up|The socket was closed)/i;

/** Whether the engine cannot be reached, or cannot do its work just now. The call returns 503 and may be retried. */
export function isEngineUnavailable(error: unknown): boolean {
  if (isEngineAnswer(error)) return isOneOf(error, unavailable);
  // Errors of the network are those of any database.
  return isDatabaseUnavailable(error) || (error instanceof Error && clientMessages.test(error.message));
}

/** Whether the engine itself reported the error. */
export function isEngineAnswer(error: unknown): boolean {
  return codeOf(error) !== null;
}

/** Whether a query failed because it needed more memory than it may have, or than there is. */
export function isEngineMemoryFull(error: unknown): boolean {
  return codeOf(error instanceof EventStoreUnavailable ? error.cause : error) === 241;
}

const timeouts = new Set([159, 160]);

/** Whether a query took longer than it may. */
export function isEngineTimeout(error: unknown): boolean {
  return isOneOf(error, timeouts);
}

/** No space was left for a part (243), or for a file (75, and what the system says). */
const full = new Set([75, 243]);

/** Whether the engine's disk is full, so that inserts fail while reads go on. */
export function isEngineFull(error: unknown): boolean {
  return isOneOf(error, full) || (codeOf(error) !== null && error instanceof Error && /No space left on device/.test(error.message));
}

/** Whether the engine rejects the rows or the statement themselves, so that the same would fail again. */
export function isEngineRejection(error: unknown): boolean {
  return isEngineAnswer(error) && !isEngineUnavailable(error) && !isEngineTimeout(error) && !isEngineFull(error);
}

/** Rows of a time whose events were dropped; ingestion rejects them first, so clocks differ. */
export class DroppedWeek extends Error {
  override name = 'DroppedWeek';
}
