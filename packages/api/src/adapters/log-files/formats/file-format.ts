import type { LogFormatName } from '@switchyard/contract/log-viewer';
import { jsonLines } from './json-lines.ts';
import { patternFormats } from './line-patterns.ts';
import { withoutMarks, type LineText, type LogFormat } from './log-format.ts';
import { isLogfmt, logfmt } from './logfmt.ts';
import { monolog } from './monolog.ts';
import { timedText } from './timed-text.ts';
import { w3cOf } from './w3c.ts';

/**
 * How a file is read. A line begins an entry if one of `formats` says so; the first that does reads it. `starts` is 1 for bytes with which a
 * line can begin one, or undefined if it can with any.
 */
export type FileFormat = { name: LogFormatName; formats: readonly LogFormat[]; starts: Uint8Array | undefined };

/** Formats that a line of any file may have, because services write to the same file. */
const mixed = [jsonLines, monolog, ...patternFormats.mixed, timedText];

/** Every line is an entry, for files of which no line is recognised. */
const lines: LogFormat = {
  name: 'lines',
  level: ({ head }) => (head.trim() === '' ? null : ''),
  parse: ({ first, rest }) => ({ env: '', time: undefined, header: first, context: null, stack: rest }),
};

/** Formats by which a file is recognised, those with the most certain lines first. */
const recognised = [jsonLines, ...patternFormats.certain, ...patternFormats.mixed, monolog, logfmt, timedText, patternFormats.levelFirst];

/** First bytes of an escape sequence and of a byte order mark. */
const firstOfMarks = [0x1b, 0xef];

/** A format that is read without looking at a file: JSON, Monolog and times. */
export const mixedFormat: FileFormat = fileFormat('text', mixed);

function fileFormat(name: LogFormatName, formats: readonly LogFormat[]): FileFormat {
  if (formats.some((format) => format.starts === undefined)) return { name, formats, starts: undefined };
  const starts = new Uint8Array(256);
  for (const byte of [...firstOfMarks, ...formats.flatMap((format) => [...(format.starts ?? [])])]) starts[byte] = 1;
  return { name, formats, starts };
}

/**
 * Recognises a file by its first block: the format of most of its lines, beside which JSON, Monolog and lines with times are still read,
 * and others of which the block has whole lines.
 * If no line begins an entry, each line is one.
 */
export function recogniseFormat(firstBlock: string): FileFormat {
  const text = withoutMarks(firstBlock);
  const w3c = text.startsWith('#') ? w3cOf(text) : null;
  if (w3c !== null) return fileFormat('w3c', [w3c]);
  const counts = new Map<LogFormat, number>();
  for (const line of text.split('\n')) {
    const format = recognised.find((one) => isLineOf(one, line.trimEnd()));
    if (format !== undefined) counts.set(format, (counts.get(format) ?? 0) + 1);
  }
  const [first] = [...counts].toSorted(([, one], [, other]) => other - one);
  if (first === undefined) return fileFormat('lines', [lines]);
  const [main] = first;
  const others = patternFormats.certain.filter((format) => format !== main && counts.has(format));
  return fileFormat(main.name, [...(mixed.includes(main) ? [] : [main]), ...others, ...mixed]);
}

function isLineOf(format: LogFormat, line: string): boolean {
  const begins = format.level(lineText(line)) !== null;
  // A text may have an equals sign.
  return begins && (format !== logfmt || isLogfmt(line));
}

/** The format that a user has chosen. */
export function chosenFormat(name: LogFormatName, firstBlock: string): FileFormat {
  const w3c = name === 'w3c' ? w3cOf(withoutMarks(firstBlock)) : null;
  return fileFormat(name, [w3c ?? [...recognised, lines].find((format) => format.name === name) ?? lines]);
}

/** A whole line, for its level. */
function lineText(line: string): LineText {
  return { head: line, whole: () => line, lastCharacter: () => line.trimEnd().slice(-1), isCut: false };
}
