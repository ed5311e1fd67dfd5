import { Tooltip } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { queryClient } from '../shared/api/query-client.ts';
import { sessionStore } from '../shared/session/session-store.ts';
import { loadServerTime } from '../shared/time/server-time.ts';
import type { ServerTime } from '@switchyard/contract/server-time';
import { timeSpans } from '../shared/ui/display-limits.ts';

type Props = {
  className: string;
  /** Shows a label, for places without tooltips. */
  isNamed?: boolean;
};

const timeQuery = queryOptions({
  queryKey: ['server-time'],
  queryFn: async ({ client, queryKey }) =>
    sessionStore.phase() === 'live' ? loadServerTime() : (client.getQueryData<ServerTime>(queryKey) ?? null),
});

/** Loads the server's offset before a page renders: another one would render every date again. */
export function preloadServerTime(): Promise<void> {
  return queryClient.prefetchQuery(timeQuery);
}

/**
 * The time and offset of the server, refreshed every minute. With an expired token it is not requested, because a 401
 * would redirect to the login page before the session check can offer to stay.
 */
export function ServerClock({ className, isNamed = false }: Props) {
  const { data } = useQuery({ ...timeQuery, refetchInterval: timeSpans.serverTimeRefresh });
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
