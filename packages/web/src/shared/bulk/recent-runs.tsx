import { Button, Menu, Text } from '@mantine/core';
import { listBulkRuns, type BulkEntityName, type BulkRun } from '@switchyard/contract/bulk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, inBackground } from '../api/call.ts';
import { useDisplayDate } from '../time/server-time.ts';
import type { BulkBegin } from './bulk-dialog.tsx';
import { countText, runName, stateNames } from './bulk-texts.ts';

const shownRuns = 10;

function stateText({ state, entity, result, undone_by: undoneBy }: BulkRun): string {
  const changed = result.changed === 0 ? '' : `, ${countText(entity, result.changed)} changed`;
  return `${stateNames[state]}${changed}${undoneBy === null ? '' : ', undone'}`;
}

/** The menu of one's own newest runs, which shows their results and undoes them. */
export function RecentRuns({ entity, onOpen }: { entity: BulkEntityName; onOpen: (run: BulkBegin) => void }) {
  const displayDate = useDisplayDate();
  const [isOpen, setOpen] = useState(false);
  const { data, isError } = useQuery({
    queryKey: ['bulk-runs', entity],
    queryFn: ({ signal }) => call(listBulkRuns, { query: { page: 1, limit: shownRuns, entity }, signal, ...inBackground }),
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
        <Menu.Label>Your changes of the last 30 days</Menu.Label>
        {data?.data.map((run) => (
          <Menu.Item key={run.id} onClick={() => onOpen({ title: runName(run), runId: run.id })}>
            {runName(run)}
            <Text c="dimmed" size="sm">
              {displayDate(run.started_at ?? run.created_at)}, {stateText(run)}
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
