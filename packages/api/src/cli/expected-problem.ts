import { StartupError } from '@switchyard/embedded-postgres/startup-error';
import { isDatabaseRejection, isDatabaseUnavailable } from '@switchyard/traffic-store/database-errors';
import { EventStoreUnavailable, reasonOf } from '@switchyard/traffic-store/event-store-unavailable';

/** One line about a problem that an operator can fix; null for a defect of the program. */
export function expectedProblem(error: unknown): string | null {
  if (error instanceof StartupError) return error.message;
  if (!(error instanceof Error)) return null;
  if (error instanceof EventStoreUnavailable) return `ClickHouse: unavailable (${reasonOf(error)})`;
  // Only a problem of a file has a path; sockets have codes such as ENOENT, too.
  if ('path' in error && 'code' in error) return reasonOf(error);
  if (isDatabaseUnavailable(error) || isDatabaseRejection(error)) return `Database: cannot connect (${reasonOf(error)})`;
  return 'code' in error ? reasonOf(error) : null;
}
