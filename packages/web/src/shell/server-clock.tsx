import { spans } from '@switchyard/contract/limits';
import { Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { sessionStore } from '../shared/session/session-store.ts';
import { loadServerTime } from '../shared/time/server-time.ts';
import type { ServerTime } from '@switchyard/contract/server-time';

type Props = {
  className: string;
  /** Says what it is beside it, where there is no tooltip for fingers. */
  isNamed?: boolean;
};

/**
 * The server's time and offset as received, asked anew each minute (SHELL-042, AMB-034). With an expired token it is
 * not asked for: the 401 would send the reader to login before the session check can offer to stay (AUTH-066).
 */
export function ServerClock({ className, isNamed = false }: Props) {
  const last = useRef<ServerTime | null>(null);
  const { data } = useQuery({
    queryKey: ['server-time'],
    queryFn: async () => {
      if (sessionStore.phase() === 'live') last.current = await loadServerTime();
      return last.current;
    },
    refetchInterval: spans.serverTimeRefresh,
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
