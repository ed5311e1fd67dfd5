import { cutText } from '@switchyard/contract/text-fields';
import { dayRange, type Microseconds, parseDateTime } from '@switchyard/contract/dates';
import type { TimelineRow } from '@switchyard/contract/subjects';
import { listLogDays, type LogDay } from '../../adapters/log-files/log-folder.ts';
import type { TimedEntry } from '../../adapters/log-files/log-questions.ts';
import type { LogDayReader } from '../../adapters/log-files/read-log-day.ts';
import { hour } from '@switchyard/traffic-store/time-buckets';
import type { LogPlace } from './timeline-position.ts';

/** An entry of the app log that mentions a client, its place, and its time in a timeline. */
export type Mention = { at: Microseconds; place: LogPlace; log: Extract<TimelineRow, { kind: 'log' }>['log'] };

/** Entries in their order, newest first; `stoppedIn` is the day whose search ran out of time: neither it nor older days are included. */
export type Mentions = { entries: Mention[]; stoppedIn: string | null };

export type LogMentions = {
  /** At least `limit` entries past a place, or all that are not older than an instant. */
  readBefore(query: { uid: string; place: LogPlace | null; notBefore: Microseconds; limit: number }): Promise<Mentions>;
  /** Entries that are newer than a place. */
  readAfter(query: { uid: string; place: LogPlace }): Promise<Mentions>;
};

/** A page must not wait longer than this for the log; the search is continued by the next one. */
const budgetMilliseconds = 1000;
/** So many entries of a day are read at once. */
const batchEntries = 500;
/** Length after which a message is cut. The log viewer shows all of it. */
const messageCharacters = 2000;

/** Reads the entries of the app log that mention a client uid as a word of its own, in this spelling. */
export function createLogMentions({ reader, dir }: { reader: Pick<LogDayReader, 'page'>; dir: string }): LogMentions {
  /** The mentions of a day, newest first, until `isEnough`; null if the time was not enough. */
  async function readDay(
    day: LogDay,
    uid: string,
    until: number,
    isEnough: (list: readonly Mention[]) => boolean,
  ): Promise<Mention[] | null> {
    const dayMentions: Mention[] = [];
    for (let page = 1; ; page += 1) {
      const wait = Math.max(0, until - performance.now()) / 1000;
      const logPage = await reader.page(day, { query: uid, level: 'all', page, limit: batchEntries, wait });
      if (logPage === null) return dayMentions;
      if (logPage.stopped !== null || logPage.indexing !== null) return null;
      dayMentions.push(...logPage.entries.filter((entry) => mentions(textOf(entry), uid)).flatMap((entry) => toMention(day.date, entry)));
      if (page * batchEntries >= logPage.total || isEnough(dayMentions))
        return dayMentions.toSorted((one, other) => inLogOrder(one.place, other.place));
    }
  }

  return {
    async readBefore({ uid, place, notBefore, limit }) {
      const until = performance.now() + budgetMilliseconds;
      const isPast = (mention: Mention) => place === null || isOlder(mention.place, place);
      const entries: Mention[] = [];
      for (const day of await listLogDays(dir)) {
        if (place !== null && isDay(place) && day.date > place.date) continue;
        if (entries.length >= limit || endOf(day) <= notBefore) break;
        const mentionsOfDay = await readDay(day, uid, until, (some) => some.filter(isPast).length + entries.length >= limit);
        if (mentionsOfDay === null) return { entries: withoutRises(entries, place), stoppedIn: day.date };
        entries.push(...mentionsOfDay.filter(isPast));
      }
      return { entries: withoutRises(entries, place), stoppedIn: null };
    },
    async readAfter({ uid, place }) {
      const until = performance.now() + budgetMilliseconds;
      const entries: Mention[] = [];
      for (const day of await listLogDays(dir)) {
        if (isDay(place) ? day.date < place.date : endOf(day) <= place.at) break;
        const isNewer = (mention: Mention) => !isOlder(mention.place, place) && inLogOrder(mention.place, place) !== 0;
        const mentionsOfDay = await readDay(day, uid, until, (some) => !some.every(isNewer));
        if (mentionsOfDay === null) return { entries: [], stoppedIn: day.date };
        entries.push(...mentionsOfDay.filter(isNewer));
      }
      return { entries, stoppedIn: null };
    },
  };
}

/** Newest day first, within it newest first; at the same time by file, then the last one of the file. */
function inLogOrder(one: LogPlace, other: LogPlace): number {
  if (one.date !== other.date) return one.date < other.date ? 1 : -1;
  if (one.at !== other.at) return other.at - one.at;
  if (one.source !== other.source) return one.source < other.source ? -1 : 1;
  return other.id - one.id;
}

/** A place that names no day is a time: entries of that time and before are past it. */
function isDay({ date }: LogPlace): boolean {
  return date !== '';
}

function isOlder(entry: LogPlace, place: LogPlace): boolean {
  return isDay(place) ? inLogOrder(entry, place) > 0 : entry.at <= place.at;
}

/** Days follow each other: an entry that claims a later time than one of a later day is shown with that one's. */
function withoutRises(entries: readonly Mention[], place: LogPlace | null): Mention[] {
  let least = place?.at ?? Infinity;
  return entries.map((entry) => {
    least = Math.min(least, entry.at);
    return { ...entry, at: least };
  });
}

/** No entry of a day is newer, whatever the offset of its writer. */
function endOf({ date }: LogDay): Microseconds {
  return dayRange(date, '+00:00').until + 12 * hour;
}

/** Entries without a time, or of an unknown zone, have no place in a timeline. */
function toMention(date: string, { id, at: instant, datetime, level, header, source = '' }: TimedEntry): Mention[] {
  if (instant === '') return [];
  const message = header.length > messageCharacters ? `${cutText(header, messageCharacters)}…` : header;
  const at = parseDateTime(datetime);
  return [
    {
      at,
      place: { at, date, source, id },
      log: { date, level, message, position: id, ...(source === '' ? {} : { source }) },
    },
  ];
}

function textOf({ header, context, extra, stack }: TimedEntry): string {
  return [header, stack ?? '', ...[context, extra].map((part) => (part === undefined || part === null ? '' : JSON.stringify(part)))].join(
    '\n',
  );
}

/** `c-1` is mentioned by `client c-1:`, not by `c-10` or `abc-1`. */
function mentions(text: string, uid: string): boolean {
  for (let at = text.indexOf(uid); at !== -1; at = text.indexOf(uid, at + 1)) {
    if (!isWord(text[at - 1]) && !isWord(text[at + uid.length])) return true;
  }
  return false;
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_-]/u.test(character);
}
