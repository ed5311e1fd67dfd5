import type { FileChange } from '@switchyard/contract/log-search';
import { logFollowLimits } from '@switchyard/contract/log-search';
import { changeOf } from './find-entries.ts';
import type { SecretHider } from './hide-secrets.ts';
import type { LogBytes } from './log-bytes.ts';
import { fileIdentity, identify, isSameFile, type LogIndex } from './log-index.ts';
import { isOfLevels, type LogFollowPlace, type LogFollowQuery, type LogNews } from './log-questions.ts';
import { newestId, readBlock, toLogEntry, type BlockEntry } from './read-block.ts';
import { createBlockSearch } from './search-blocks.ts';
import { soughtText } from './sought-text.ts';

/** Appended bytes that are read at once. What was appended before them is left out. */
const readBytes = 4_194_304;

const lineFeed = 10;

/**
 * Reads the entries that were appended to a file since a place, and the one before it if it has grown. A last line without its end waits for
 * it. Undefined: the index has to be read on.
 */
export function readNews(
  { file, index }: { file: LogBytes; index: LogIndex },
  place: LogFollowPlace | null,
  query: LogFollowQuery & { hider: SecretHider | null },
): LogNews | FileChange | undefined {
  const expected = place === null || place.identity === null ? null : fileIdentity.parse(JSON.parse(place.identity));
  if (expected !== null && !isSameFile(expected, file)) return changeOf(expected, file);
  if (place !== null && expected?.size === file.size) return { entries: [], skipped: 0, place };
  if (index.size < file.size) return undefined;
  const identity = JSON.stringify(identify(file));
  const { blocks } = index;
  if (place === null) {
    const { lastLine } = index;
    const start = lastLine === null || lastLine.isWhole ? index.size : lastLine.start;
    return { entries: [], skipped: 0, place: { start, end: start, identity } };
  }
  const oldest = Math.min(blocks.newestBefore(place.start + 1), blocks.length - 1);
  const nearest = Math.min(oldest, blocks.newestBefore(Math.max(0, file.size - readBytes)));
  const search = query.term === null ? null : createBlockSearch(index, { text: soughtText(query.term), hider: query.hider });

  /** Number of appended entries of the blocks from `oldest` to before `nearest`. */
  function countBetween(known: LogFollowPlace): number {
    const before = readBlock(file, index, oldest).filter((entry) => isKnown(entry, known)).length;
    return blocks.newerThan(oldest + 1) - blocks.newerThan(nearest + 1) - before;
  }

  let [last, isCut] = [place, false];
  const newest: { entry: BlockEntry; id: number }[] = [];
  for (let at = nearest; at >= 0; at -= 1) {
    for (const entry of readBlock(file, index, at).toReversed()) {
      if (isKnown(entry, place) || isCut) continue;
      isCut = entry.end >= file.size && !endsLine(file);
      if (isCut) continue;
      last = { start: entry.start, end: entry.end, identity };
      if (!isOfLevels(query.levels, entry.level) || search?.isMatch(entry) === false) continue;
      newest.push({ entry, id: newestId(index) - blocks.newerThan(at + 1) + 1 + entry.older });
    }
  }
  const shown = newest.slice(-logFollowLimits.entries);
  const isCounted = query.term === null && query.levels === null && index.from <= place.start;
  const skippedBlocks = nearest === oldest && index.from <= place.start ? 0 : isCounted ? countBetween(place) : null;
  return {
    entries: shown.map(({ entry, id }) => toLogEntry(entry, { format: index.format, id, hider: query.hider })),
    skipped: skippedBlocks === null ? null : skippedBlocks + newest.length - shown.length,
    place: { ...last, identity },
  };
}

/** Whether an entry was read before and has not grown. */
function isKnown({ start, end }: BlockEntry, place: LogFollowPlace): boolean {
  return start < place.start || (start === place.start && end <= place.end);
}

/** Whether a file ends with the end of a line, behind which UTF-16 has NUL as UTF-8 of equal width. */
function endsLine(file: LogBytes): boolean {
  const end = Buffer.alloc(Math.min(3, file.size));
  file.read(end, 0, end.length, file.size - end.length);
  return end.findLast((byte) => byte !== 0) === lineFeed;
}
