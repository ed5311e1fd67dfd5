import { Loader } from '@mantine/core';
import { getDemoProgress } from '@switchyard/contract/settings';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call, inBackground } from '../shared/api/call.ts';
import { hasInbox } from '../shared/demo-inbox.ts';
import { useSessionUser } from '../shared/session/use-session.ts';
import classes from './factor-notice.module.css';

/** Milliseconds after which the progress is asked for again, while there is any. */
const reloadAfter = 5_000;

/** Says how much of the demo's past is loaded, until all is. Its call also says whether there is an inbox. */
export function DemoNotice() {
  const isSignedIn = useSessionUser() !== null;
  const { data } = useQuery({
    queryKey: ['demo-progress'],
    queryFn: ({ signal }) => call(getDemoProgress, { query: { inbox: true }, signal, ...inBackground }),
    enabled: isSignedIn,
    staleTime: Infinity,
    refetchInterval: ({ state }) => (typeof state.data?.data.loaded === 'number' ? reloadAfter : false),
  });
  const isDemo = data?.data.has_inbox;
  useEffect(() => {
    if (isDemo !== undefined) hasInbox.set(isDemo);
  }, [isDemo]);
  const loaded = data?.data.loaded ?? null;
  if (loaded === null) return null;
  return (
    <aside className={classes['notice']} aria-label="Demo data" data-tone="info" data-screen-only>
      <Loader size={16} aria-hidden />
      <span className={classes['text']}>
        Demo data is still loading ({Math.floor(loaded * 100)}%). Lists and figures are incomplete until it is done.
      </span>
    </aside>
  );
}
