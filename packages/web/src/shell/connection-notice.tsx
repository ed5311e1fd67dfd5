import { Button } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import { useEffect } from 'react';
import { connectionStore } from '../shared/api/connection.ts';
import { useStore } from '../shared/external-store.ts';
import { loadSettings } from '../shared/settings.ts';
import classes from './connection-notice.module.css';
import { messages } from '@switchyard/contract/envelope';
import { getSessionUser } from '@switchyard/contract/session';
import { useQueryClient, type Query } from '@tanstack/react-query';
import { CallError } from '../shared/api/call-error.ts';
import { call } from '../shared/api/call.ts';
import { keepTrying } from './keep-trying.ts';

/** Calls the server; the notice itself shows the result. */
function tryAgain(): void {
  loadSettings().catch(() => undefined);
}

/**
 * Shown after a call failed because the server was not reached or did not answer within 30 seconds, until a call is
 * answered again. The notification of the error policy is shown as well.
 */
export function ConnectionNotice() {
  const connection = useStore(connectionStore);
  const isDown = connection !== 'up';
  useEffect(() => {
    if (!isDown) return undefined;
    window.addEventListener('online', tryAgain);
    return () => window.removeEventListener('online', tryAgain);
  }, [isDown]);
  return (
    <output className={classes['place']}>
      {isDown && (
        <span className={classes['notice']}>
          <IconCloudOff size={18} stroke={1.7} aria-hidden />
          <span>
            {connection === 'timeout' ? 'The server did not answer within 30 seconds.' : 'The server cannot be reached.'} Your input is
            still here. What you saved last may have been stored: check before you save it again.
          </span>
          <Button size="xs" variant="default" onClick={tryAgain}>
            Check now
          </Button>
        </span>
      )}
    </output>
  );
}

const outages: ReadonlySet<string> = new Set([messages.databaseUnavailable, messages.eventStoreUnavailable, messages.shuttingDown]);

/**
 * Whether an error means that the server or one of its databases was unavailable. A busy server is not retried automatically,
 * because retries would keep it busy.
 */
function isOutage(error: unknown): boolean {
  if (!(error instanceof CallError)) return false;
  if (error.status === null || error.status === 502 || error.status === 504) return true;
  return error.status === 503 && outages.has(error.message);
}

const failedInOutage = (query: Query): boolean => query.isActive() && isOutage(query.state.error);

/** Calls the server in the background; any answer other than an outage resolves. */
async function probe(): Promise<void> {
  try {
    await call(getSessionUser, { isSilent: true, showsFailureItself: () => true });
  } catch (error) {
    if (isOutage(error)) throw error;
  }
}

/**
 * Reloads the queries of the open page that failed in an outage as soon as the server has recovered, with growing pauses while they
 * fail again: the server may answer while one of its databases is away.
 */
export function RecoveryWatch() {
  const client = useQueryClient();
  useEffect(() => {
    const cache = client.getQueryCache();
    const hasFailed = (): boolean => cache.getAll().some(failedInOutage);
    let stop: (() => void) | undefined;
    const attempt = async (): Promise<void> => {
      await probe();
      await client.refetchQueries({ predicate: failedInOutage });
      if (hasFailed()) return;
      stop?.();
      stop = undefined;
    };
    const watch = (): void => {
      if (hasFailed()) stop ??= keepTrying(attempt);
    };
    watch();
    const unsubscribe = cache.subscribe(watch);
    return () => {
      unsubscribe();
      stop?.();
    };
  }, [client]);
  return null;
}
