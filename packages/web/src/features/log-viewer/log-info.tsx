import { Button } from '@mantine/core';
import { IconDownload, IconFileText, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useOpenPath } from '../../shared/navigation.tsx';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { groupedNumber } from '../../shared/traffic/counter-text.ts';
import { CopyIcon } from '../../shared/ui/copy-icon.tsx';
import { confirmDeletion, confirmRaw, confirmWorkbook } from './log-actions.ts';
import classes from './log-info.module.css';
import { LogSearch } from './log-search.tsx';
import type { LogSource } from './log-source.ts';
import type { LogDayFacts, LogEntries } from './use-log-day.ts';

type Props = { source: LogSource; list: LogEntries; day: LogDayFacts };

/** What the file of the day is, the search in it, and what can be done with it (LOG-017 to LOG-023). */
export function LogInfo({ source, list, day }: Props) {
  const displayDate = useDisplayDate();
  const openPath = useOpenPath();
  const { date, path, size, size_bytes: bytes } = day;
  return (
    <section className={classes['box']} aria-label="Log info">
      <dl className={classes['facts']}>
        <Fact name="File path">
          <span className={classes['path']}>{path}</span>
          <CopyIcon text={path} label="Copy file path" />
        </Fact>
        <Fact name="Entries">{groupedNumber(day.all)}</Fact>
        <Fact name="Size">
          <span title={`${groupedNumber(bytes)} bytes`}>{size}</span>
        </Fact>
        <Fact name="Created at">{displayDate(day.created_at)}</Fact>
        <Fact name="Updated at">{displayDate(day.updated_at)}</Fact>
      </dl>
      <div className={classes['tools']}>
        <LogSearch list={list} />
        <div className={classes['buttons']} data-screen-only>
          <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} onClick={() => confirmWorkbook(source, date)}>
            Download
          </Button>
          <Button
            variant="default"
            leftSection={<IconFileText size={16} aria-hidden />}
            title="The file as it is"
            onClick={() => confirmRaw(source, { date, bytes })}
          >
            Raw .log
          </Button>
          <Button
            variant="light"
            color="danger"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => confirmDeletion(source, date, () => openPath(source.listPath(), { replace: true }))}
          >
            Delete
          </Button>
        </div>
      </div>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes['fact']}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
