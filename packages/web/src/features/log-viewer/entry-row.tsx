import { Button, VisuallyHidden } from '@mantine/core';
import type { LogEntry } from '@switchyard/contract/log-viewer';
import { IconScissors } from '@tabler/icons-react';
import { memo, type ReactNode } from 'react';
import { LogLevelIcon } from '../../shared/logs/log-level-icon.tsx';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { CopyIcon } from '../../shared/ui/copy-icon.tsx';
import { GridTabIndex } from '../../shared/ui/grid-tab-index.ts';
import { HoverTooltip } from '../../shared/ui/hover-tooltip.tsx';
import classes from './entries-table.module.css';
import { cutNotice, EntryDetail } from './entry-detail.tsx';
import { partNames, partsOf, shownHeader, type EntryPart } from './entry-parts.ts';
import { MarkedText } from './marked-text.tsx';
import { VisibleText } from '../../shared/ui/visible-text.tsx';

/** The parts that are folded out, by `partKey`. */
export type OpenParts = ReadonlySet<string>;

/** Names a part of an entry among all entries of a page; the entry by `entryNames`. */
export function partKey(name: string, part: EntryPart): string {
  return `${part} ${name}`;
}

type Props = {
  /** Of `entryNames`. */
  name: string;
  entry: LogEntry;
  index: number;
  isActive: boolean;
  open: OpenParts;
  onToggle: (key: string) => void;
  term: string;
};

/** An entry and, below it, the parts of it that are folded out. */
export const EntryRow = memo(function EntryRow({ name, entry, index, isActive, open, onToggle, term }: Props) {
  const displayDate = useDisplayDate();
  const { env, level, datetime, header, truncated } = entry;
  const parts = partsOf(entry);
  const shown = parts.filter((part) => open.has(partKey(name, part)));
  const time = displayDate(datetime);
  const tabIndex = isActive ? 0 : -1;
  return (
    <tbody data-level={level}>
      <tr className={classes['row']} tabIndex={tabIndex} data-index={index} data-open={shown.length > 0 || undefined}>
        <Cell column="env">{env === '' ? '-' : <VisibleText text={env} />}</Cell>
        <Cell column="level">
          {level === '' ? (
            '-'
          ) : (
            <span className={classes['level']}>
              <LogLevelIcon level={level} size="s" isDecorative />
              {level}
            </span>
          )}
        </Cell>
        {/* What is no time that we know is shown as it was written. */}
        <Cell column="time">{time === '-' && datetime !== '' ? <VisibleText text={datetime} /> : time}</Cell>
        <Cell column="header">
          <MarkedText text={shownHeader(header)} term={term} />
        </Cell>
        <Cell column="actions">
          <GridTabIndex.Provider value={tabIndex}>
            <span className={classes['actions']}>
              {truncated && (
                <HoverTooltip label={cutNotice} isFocusable opensOnPress>
                  <IconScissors size={14} aria-hidden className={classes['cut']} />
                  <VisuallyHidden>Cut</VisuallyHidden>
                </HoverTooltip>
              )}
              {parts.map((part) => (
                <Button
                  key={part}
                  size="compact-xs"
                  variant={shown.includes(part) ? 'filled' : 'default'}
                  color="neutral"
                  aria-expanded={shown.includes(part)}
                  tabIndex={tabIndex}
                  onClick={() => onToggle(partKey(name, part))}
                >
                  {partNames[part]}
                </Button>
              ))}
              <CopyIcon text={() => JSON.stringify(entry, null, 2)} label="Copy entry as JSON" />
            </span>
          </GridTabIndex.Provider>
        </Cell>
      </tr>
      {shown.length > 0 && (
        <tr className={classes['detail']}>
          <td colSpan={5}>
            {shown.map((part) => (
              <EntryDetail key={part} entry={entry} part={part} term={term} />
            ))}
          </td>
        </tr>
      )}
    </tbody>
  );
});

function Cell({ column, children }: { column: string; children: ReactNode }) {
  return <td data-column={column}>{children}</td>;
}
