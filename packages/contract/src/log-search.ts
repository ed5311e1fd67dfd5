import { z } from 'zod';
import { isPlainDay } from './dates.ts';
import { anyPermission, defineEndpoint } from './endpoint.ts';
import { cursor, multiple, queryBoolean, searchText } from './listing.ts';
import { entryLevels, logEntry, logLevels, logReading } from './log-viewer.ts';
import { resumeQuery } from './request-streams.ts';
import { filterDate } from './requests.ts';

/** Limits of searches across days. */
export const logSearchLimits = {
  /** Searches of all accounts, and of one. */
  atOnce: 4,
  perAccount: 2,
  /** Entries and seconds after which a search ends with a cursor. */
  entries: 200,
  seconds: 30,
  /** Days, today included, that are searched without `startDate`. */
  defaultDays: 7,
  queryCharacters: 200,
} as const;

export const logSearchMessages = {
  tooMany: 'Too many log searches are running. Cancel one or try again later.',
} as const;

const filterDay = filterDate.refine((text) => text === undefined || isPlainDay(text), { error: 'Invalid date string format' });

/** What to search in which days. Days are those of the files. Without levels, entries of all levels and without one are found. */
export const logSearchQuery = z.object({
  startDate: filterDay,
  endDate: filterDay,
  level: multiple(z.enum(logLevels)),
  query: searchText(logSearchLimits.queryCharacters),
  /** Whether `query` is an RE2 expression instead of a literal text. */
  regex: queryBoolean(),
  secrets: logReading.secrets,
  cursor,
});
export type LogSearchQuery = z.output<typeof logSearchQuery>;

/** Where the text is: a part of the entry as it is shown, or, as `file`, only the entry as it is written. */
export const foundParts = ['header', 'context', 'extra', 'stack', 'env', 'time', 'file'] as const;
export type FoundPart = (typeof foundParts)[number];

/** The text and what is around it, cut. `match` is empty if the text is far from the beginning of a long part. */
const excerpt = z.object({ part: z.enum(foundParts), before: z.string(), match: z.string(), after: z.string() });
export type LogExcerpt = z.output<typeof excerpt>;

/** An entry that was found. `id`, `datetime` and `source` are those of the page of its day; `source` is empty on days with one file. */
export const foundLogEntry = z.object({
  date: z.string(),
  id: z.int(),
  datetime: z.string(),
  level: z.enum(entryLevels),
  env: z.string(),
  header: z.string(),
  source: z.string(),
  /** Null without a text to search for. */
  excerpt: excerpt.nullable(),
});
export type FoundLogEntry = z.output<typeof foundLogEntry>;

/** `is_indexing`: a large file of the day is being indexed, which comes before its search. */
const searchProgress = z.object({
  date: z.string(),
  days: z.int(),
  of_days: z.int(),
  bytes: z.int(),
  of: z.int(),
  is_indexing: z.boolean(),
});
export type LogSearchProgress = z.output<typeof searchProgress>;

/** A file that changed while it was searched. The rest of it was not searched. */
export const fileChanges = ['deleted', 'truncated', 'replaced'] as const;
export type FileChange = (typeof fileChanges)[number];
const notice = z.object({ date: z.string(), source: z.string(), change: z.enum(fileChanges) });
export type LogSearchNotice = z.output<typeof notice>;

/** `cursor` continues the search; null if all days were searched. */
const searchEnd = z.object({ reason: z.enum(['complete', 'entries', 'time']), cursor: z.string().nullable() });
export type LogSearchEnd = z.output<typeof searchEnd>;

/** A line of the answer. The last one is the end. */
export const logSearchLine = z.union([
  z.object({ entry: foundLogEntry }),
  z.object({ progress: searchProgress }),
  z.object({ notice }),
  z.object({ end: searchEnd }),
]);
export type LogSearchLine = z.output<typeof logSearchLine>;

function defineSearch({ number, path, title }: { number: number; path: string; title: string }) {
  return defineEndpoint({
    number,
    method: 'GET',
    path: `${path}/search`,
    summary: `Search all days of ${title}, newest entry first, as a stream of JSON lines`,
    access: anyPermission('manager_dev_logs'),
    query: logSearchQuery,
    answer: {
      kind: 'raw',
      contentType: 'application/x-ndjson',
      example: '{"progress":{"date":"2026-11-20","days":0,"of_days":7,"bytes":0,"of":52428800,"is_indexing":false}}\n',
    },
  });
}

/** Searches the console's own log. */
export const searchConsoleLog = defineSearch({ number: 473, path: 'log-viewer/logs', title: "the console's log" });

/** Searches the log of the app service. */
export const searchAppLog = defineSearch({ number: 474, path: 'octopus-app/log', title: 'the app log' });

/** The search of one log. */
export type LogSearchCall = typeof searchConsoleLog;

/** Limits of following a log. */
export const logFollowLimits = {
  /** Entries that are sent of each file within half a second; of more, the newest. */
  entries: 500,
} as const;

export const logFollowMessages = { tooOld: 'Only today and yesterday can be followed.' } as const;

/** The filters of the page of a day. */
const logFollowQuery = z.object({
  level: multiple(z.enum(logLevels)),
  query: searchText(logSearchLimits.queryCharacters),
  ...logReading,
  ...resumeQuery,
});

/** An entry as the page of its day shows it. An entry that grew is sent again. */
export const followedLogEntry = logEntry.extend({ date: z.string() });
export type FollowedLogEntry = z.output<typeof followedLogEntry>;

function defineFollow({ number, path, title }: { number: number; path: string; title: string }) {
  return defineEndpoint({
    number,
    method: 'GET',
    path: `${path}/{date}/follow`,
    summary: `New entries of ${title} as they are written, of a day and those after it`,
    access: anyPermission('manager_dev_logs'),
    params: z.object({ date: z.string().regex(/^\d{4}-\d{2}-\d{2}$/) }),
    query: logFollowQuery,
    answer: {
      kind: 'raw',
      contentType: 'text/event-stream',
      example: 'retry: 3000\n: ok\n\nid: eyJm\nevent: rows\ndata: [{"id":841,"level":"error","header":"Push refused"}]\n\n',
    },
  });
}

/** Follows the console's own log. */
export const followConsoleLog = defineFollow({ number: 475, path: 'log-viewer/logs', title: "the console's log" });

/** Follows the log of the app service. */
export const followAppLog = defineFollow({ number: 476, path: 'octopus-app/log', title: 'the app log' });

/** The call that follows one log. */
export type LogFollowCall = typeof followConsoleLog;
