import { Alert, Button } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import type { List } from './use-list.ts';

/** The rows in view are older than the last, failed attempt to read them. */
export function StaleAlert({ list }: { list: Pick<List<unknown, unknown>, 'failure' | 'reload' | 'isLoading'> }) {
  return (
    <Alert
      color="danger"
      variant="light"
      icon={<IconCloudOff size={18} aria-hidden />}
      p="xs"
      title={`These rows may be old: ${list.failure ?? ''}`}
    >
      <Button size="xs" variant="default" loading={list.isLoading} onClick={list.reload}>
        Try again
      </Button>
    </Alert>
  );
}
