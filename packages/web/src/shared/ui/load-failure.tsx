import { Button } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { StatePanel } from './state-panel.tsx';

type Props = {
  title: string;
  /** The reason. */
  children: ReactNode;
  isRunning?: boolean;
  onRetry: () => void;
};

/** In place of content that could not be loaded: the reason and a button that tries again. */
export function LoadFailure({ title, children, isRunning = false, onRetry }: Props) {
  const action = (
    <Button onClick={onRetry} loading={isRunning}>
      Try again
    </Button>
  );
  return (
    <StatePanel icon={IconCloudOff} tone="danger" title={title} action={action}>
      {children}
    </StatePanel>
  );
}
