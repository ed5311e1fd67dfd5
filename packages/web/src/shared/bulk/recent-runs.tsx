import { Button, Menu, Text } from '@mantine/core';
import { listBulkRuns } from '@switchyard/contract/bulk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, inBackground } from '../api/call.ts';
import type { BulkBegin } from './bulk-dialog.tsx';
import { runName, stateNames } from './bulk-texts.ts';

const shownRuns = 10;

/** The menu of one's own newest runs, which shows their results and undoes them. */
export function RecentRuns({ onOpen }: { onOpen: (run: BulkBegin) => void }) {
  const [isOpen, setOpen] = useState(false);
  const { data, isError } = useQuery({
    queryKey: ['bulk-runs'],
    queryFn: ({ signal }) => call(listBulkRuns, { query: { page: 1, limit: shownRuns }, signal, ...inBackground }),
    enabled: isOpen,
    staleTime: 0,
  });
  return (
    <Menu position="bottom-start" shadow="md" transitionProps={{ duration: 120 }} opened={isOpen} onChange={setOpen}>
      <Menu.Target>
        <Button size="compact-sm" variant="default">
          Recent changes
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {data?.data.map((run) => (
          <Menu.Item key={run.id} onClick={() => onOpen({ title: runName(run), runId: run.id })}>
            {runName(run)}
            <Text c="dimmed" size="sm">
              #{run.id}, {stateNames[run.state]}
            </Text>
          </Menu.Item>
        ))}
        {(isError || data?.data.length === 0) && (
          <Menu.Item disabled>{isError ? 'The changes could not be loaded' : 'No changes in the last 30 days'}</Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
