import { Button, NativeSelect } from '@mantine/core';
import { logFormats, type LogFormatName } from '@switchyard/contract/log-viewer';
import { IconDownload, IconEye, IconEyeOff, IconFileText, IconListSearch, IconTrash, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { AppLink, useOpenPath } from '../../shared/navigation.tsx';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { groupedNumber } from '../../shared/ui/text-format.ts';
import { CopyIcon } from '../../shared/ui/copy.tsx';
import { logFormatLabels } from './format-labels.ts';
import { confirmDeletion, confirmRaw, confirmSecrets, confirmWorkbook } from './log-actions.ts';
import classes from './log-info.module.css';
import { type LogSource, searchPath } from './log-source.ts';
import type { LogDayFacts, LogDayReading, LogEntries } from './use-log-day.ts';
import { SearchField } from '../../shared/listing/search-field.tsx';
import { Fact } from '../../shared/ui/fact.tsx';

type Props = { source: LogSource; reading: LogDayReading; day: LogDayFacts };

/** The file of the day, the search in it, and its actions. */
export function LogInfo({ source, reading, day }: Props) {
  const { list, showsSecrets: secrets, setShowsSecrets } = reading;
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
        <Fact name="Format">
          <FormatSelect list={list} recognised={day.format} />
        </Fact>
      </dl>
      <div className={classes['tools']}>
        <LogSearch source={source} list={list} />
        <div className={classes['buttons']} data-screen-only>
          {secrets ? (
            <Button
              variant="light"
              color="warning"
              leftSection={<IconEyeOff size={16} aria-hidden />}
              onClick={() => setShowsSecrets(false)}
            >
              Hide secrets
            </Button>
          ) : (
            <Button
              variant="default"
              leftSection={<IconEye size={16} aria-hidden />}
              onClick={() => confirmSecrets(source, date, () => setShowsSecrets(true))}
            >
              Show secrets
            </Button>
          )}
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => confirmWorkbook(source, date, { format: list.query.format, secrets })}
          >
            Download
          </Button>
          <Button
            variant="default"
            leftSection={<IconFileText size={16} aria-hidden />}
            title="Original file"
            onClick={() => confirmRaw(source, { date, bytes, secrets })}
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

type FormatSelectProps = { list: LogEntries; recognised: LogFormatName | undefined };

/** The format in which the day is read: the recognised one, unless another is set. */
function FormatSelect({ list: { query, change }, recognised }: FormatSelectProps) {
  const label = recognised === undefined ? 'Automatic' : `Automatic: ${logFormatLabels[recognised]}`;
  const automatic = query.format === undefined ? label : 'Automatic';
  return (
    <NativeSelect
      size="xs"
      w={248}
      aria-label="Format"
      value={query.format ?? ''}
      data={[{ value: '', label: automatic }, ...logFormats.map((value) => ({ value, label: logFormatLabels[value] }))]}
      onChange={({ currentTarget: { value } }) => change({ format: logFormats.find((format) => format === value) })}
    />
  );
}

/** Maximum length of the search text. */
const maximumLength = 200;

/** The search in a day: literal text, in every level. */
function LogSearch({ source, list: { query, change, reload } }: { source: LogSource; list: LogEntries }) {
  const [input, setInput] = useState(query.query);
  const [seenQuery, setSeenQuery] = useState(query.query);
  // The history and links change the search too.
  if (seenQuery !== query.query) {
    setSeenQuery(query.query);
    setInput(query.query);
  }
  const wantedQuery = input?.trim() === '' ? undefined : input?.trim();

  const search = (): void => {
    if (wantedQuery === query.query && query.level === 'all') reload();
    else change({ query: wantedQuery, level: 'all' });
  };
  const clear = (): void => {
    setInput(undefined);
    if (query.query !== undefined) change({ query: undefined, level: 'all' });
  };
  return (
    <search className={classes['search']} data-screen-only>
      <form
        className={classes['form']}
        onSubmit={(event) => {
          event.preventDefault();
          search();
        }}
      >
        <div className={classes['field']}>
          <SearchField value={input} onChange={setInput} placeholder="Text in header, context or stack" maxLength={maximumLength} />
        </div>
        <Button type="submit" variant={wantedQuery === query.query ? 'default' : 'filled'}>
          Search
        </Button>
        <Button variant="subtle" color="neutral" px={8} leftSection={<IconX size={14} aria-hidden />} onClick={clear}>
          Clear
        </Button>
        <Button
          component={AppLink}
          href={searchPath(source, { query: query.query })}
          variant="subtle"
          color="neutral"
          px={8}
          leftSection={<IconListSearch size={14} aria-hidden />}
        >
          All days
        </Button>
      </form>
    </search>
  );
}
