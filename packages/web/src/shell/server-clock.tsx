import { Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { sessionStore } from '../shared/session/session-store.ts';
import { loadServerTime } from '../shared/time/server-time.ts';
import type { ServerTime } from '@switchyard/contract/server-time';
import { timeSpans } from '../shared/ui/display-limits.ts';

type Props = {
  className: string;
  /** Shows a label, for places without tooltips. */
  isNamed?: boolean;
};

/**
 * The time and offset of the server, refreshed every minute. With an expired token it is not requested, because a 401
 * would redirect to the login page before the session check can offer to stay.
 */
export function ServerClock({ className, isNamed = false }: Props) {
  const last = useRef<ServerTime | null>(null);
  const { data } = useQuery({
    queryKey: ['server-time'],
    queryFn: async () => {
      if (sessionStore.phase() === 'live') last.current = await loadServerTime();
      return last.current;
    },
    refetchInterval: timeSpans.serverTimeRefresh,
  });
  if (data === undefined || data === null) return null;
  if (isNamed) {
    return (
      <p className={className}>
        Server time{' '}
        <time>
          {data.time} GMT{data.GMT}
        </time>
      </p>
    );
  }
  return (
    <Tooltip label={`Server time, ${data.timezone}. Dates in the platform are shown in it.`}>
      <time className={className} data-testid="server-time">
        {data.time} GMT{data.GMT}
      </time>
    </Tooltip>
  );
}
