import { Button, Mark, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { type LogEntry, maximumEntryBytes } from '@switchyard/contract/log-viewer';
import { IconLink, IconScissors } from '@tabler/icons-react';
import { memo, type ReactNode, useMemo, useState } from 'react';
import { RowLink } from '../../shared/navigation.tsx';
import { plainClasses } from '../../shared/ui/plain-buttons.ts';
import { CopyIcon } from '../../shared/ui/copy.tsx';
import { GridTabIndex } from '../../shared/ui/grid-tab-index.ts';
import { HoverTooltip } from '../../shared/ui/hover-tooltip.tsx';
import classes from './entries-table.module.css';
import { EntryEnv, EntryLevel, EntryTime } from './entry-grid.tsx';
import { partNames, partsOf, shownHeader, type EntryPart, foldStack, isForeign, shownStackLines } from './entry-parts.ts';
import { VisibleText } from '../../shared/ui/visible-text.tsx';
import { JsonPart } from '../../shared/json-panel/json-part.tsx';
import { PanelPart } from '../../shared/json-panel/panel-part.tsx';
import { groupedNumber } from '../../shared/ui/text-format.ts';

/** The expanded parts, by `partKey`. */
export type OpenParts = ReadonlySet<string>;

/** Identifies a part of an entry among all entries of a page; `name` is from `entryNames`. */
export function partKey(name: string, part: EntryPart): string {
  return `${part} ${name}`;
}

type EntryRowProps = {
  /** One of `entryNames`. */
  name: string;
  entry: LogEntry;
  index: number;
  isActive: boolean;
  /** Whether the address names this entry. */
  isLinked: boolean;
  /** The address of the entry among its neighbours. */
  path: string;
  open: OpenParts;
  onToggle: (key: string) => void;
  term: string;
};

/** An entry and its expanded parts below it. */
export const EntryRow = memo(function EntryRow({ name, entry, index, isActive, isLinked, path, open, onToggle, term }: EntryRowProps) {
  const { env, level, datetime, header, source, truncated } = entry;
  const parts = partsOf(entry);
  const shownParts = parts.filter((part) => open.has(partKey(name, part)));
  const tabIndex = isActive ? 0 : -1;
  return (
    <tbody data-level={level}>
      <tr
        className={classes['row']}
        tabIndex={tabIndex}
        data-index={index}
        data-linked={isLinked || undefined}
        data-open={shownParts.length > 0 || undefined}
      >
        <Cell column="env">
          <EntryEnv env={env} source={source} />
        </Cell>
        <Cell column="level">
          <EntryLevel level={level} />
        </Cell>
        <Cell column="time">
          <EntryTime datetime={datetime} />
        </Cell>
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
                  variant={shownParts.includes(part) ? 'filled' : 'default'}
                  color="neutral"
                  aria-expanded={shownParts.includes(part)}
                  tabIndex={tabIndex}
                  onClick={() => onToggle(partKey(name, part))}
                >
                  {partNames[part]}
                </Button>
              ))}
              <RowLink href={path} className={plainClasses.icon} data-size="sm" title={linkTitle} aria-label={linkTitle}>
                <IconLink size={14} aria-hidden />
              </RowLink>
              <CopyIcon text={() => JSON.stringify(entry, null, 2)} label="Copy entry as JSON" />
            </span>
          </GridTabIndex.Provider>
        </Cell>
      </tr>
      {shownParts.length > 0 && (
        <tr className={classes['detail']}>
          <td colSpan={5}>
            {shownParts.map((part) => (
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

type EntryDetailProps = { entry: LogEntry; part: EntryPart; term: string };

/** JSON longer than this is shown as text, because a tree of that size would block the page. */
const maximumTreeLength = 100_000;

/** A part of an entry below its row. */
function EntryDetail({ entry, part, term }: EntryDetailProps) {
  if (part === 'message') return <StackText title={partNames.message} text={entry.header} term={term} />;
  if (part === 'stack') return <StackText title={partNames.stack} text={entry.stack ?? ''} term={term} />;
  return <ObjectPart title={partNames[part]} value={entry[part]} term={term} />;
}

function ObjectPart({ title, value, term }: { title: string; value: unknown; term: string }) {
  const text = useMemo(() => JSON.stringify(value, null, 2), [value]);
  if (text.length > maximumTreeLength) return <StackText title={title} text={text} term={term} />;
  return <JsonPart title={title} body={value} term="" />;
}

const linkTitle = 'Link to this entry among its neighbours';

/** The tooltip of a truncated entry. */
const cutNotice = `Cut at ${maximumEntryBytes / 1_048_576} MiB. The raw file has the whole entry.`;

type StackTextProps = { title: string; text: string; term: string };

/** Lines of text with those of libraries dimmed and folded; the rest of a long text is shown on demand. */
function StackText({ title, text, term }: StackTextProps) {
  const [isWhole, setWhole] = useState(false);
  const lines = text.split('\n');
  const shownParts = isWhole ? lines : lines.slice(0, shownStackLines);
  return (
    <PanelPart title={title} copyText={text}>
      <pre className={classes['lines']}>
        {foldStack(shownParts, term).map((part) =>
          'line' in part ? <StackLine key={part.at} line={part.line} term={term} /> : <FoldedLines key={part.at} lines={part.folded} />,
        )}
      </pre>
      {shownParts.length < lines.length && (
        <Button size="compact-sm" variant="default" onClick={() => setWhole(true)}>
          Show all {groupedNumber(lines.length)} lines
        </Button>
      )}
    </PanelPart>
  );
}

function StackLine({ line, term }: { line: string; term: string }) {
  return (
    <span data-foreign={isForeign(line) || undefined}>
      <MarkedText text={line} term={term} />
      {'\n'}
    </span>
  );
}

/** Lines of libraries, which a press unfolds. */
function FoldedLines({ lines }: { lines: readonly string[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <UnstyledButton className={classes['fold']} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Hide' : 'Show'} {groupedNumber(lines.length)} frames of libraries
      </UnstyledButton>
      {'\n'}
      {isOpen && withPositions(lines).map(({ part, at }) => <StackLine key={at} line={part} term="" />)}
    </>
  );
}

/** A text with all matches of the search term highlighted, ignoring case. */
function MarkedText({ text, term }: { text: string; term: string }) {
  if (term === '') return <VisibleText text={text} />;
  // The parts at odd positions are the matches of the group.
  const parts = text.split(new RegExp(`(${term.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)})`, 'i'));
  return withPositions(parts).map(({ part, at }) =>
    at % 2 === 1 ? (
      <Mark key={at}>
        <VisibleText text={part} />
      </Mark>
    ) : (
      <VisibleText key={at} text={part} />
    ),
  );
}

/** Parts with their positions as keys, because equal parts may repeat. */
function withPositions(parts: readonly string[]) {
  return parts.map((part, at) => ({ part, at }));
}
