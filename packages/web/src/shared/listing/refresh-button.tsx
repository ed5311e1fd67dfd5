import { ActionIcon } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';

/** Reloads a list with the filters in effect. */
export function RefreshButton({ onRefresh }: { onRefresh: () => void }) {
  return (
    <ActionIcon variant="default" size={32} aria-label="Refresh" title="Refresh" onClick={onRefresh}>
      <IconRefresh size={16} aria-hidden />
    </ActionIcon>
  );
}
