import { Group } from '@mantine/core';
import { logDaysQuery, logTexts, type LogDay } from '@switchyard/contract/log-viewer';
import { useMemo, useRef } from 'react';
import { call } from '../../shared/api/call.ts';
import { ColumnMenu } from '../../shared/listing/column-menu.tsx';
import { ListPage } from '../../shared/listing/list-page.tsx';
import { RefreshButton } from '../../shared/listing/refresh-button.tsx';
import { useListTable } from '../../shared/listing/use-list-table.ts';
import { useList } from '../../shared/listing/use-list.ts';
import { useOpenPath } from '../../shared/navigation.tsx';
import { logDaysColumns } from './log-days-columns.tsx';
import classes from './log-days.module.css';
import { appLogs, consoleLogs, type LogSource } from './log-source.ts';

/** Milliseconds between two looks at days whose files are still being read. */
const lookAgainAfter = 1_000;

const rowId = ({ date }: LogDay): string => date;

/** Days of the console's own log (LOG-001). */
export function LogsPage() {
  return <LogDaysPage source={consoleLogs} />;
}

/** Days of the log of the app service (LOG-002). */
export function AppLogsPage() {
  return <LogDaysPage source={appLogs} />;
}

/** The days of a log with their entries by level, newest first (LOG-005 to LOG-013, AMB-044). */
function LogDaysPage({ source }: { source: LogSource }) {
  const isRepeated = useRef(false);
  const list = useList({
    name: source.name,
    schema: logDaysQuery,
    load: (query, signal) => call(source.calls.listDays, { query, signal, isSilent: isRepeated.current }),
    repeat: ({ data }) => {
      isRepeated.current = data.some(({ indexing }) => indexing !== undefined);
      return isRepeated.current && lookAgainAfter;
    },
  });
  const openPath = useOpenPath();
  const columns = useMemo(() => logDaysColumns(source), [source]);
  const table = useListTable({ name: source.name, columns, rows: list.rows, rowId });
  return (
    <ListPage
      list={list}
      table={table}
      noun="days"
      pages="links"
      actions={
        <Group gap={8}>
          <RefreshButton onRefresh={list.reload} />
          <span className={classes['columns']}>
            <ColumnMenu list={table} />
          </span>
        </Group>
      }
      filters={null}
      chips={[]}
      onRemoveChip={() => undefined}
      onClearChips={() => undefined}
      onOpen={({ date }) => openPath(source.dayPath(date))}
      empty={{ title: logTexts.empty, text: `Each day on which ${source.owner} writes something gets a file of its own.` }}
    />
  );
}
