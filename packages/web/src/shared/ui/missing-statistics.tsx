import { Alert, Stack, Text } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { RetryButton } from './retry.tsx';

/** Milliseconds after which a page with missing statistics is loaded again. */
export const missingStatisticsReload = 10_000;

type Props = {
  /** Further consequences on this page. */
  children?: ReactNode;
  isRunning: boolean;
  onRetry: () => void;
};

/** Says that figures are missing because the event store is unavailable. The page loads them again by itself, too. */
export function MissingStatistics({ children, isRunning, onRetry }: Props) {
  return (
    <Alert
      color="warning"
      variant="light"
      icon={<IconCloudOff size={18} aria-hidden />}
      p="xs"
      title="Statistics are missing: the event store is unavailable"
    >
      <Stack gap={8} align="flex-start">
        {children !== undefined && <Text size="sm">{children}</Text>}
        <RetryButton size="xs" isRunning={isRunning} onRetry={onRetry} />
      </Stack>
    </Alert>
  );
}
