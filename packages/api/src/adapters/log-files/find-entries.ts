import type { FileChange, LogExcerpt } from '@switchyard/contract/log-search';
import type { SecretHider } from './hide-secrets.ts';
import type { LogBytes } from './log-bytes.ts';
import { endOf, fileIdentity, type FileIdentity, identify, isSameFile, type LogIndex } from './log-index.ts';
import { isOfLevels, type FoundEntry, type LogFinding, type LogFindQuery, type LogPlace } from './log-questions.ts';
import { cleanEntry, parseEntry, splitEntry, withoutSecrets } from './parse-entry.ts';
import { newestId, readBlock, type BlockEntry } from './read-block.ts';
import { createBlockSearch, findShownPart, type BlockSearch } from './search-blocks.ts';
import { soughtText, type SoughtText } from './sought-text.ts';

/** Duration of one step. Other callers are served between the steps. */
const stepMilliseconds = 5;

/** Maximum characters of a header, and of a text and what is around it. */
const shownCharacters = { header: 500, before: 120, match: 240, after: 240 } as const;

type Finding = {
  /**
   * Searches for some milliseconds. Returns what was found after `until`, if there are enough entries, or at the start of the file; undefined:
   * the search goes on.
   */
  step: (file: LogBytes, index: LogIndex, until: number) => LogFinding | FileChange | undefined;
};

/** Searches a file backwards from a place, or from its newest entry. Unlike `LogSearch` it counts nothing, so nothing of it is kept. */
export function beginFinding(
  { term, levels, limit }: LogFindQuery,
  { place: start, hider }: { place: LogPlace | null; hider: SecretHider | null },
): Finding {
  const sought = term === null ? null : soughtText(term);
  let expected: FileIdentity | null = start === null ? null : fileIdentity.parse(JSON.parse(start.identity));
  const entries: FoundEntry[] = [];
  const memory: { search: BlockSearch | null; searched: LogIndex | null } = { search: null, searched: null };
  let place = start;

  function countIn({ blocks }: LogIndex, at: number): number {
    return levels === null ? blocks.countOf(at, 'all') : levels.reduce((sum, level) => sum + blocks.countOf(at, level), 0);
  }

  function searchOf(index: LogIndex): BlockSearch | null {
    if (sought !== null && memory.searched !== index) {
      memory.search = createBlockSearch(index, { text: sought, hider });
      memory.searched = index;
    }
    return memory.search;
  }

  /** Searches about 1 MiB before an offset, or less until a time. Returns where the search goes on; null if no entry is indexed before it. */
  function searchBefore(file: LogBytes, index: LogIndex, { offset, until }: { offset: number; until: number }): number | null {
    const { blocks } = index;
    const search = searchOf(index);
    let newer = blocks.newestBefore(offset);
    while (newer < blocks.length && countIn(index, newer) === 0) newer += 1;
    if (newer >= blocks.length) return null;
    const older = search === null ? newer : search.reach(newer, 1, blocks.length - 1);
    for (const at of search === null ? [newer] : search.mayMatch(file, older, newer).toReversed()) {
      if (countIn(index, at) === 0) continue;
      const before = Math.min(offset, endOf(index, at));
      for (const entry of readBlock(file, index, at, before)) {
        if (!isOfLevels(levels, entry.level)) continue;
        if (search?.isMatch(entry) !== false) {
          const id = newestId(index) - blocks.newerThan(at + 1) + 1 + entry.older;
          entries.push(toFoundEntry(entry, { index, sought, hider, id }));
        }
        // Searching an entry may take long.
        if (entries.length >= limit || performance.now() > until) return entry.start;
      }
    }
    return blocks.startOf(older);
  }

  return {
    step(file, index, until) {
      if (expected !== null && !isSameFile(expected, file)) return changeOf(expected, file);
      expected ??= identify(file);
      place ??= { before: expected.size, identity: JSON.stringify(expected) };
      const unsearched = { entries, place, isDone: false, isIndexing: true };
      if (index.size < expected.size)
        return performance.now() > until
          ? { ...unsearched, progress: { bytes: Math.max(0, file.size - place.before), of: file.size } }
          : undefined;
      const stepEnd = performance.now() + stepMilliseconds;
      for (;;) {
        const isIndexing = index.from > 0;
        const before = searchBefore(file, index, { offset: place.before, until });
        const isWaiting = isIndexing && before === null;
        if (!isWaiting) place = { ...place, before: before ?? 0 };
        const isDone = place.before <= 0;
        const now = performance.now();
        if (isDone || entries.length >= limit || now > until)
          return {
            entries,
            place,
            isDone,
            isIndexing,
            progress: { bytes: Math.max(0, file.size - (isWaiting ? index.from : place.before)), of: file.size },
          };
        if (isWaiting || now > stepEnd) return undefined;
      }
    },
  };
}

/** What happened to a file that is not the one that was searched. */
export function changeOf(expected: { inode: number; device: number; size: number }, file: LogBytes): FileChange {
  return expected.inode === file.inode && expected.device === file.device && file.size < expected.size ? 'truncated' : 'replaced';
}

type Shown = { index: LogIndex; sought: SoughtText | null; hider: SecretHider | null; id: number };

function toFoundEntry({ bytes, level, end }: BlockEntry, { index: { format }, sought, hider, id }: Shown): FoundEntry {
  const text = bytes.toString();
  const { at, datetime, env, header } = parseEntry(text, format, hider);
  return {
    id,
    at,
    datetime,
    level,
    env,
    header: header.slice(0, shownCharacters.header),
    excerpt: sought === null ? null : excerptOf(text, { format, sought, hider }),
    end,
  };
}

function excerptOf(
  written: string,
  { format, sought, hider }: Pick<Shown, 'hider'> & Pick<LogIndex, 'format'> & { sought: SoughtText },
): LogExcerpt {
  const text = cleanEntry(written);
  const entry = splitEntry(text, format);
  // Of an entry with a hidden secret, a shown part matches.
  const found = findShownPart(hider === null ? entry : withoutSecrets(entry, hider), sought) ?? { part: 'file', text };
  const place = sought.find(found.text) ?? { start: 0, end: 0 };
  return {
    part: found.part,
    before: found.text.slice(Math.max(0, place.start - shownCharacters.before), place.start),
    match: found.text.slice(place.start, Math.min(place.end, place.start + shownCharacters.match)),
    after: found.text.slice(place.end, place.end + shownCharacters.after),
  };
}
