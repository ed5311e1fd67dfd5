import { messages } from '@switchyard/contract/envelope';
import { getSessionUser } from '@switchyard/contract/session';
import { useQueryClient, type Query } from '@tanstack/react-query';
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { CallError } from '../shared/api/call-error.ts';
import { call } from '../shared/api/call.ts';
import { keepTrying } from './keep-trying.ts';

/** Whether the server or its database was away. A busy server is not asked again by itself: that would keep it busy. */
function isOutage(error: unknown): boolean {
  if (!(error instanceof CallError)) return false;
  if (error.status === null || error.status === 502 || error.status === 504) return true;
  return error.status === 503 && (error.message === messages.databaseUnavailable || error.message === messages.shuttingDown);
}

const failedInOutage = (query: Query): boolean => query.isActive() && isOutage(query.state.error);

/** Asks without a word whether calls are answered again; any answer but that of an outage will do. */
async function probe(): Promise<void> {
  try {
    await call(getSessionUser, { isSilent: true, showsFailureItself: () => true });
  } catch (error) {
    if (isOutage(error)) throw error;
  }
}

/** Loads what failed on the open page in an outage again as soon as the outage is over. */
export function RecoveryWatch() {
  const client = useQueryClient();
  const subscribe = useCallback((onChange: () => void) => client.getQueryCache().subscribe(onChange), [client]);
  const isWaiting = useSyncExternalStore(subscribe, () => client.getQueryCache().getAll().some(failedInOutage));
  useEffect(() => {
    if (!isWaiting) return undefined;
    return keepTrying(async () => {
      await probe();
      await client.refetchQueries({ predicate: failedInOutage });
    });
  }, [client, isWaiting]);
  return null;
}
