import { Skeleton } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import classes from './second-factors.module.css';
import { RetryButton } from '../../shared/ui/retry.tsx';

type Props = { query: Pick<UseQueryResult, 'data' | 'error' | 'isFetching' | 'refetch'>; what: string };

/** Placeholder of a section until its data are there: grey lines, or why `what` could not be loaded. */
export function UntilLoaded({ query: { data, error, isFetching, refetch }, what }: Props) {
  if (data !== undefined) return null;
  if (error === null)
    return (
      <output aria-label="Loading">
        <Skeleton height={88} radius="lg" />
      </output>
    );
  return (
    <div className={classes['empty']}>
      <span>
        {what} could not be loaded. {error.message}
      </span>
      <RetryButton size="sm" isRunning={isFetching} onRetry={refetch} />
    </div>
  );
}
