import { Button, type ButtonProps } from '@mantine/core';
import type { ReactNode } from 'react';

type Props = { onRetry: () => unknown; isRunning?: boolean } & Pick<ButtonProps, 'size'>;

/** Tries again what has failed. */
export function RetryButton({ onRetry, isRunning = false, size = 'compact-xs' }: Props) {
  return (
    <Button size={size} variant="default" loading={isRunning} onClick={() => void onRetry()}>
      Try again
    </Button>
  );
}

/** A line in place of what could not be loaded. */
export function RetryNote({ children, ...button }: Props & { children: ReactNode }) {
  return (
    <p className="note">
      {children} <RetryButton {...button} />
    </p>
  );
}
