import { Button, Skeleton } from '@mantine/core';
import type { Panel } from '@switchyard/contract/permissions';
import type { PermissionRow } from '@switchyard/contract/roles';
import { IconCloudOff, IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { isForbidden } from '../../shared/api/call-error.ts';
import { StatePanel } from '../../shared/ui/state-panel.tsx';
import { usePermissions } from './role-query.ts';

type Props = { panel: Panel; children: (permissions: readonly PermissionRow[]) => ReactNode };

/** Shows its content once the permissions of a panel are known. */
export function WithPermissions({ panel, children }: Props) {
  const { data, error, isFetching, refetch } = usePermissions(panel);
  if (data !== undefined) return children(data.data);
  if (error === null) return <RoleSketch />;
  if (isForbidden(error)) {
    return (
      <StatePanel icon={IconLock} tone="warning" title="No access">
        Your account may not see the permissions. Ask an administrator for the permission.
      </StatePanel>
    );
  }
  return (
    <StatePanel
      icon={IconCloudOff}
      tone="danger"
      title="The permissions could not be loaded"
      action={
        <Button onClick={() => void refetch()} loading={isFetching}>
          Try again
        </Button>
      }
    >
      {error.message}
    </StatePanel>
  );
}

/** Stands in for the form while it loads. */
export function RoleSketch() {
  return (
    <output aria-label="Loading">
      <Skeleton height={36} width={320} mb="md" />
      <Skeleton height={280} radius="lg" />
    </output>
  );
}
