/** Fields that PostgreSQL, the driver and the system put on their errors; each may be missing. */
type ErrorLike = { code?: unknown; message?: unknown; cause?: unknown; errors?: unknown };

function isMarked(error: unknown): error is ErrorLike {
  return typeof error === 'object' && error !== null;
}

/** The error, then what it stems from: causes and the single tries of a connection to several addresses. */
function chain(error: unknown, depth = 0): { code: string; message: string }[] {
  if (!isMarked(error) || depth > 5) return [];
  const own = { code: typeof error.code === 'string' ? error.code : '', message: typeof error.message === 'string' ? error.message : '' };
  const inner: unknown[] = [error.cause, ...(Array.isArray(error.errors) ? error.errors : [])];
  return [own, ...inner.flatMap((next) => chain(next, depth + 1))];
}

function someOf(error: unknown, test: (one: { code: string; message: string }) => boolean): boolean {
  return chain(error).some(test);
}

const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOENT',
]);

/** Classes 08 (connection) and 57P (shutdown), too many connections, out of memory, and a server that became read-only. */
const serverCodes = /^(08...|57P0.|53200|53300|53400|25006)$/;

/** A certificate that is not accepted or has expired, and what OpenSSL reports. */
const tlsCodes = /^(ERR_SSL_|ERR_TLS_|CERT_|UNABLE_TO_|SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED_CERT)/;

/** node-postgres and Kysely give these no code (pg 8.23, pg-pool 3, kysely 0.29). */
const driverMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed|The server does not support SSL|Cannot use a pool after calling end|Postgres connection has been discarded)/;

/**
 * Whether the database is unavailable: refused, reset or timed-out connections, a certificate that is not accepted, a server that
 * is starting or stopping, or no free connection in time. The call returns 503 and may be retried.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  return someOf(
    error,
    ({ code, message }) => networkCodes.has(code) || serverCodes.test(code) || tlsCodes.test(code) || driverMessages.test(message),
  );
}

/** Whether all connections of a pool stayed taken for too long: because of much work, or because the server hangs. */
export function isPoolTimeout(error: unknown): boolean {
  return someOf(error, ({ message }) => message === 'timeout exceeded when trying to connect');
}

/** Whether the server rejects us for good: wrong password or role, no such database, no right to it. */
export function isDatabaseRejection(error: unknown): boolean {
  return someOf(error, ({ code }) => /^(28...|3D000|42501)$/.test(code));
}

/** Whether a value or a constraint makes a statement impossible, whenever it is tried. */
export function isImpossibleValue(error: unknown): boolean {
  return someOf(error, ({ code }) => /^2[23]...$/.test(code));
}

/** Name of the unique index that a write would have broken, e.g. because another one was faster; null for other errors. */
export function brokenUniqueIndex(error: unknown): string | null {
  if (!isMarked(error) || error.code !== '23505' || !('constraint' in error)) return null;
  return typeof error.constraint === 'string' ? error.constraint : null;
}

/** `lock_not_available`: a lock was not granted in time. */
export function isLockTimeout(error: unknown): boolean {
  return isMarked(error) && error.code === '55P03';
}

/** Whether the server gave up a statement because it took too long, or waited too long or in a circle for a lock. */
export function isStatementTimeout(error: unknown): boolean {
  return someOf(error, ({ code }) => code === '57014' || code === '55P03' || code === '40P01');
}

/** Whether the answer did not come in time although the connection is open: a hung database. */
export function isReadTimeout(error: unknown): boolean {
  return someOf(error, ({ message }) => message === 'Query read timeout');
}

/** PostgreSQL reports a file-size limit or an exhausted quota without a code of its own, in these words. */
const fullMessages = /^could not (extend|write|create).*(File too large|No space left on device|Disk quota exceeded)/s;

/** Whether the database's storage is full, so that writes fail while reads go on. */
export function isStorageFull(error: unknown): boolean {
  return someOf(error, ({ code, message }) => code === '53100' || code === 'ENOSPC' || code === 'EDQUOT' || fullMessages.test(message));
}

const attempts = 5;

/** Deadlock and serialization failure: nothing was stored, so the same batch may run again. */
const retryable = new Set(['40P01', '40001']);

/** Runs a write again when PostgreSQL aborted it in favour of a concurrent one, five times at most. */
export async function retryOnDeadlock<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (attempt >= attempts || typeof code !== 'string' || !retryable.has(code)) throw error;
    }
  }
}
