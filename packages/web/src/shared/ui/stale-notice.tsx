import { Alert } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import { RetryButton } from './retry.tsx';

/** Says that what is shown may be old because it could not be read again, and why: `These rows may be old: …`. */
export function StaleNotice({ what, why, ...button }: { what: string; why: string; isRunning: boolean; onRetry: () => unknown }) {
  return (
    <Alert color="danger" variant="light" icon={<IconCloudOff size={18} aria-hidden />} p="xs" title={`These ${what} may be old: ${why}`}>
      <RetryButton size="xs" {...button} />
    </Alert>
  );
}
