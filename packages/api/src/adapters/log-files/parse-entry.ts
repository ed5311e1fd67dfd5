import type { LogEntry } from '@switchyard/contract/log-viewer';
import { mixedFormat, type FileFormat } from './formats/file-format.ts';
import { withoutMarks, type ParsedEntry } from './formats/log-format.ts';
import { readTime } from './formats/log-times.ts';
import type { SecretHider } from './hide-secrets.ts';

/** An entry without its place in the file. `at`: see `LogTime`. */
type ShownEntry = Omit<ParsedEntry, 'time'> & Pick<LogEntry, 'datetime'> & { at: string };

/** Parses an entry for display, with its time in UTC. `text` is the first line and the lines that continue it, cut at 1 MiB. */
export function parseEntry(text: string, format: FileFormat = mixedFormat, hider: SecretHider | null = null): ShownEntry {
  const entry = splitEntry(cleanEntry(text), format);
  const { time, ...parsedFields } = hider === null ? entry : withoutSecrets(entry, hider);
  const { text: datetime, at } = readTime(time);
  return { ...parsedFields, datetime, at };
}

/** An entry whose secrets are hidden. */
export function withoutSecrets(entry: ParsedEntry, { inText, inValue }: SecretHider): ParsedEntry {
  const { header, context, extra, stack } = entry;
  return {
    ...entry,
    header: inText(header),
    context: inValue(context),
    ...(extra !== undefined && { extra: inValue(extra) }),
    stack: stack === null ? null : inText(stack),
  };
}

/** The text of an entry as it can be shown. */
export function cleanEntry(text: string): string {
  return withoutMarks(text).replaceAll('\r\n', '\n').trimEnd();
}

/** Splits the clean text of an entry into its parts. Never fails: the header of an unknown form is its whole first line. */
export function splitEntry(text: string, { formats }: FileFormat): ParsedEntry {
  const end = text.indexOf('\n');
  const first = end === -1 ? text : text.slice(0, end);
  const rest = end === -1 ? null : text.slice(end + 1);
  for (const format of formats) {
    const entry = format.parse({ first, rest });
    if (entry !== null) return entry;
  }
  return { env: '', time: undefined, header: first, context: null, stack: rest };
}
