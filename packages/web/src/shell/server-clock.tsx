import { spans } from '@switchyard/contract/limits';
import { Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { loadServerTime } from '../shared/time/server-time.ts';

/** The server's time and offset as received, asked anew each minute (SHELL-042, AMB-034). */
export function ServerClock({ className }: { className: string }) {
  const { data } = useQuery({ queryKey: ['server-time'], queryFn: loadServerTime, refetchInterval: spans.serverTimeRefresh });
  if (data === undefined) return null;
  return (
    <Tooltip label={`Server time, ${data.timezone}. Dates in the platform are shown in it.`}>
      <time className={className} data-testid="server-time">
        {data.time} GMT{data.GMT}
      </time>
    </Tooltip>
  );
}
