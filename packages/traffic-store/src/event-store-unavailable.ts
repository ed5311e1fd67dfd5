/** ClickHouse cannot be reached, or cannot do its work just now. The call may be repeated. */
export class EventStoreUnavailable extends Error {
  override name = 'EventStoreUnavailable';

  constructor(cause: unknown) {
    super('ClickHouse is unavailable', { cause });
  }
}

/** The first line of a message. A failed connection to several addresses has only a code. */
export function reasonOf(error: unknown): string {
  if (error instanceof EventStoreUnavailable) return reasonOf(error.cause);
  if (!(error instanceof Error)) return String(error);
  const [line = ''] = error.message.split('\n');
  return line === '' && 'code' in error ? String(error.code) : line;
}
