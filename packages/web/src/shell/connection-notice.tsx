import { Button } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import { useEffect } from 'react';
import { connectionStore } from '../shared/api/connection.ts';
import { useStore } from '../shared/external-store.ts';
import { loadSettings } from '../shared/settings.ts';
import classes from './connection-notice.module.css';

/** Asks anew; the answer, or that there is none, shows in the notice itself. */
function tryAgain(): void {
  loadSettings().catch(() => undefined);
}

/**
 * Says in plain words that the server was not reached, or did not answer within 30 seconds, until a call is answered
 * again (R21). The toast of the error catalogue stands beside it with its own text (ERR-003).
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
            {connection === 'timeout' ? 'The server did not answer within 30 seconds.' : 'The server cannot be reached.'} What you typed is
            still here; save it again once the connection is back.
          </span>
          <Button size="xs" variant="default" onClick={tryAgain}>
            Check now
          </Button>
        </span>
      )}
    </output>
  );
}
