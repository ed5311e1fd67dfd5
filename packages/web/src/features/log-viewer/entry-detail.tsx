import { maximumEntryBytes, type LogEntry } from '@switchyard/contract/log-viewer';
import { useMemo } from 'react';
import { JsonPart } from '../../shared/json-panel/json-part.tsx';
import type { EntryPart } from './entry-parts.ts';
import { partNames } from './entry-parts.ts';
import { StackText } from './stack-text.tsx';

type Props = { entry: LogEntry; part: EntryPart; term: string };

/** Longer JSON is shown as text: a tree of so many branches would hold up the page. */
const longestTree = 100_000;

/** A part of an entry below its row (LOG-025, LOG-026). */
export function EntryDetail({ entry, part, term }: Props) {
  if (part === 'message') return <StackText title={partNames.message} text={entry.header} term={term} />;
  if (part === 'stack') return <StackText title={partNames.stack} text={entry.stack ?? ''} term={term} />;
  return <ObjectPart title={partNames[part]} value={entry[part]} term={term} />;
}

function ObjectPart({ title, value, term }: { title: string; value: unknown; term: string }) {
  const text = useMemo(() => JSON.stringify(value, null, 2), [value]);
  if (text.length > longestTree) return <StackText title={title} text={text} term={term} />;
  return <JsonPart title={title} body={value} term="" />;
}

/** How much of an entry was read, in words, where it was longer. */
export const cutNotice = `Cut at ${maximumEntryBytes / 1_048_576} MiB; the raw file has all of it`;
