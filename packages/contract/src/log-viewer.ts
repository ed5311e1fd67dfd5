import { z } from 'zod';
import { anyPermission, defineEndpoint } from './endpoint.ts';
import { defaultLimits } from './limits.ts';
import { limit, page, queryBoolean, searchText, single } from './listing.ts';
import { capitalised } from './text-fields.ts';

/** Levels of log entries, most severe first. */
export const logLevels = ['emergency', 'alert', 'critical', 'error', 'warning', 'notice', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Level of an entry: one of the eight, or empty if the line has none. */
export const entryLevels = [...logLevels, ''] as const;
export type EntryLevel = (typeof entryLevels)[number];

/** Filters of the viewers: all levels, then each. */
export const logFilters = ['all', ...logLevels] as const;
export type LogFilter = (typeof logFilters)[number];

/** Label of a filter: `critical` becomes Critical. */
export function logFilterLabel(name: LogFilter): string {
  return capitalised(name);
}

/** Formats in which a day can be read. docs/log-formats.md describes them. */
export const logFormats = [
  'monolog',
  'json',
  'logfmt',
  'access',
  'syslog-5424',
  'syslog-3164',
  'cri',
  'glog',
  'redis',
  'logcat',
  'php',
  'postgresql',
  'w3c',
  'text',
  'level-first',
  'lines',
] as const;
export type LogFormatName = (typeof logFormats)[number];

/** Texts of both viewers. */
export const logTexts = {
  confirmTitle: 'Are you sure?',
  confirmDownload: 'Data will be DOWNLOADED',
  confirmDelete: 'Log will be REMOVED!',
  confirmSecrets: 'Passwords, tokens, cookies and card numbers will be SHOWN',
  empty: 'The list is empty!',
} as const;

/** What logs hide: values by the name of their key, and numbers of payment cards. */
export const hiddenKinds = ['keys', 'cards'] as const;
export type HiddenKind = (typeof hiddenKinds)[number];

/** `names`: names of keys beside the usual ones. */
export const secretRules = z.object({ hides: z.array(z.enum(hiddenKinds)).readonly(), names: z.array(z.string()).readonly() });
export type SecretRules = z.output<typeof secretRules>;

/** Stands where a secret is in the file. */
export const hiddenValue = '[redacted]';

/** Columns of the workbook, in order. */
export const logColumns = ['env', 'level', 'time', 'header', 'context', 'stack'] as const;

/** Maximum part of an entry that is parsed, in bytes. */
export const maximumEntryBytes = 1_048_576;

/** Maximum duration of one search call. */
const maximumSearchSeconds = 10;

const count = z.int();
const counts = {
  all: count,
  emergency: count,
  alert: count,
  critical: count,
  error: count,
  warning: count,
  notice: count,
  info: count,
  debug: count,
} satisfies Record<LogFilter, z.ZodInt>;

/** Number of entries by level. `all` also counts entries without a level. */
export type LevelCounts = Record<LogFilter, number>;

/** Builds the counts of all filters. */
export function levelCounts(countOf: (level: LogFilter) => number): LevelCounts {
  const [emergency, alert, critical, error, warning, notice, info, debug] = logLevels;
  return {
    all: countOf('all'),
    emergency: countOf(emergency),
    alert: countOf(alert),
    critical: countOf(critical),
    error: countOf(error),
    warning: countOf(warning),
    notice: countOf(notice),
    info: countOf(info),
    debug: countOf(debug),
  };
}

/** Progress through a file in bytes, counted from its end. */
const progress = z.object({ bytes: z.int(), of: z.int() });
export type LogProgress = z.output<typeof progress>;

/**
 * A day with its number of entries by level. `all` also counts entries without a level. `indexing` is present while a
 * large file is being read, newest entries first; the counts then cover only the part that was read.
 */
export const logDay = z.object({ date: z.string(), ...counts, indexing: progress.optional() });
export type LogDay = z.output<typeof logDay>;

/**
 * A log entry. `id` is its index in the file, from 0. While the file is `indexing`, it counts from the end: -1 is the newest.
 * `datetime` is UTC text. `datetime` and `level` are empty if the line has none. `extra` is Monolog's second object, present only
 * if not empty. `source` is the process or the file that it is from, present with `details=1` on days with several files.
 */
export const logEntry = z.object({
  id: z.int(),
  env: z.string(),
  level: z.enum(entryLevels),
  datetime: z.string(),
  header: z.string(),
  context: z.unknown(),
  extra: z.unknown().optional(),
  stack: z.string().nullable(),
  truncated: z.boolean(),
  source: z.string().optional(),
});
export type LogEntry = z.output<typeof logEntry>;

/** A day with a page of entries. Counts cover the whole day. Dates are UTC texts. */
export const logDayPage = logDay.extend({
  level_statistics: z.array(z.object({ level: z.enum(logFilters), label: z.string(), count })),
  path: z.string(),
  size: z.string(),
  size_bytes: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
  entries: z.array(logEntry),
  /** Present with `details=1`: the format in which the day is read. */
  format: z.enum(logFormats).optional(),
  /** Present with a search: number of matching entries by level. Other counts cover the whole day. */
  matching: z.object(counts).optional(),
  /** Present if a search reached its time limit: totals and entries cover this part. Repeat the call to continue. */
  search_stopped: progress.optional(),
});
export type LogDayPage = z.output<typeof logDayPage>;

/** How a log is read. */
export const logReading = {
  /** Reads the day in this format instead of the recognised one. An unknown format is none. */
  format: single(
    z
      .string()
      .optional()
      .transform((value) => logFormats.find((name) => name === value)),
  ).meta({ type: 'string', enum: [...logFormats] }),
  /** Shows and finds secrets, which are hidden otherwise; the trail has an entry for it. */
  secrets: queryBoolean(),
};

/** Additions to the specified calls. `details` adds the format, and the source of each entry. */
const readingQuery = { format: logReading.format, details: queryBoolean(), secrets: logReading.secrets };
export const logDownloadQuery = z.object(readingQuery);

export const logDaysQuery = z.object({ page, limit: limit(defaultLimits.logDays) });

/** An unknown level means all. */
export const logEntriesQuery = z.object({
  page,
  limit: limit(defaultLimits.logEntries),
  level: single(
    z
      .string()
      .optional()
      .transform((value): LogFilter => logFilters.find((name) => name === value) ?? 'all'),
  ).meta({ type: 'string', enum: [...logFilters], default: 'all' }),
  query: searchText(200),
  ...readingQuery,
  /** Seconds after which a search returns its results so far, at most 10. */
  wait: single(
    z
      .string()
      .optional()
      .transform((value) => (value !== undefined && /^[1-9]$/.test(value) ? Number(value) : maximumSearchSeconds)),
  ).meta({ type: 'integer', minimum: 1, maximum: maximumSearchSeconds, default: maximumSearchSeconds }),
});
export type LogEntriesQuery = z.output<typeof logEntriesQuery>;

/** Anything but a day is a 404, so that no path reaches a folder. */
const dayParams = z.object({ date: z.string().regex(/^\d{4}-\d{2}-\d{2}$/) });

const logAccess = anyPermission('manager_dev_logs');
const workbook = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** `datetime` and `source` as the entry shows them: an id alone would name another entry once the file was rotated. `limit`: entries of a page. */
const entryPlaceQuery = z.object({
  datetime: single(z.string().max(100).default('')),
  source: single(z.string().max(255).default('')),
  limit: limit(defaultLimits.logEntries),
  format: readingQuery.format,
});

/** The page of all entries of the day. */
const entryPlace = z.object({ page: z.int() });

/** Defines the calls of one viewer. [74] to [78] equal [79] to [83]. `raw`, the file, is not in the specification. */
function logCalls({ numbers, days, title }: { numbers: LogNumbers; days: string; title: string }) {
  return {
    listDays: defineEndpoint({
      number: numbers.days,
      method: 'GET',
      path: days,
      summary: `Days of ${title} with the number of entries by level`,
      access: logAccess,
      query: logDaysQuery,
      answer: { kind: 'page', row: logDay },
    }),
    showDay: defineEndpoint({
      number: numbers.day,
      method: 'GET',
      path: `${days}/{date}`,
      summary: `A day of ${title} with its entries`,
      access: logAccess,
      params: dayParams,
      query: logEntriesQuery,
      answer: { kind: 'paged-data', schema: logDayPage },
    }),
    downloadDay: defineEndpoint({
      number: numbers.download,
      method: 'GET',
      path: `${days}/{date}/download/`,
      summary: `A day of ${title} as a workbook`,
      access: logAccess,
      params: dayParams,
      query: logDownloadQuery,
      answer: { kind: 'raw', contentType: workbook, file: true },
    }),
    listLevels: defineEndpoint({
      number: numbers.levels,
      method: 'GET',
      path: `${days}/levels`,
      summary: `Levels of ${title}`,
      access: logAccess,
      answer: { kind: 'data', status: 200, schema: z.array(z.object({ name: z.enum(logFilters), label: z.string() })) },
    }),
    deleteDay: defineEndpoint({
      number: numbers.remove,
      method: 'DELETE',
      path: `${days}/delete`,
      summary: `Delete a day of ${title}`,
      access: logAccess,
      recentSignIn: null,
      query: z.object({ date: single(z.string().optional()) }),
      body: z.strictObject({ date: z.string().optional() }),
      answer: { kind: 'empty' },
      rejections: [404],
    }),
    findEntry: defineEndpoint({
      number: numbers.entry,
      method: 'GET',
      path: `${days}/{date}/entries/{id}`,
      summary: `Page of ${title} that has an entry`,
      access: logAccess,
      params: dayParams.extend({
        id: z
          .string()
          .regex(/^\d{1,12}$/)
          .transform(Number),
      }),
      query: entryPlaceQuery,
      answer: { kind: 'data', status: 200, schema: entryPlace },
    }),
    downloadRaw: defineEndpoint({
      number: numbers.raw,
      method: 'GET',
      path: `${days}/{date}/raw`,
      summary: `A day of ${title} as the file, unchanged but for hidden secrets`,
      access: logAccess,
      params: dayParams,
      query: z.object({ secrets: logReading.secrets }),
      answer: { kind: 'raw', contentType: 'text/plain', file: true },
    }),
  };
}
type LogNumbers = Record<'days' | 'day' | 'download' | 'levels' | 'remove' | 'raw' | 'entry', number>;

/** The console's own log. */
export const consoleLog = logCalls({
  numbers: { days: 74, day: 75, download: 76, levels: 77, remove: 78, raw: 130, entry: 471 },
  days: 'log-viewer/logs',
  title: "the console's log",
});

/** The log of the app service. */
export const appLog = logCalls({
  numbers: { days: 79, day: 80, download: 81, levels: 82, remove: 83, raw: 131, entry: 472 },
  days: 'octopus-app/log',
  title: 'the app log',
});

/** Calls of one viewer. */
export type LogCalls = typeof consoleLog;
