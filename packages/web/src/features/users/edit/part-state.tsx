import { Button, Skeleton } from '@mantine/core';
import { isForbidden } from '../../../shared/api/call-error.ts';
import classes from './account-parts.module.css';

type Props = {
  /** What is shown, e.g. `permissions`. */
  noun: string;
  error: Error | null;
  onRetry: () => void;
};

/** Stands for a part of the edit page while it loads, or once it could not be. */
export function PartState({ noun, error, onRetry }: Props) {
  if (error === null) return <Skeleton height={96} radius="md" aria-label={`Loading the ${noun}`} />;
  return (
    <p className={classes['note']}>
      {isForbidden(error) ? `Your account may not see the ${noun}.` : `The ${noun} could not be loaded.`}{' '}
      {!isForbidden(error) && (
        <Button size="compact-xs" variant="default" onClick={onRetry}>
          Try again
        </Button>
      )}
    </p>
  );
}
