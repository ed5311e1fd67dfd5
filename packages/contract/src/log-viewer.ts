import { z } from 'zod';
import { anyPermission, defineEndpoint } from './endpoint.ts';
import { defaultLimits } from './limits.ts';
import { limit, page, searchText, single } from './listing.ts';
import { entryLevels, logLevels } from './log-levels.ts';

/** Levels as the viewers offer them: all of them first, then each. */
export const logFilters = ['all', ...logLevels] as const;
export type LogFilter = (typeof logFilters)[number];

/** `critical` reads Critical (api [77]). */
export function logFilterLabel(name: LogFilter): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Texts of both viewers (LOG-011, LOG-012, LOG-027). */
export const logTexts = {
  confirmTitle: 'Are you sure?',
  confirmDownload: 'Data will be DOWNLOADED',
  confirmDelete: 'Log will be REMOVED!',
  empty: 'The list is empty!',
} as const;

/** The columns of the workbook, in their order (api [76]). */
export const logColumns = ['env', 'level', 'time', 'header', 'context', 'stack'] as const;

/** Longest part of an entry that is read, in bytes (api [75]). */
export const maximumEntryBytes = 1_048_576;

/** How long one call may search a file (S26). */
const longestSearchSeconds = 10;

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

/** How many entries there are of each level; `all` counts those without one too (O42). */
export type LevelCounts = Record<LogFilter, number>;

/** Counts the entries of each filter. */
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

/** So many bytes of a file, counted from its end, of so many. */
const progress = z.object({ bytes: z.int(), of: z.int() });
export type LogProgress = z.output<typeof progress>;

/**
 * A day and its entries by level (ENT-037); `all` is the sum of the eight and of the entries without a level (O42). `indexing` only while a large file is still
 * being read, newest entries first: figures are then those of the part that was read.
 */
export const logDay = z.object({ date: z.string(), ...counts, indexing: progress.optional() });
export type LogDay = z.output<typeof logDay>;

/**
 * An entry (ENT-038); `id` is its ordinal in the file, from 0 (while the file is `indexing` counted from its end: -1 is the
 * newest), and `datetime` UTC text; it and `level` are empty where the file names none. `extra` is Monolog's second object,
 * and only there where it is not empty.
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
});
export type LogEntry = z.output<typeof logEntry>;

/** A day with the entries asked for; the figures are those of the whole day (api [75]). Dates are UTC texts. */
export const logDayPage = logDay.extend({
  level_statistics: z.array(z.object({ level: z.enum(logFilters), label: z.string(), count })),
  path: z.string(),
  size: z.string(),
  size_bytes: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
  entries: z.array(logEntry),
  /** Only with a search: how many entries of each level match it; the other figures stay those of the whole day. */
  matching: z.object(counts).optional(),
  /** Only where a search ran out of time: totals and entries are those found in this part; the same call again goes on from there (S26). */
  search_stopped: progress.optional(),
});
export type LogDayPage = z.output<typeof logDayPage>;

export const logDaysQuery = z.object({ page, limit: limit(defaultLimits.logDays) });

/** An unknown level means all (LOG-004). */
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
  /** Seconds after which a search answers with what it found so far; 10 at most, so that nobody searches for ever (S26). */
  wait: single(
    z
      .string()
      .optional()
      .transform((value) => (value !== undefined && /^[1-9]$/.test(value) ? Number(value) : longestSearchSeconds)),
  ).meta({ type: 'integer', minimum: 1, maximum: longestSearchSeconds, default: longestSearchSeconds }),
});
export type LogEntriesQuery = z.output<typeof logEntriesQuery>;

/** Anything but a day is no such route, so that no path ever reaches a folder (api 0.1, S25). */
const dayParams = z.object({ date: z.string().regex(/^\d{4}-\d{2}-\d{2}$/) });

const logAccess = anyPermission('manager_dev_logs');
const workbook = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Calls 74 to 78 and 79 to 83 are alike (LOG-030); `raw` is the number of the file as it is, beyond the specification. */
function logCalls({ numbers, days, title }: { numbers: LogNumbers; days: string; title: string }) {
  return {
    listDays: defineEndpoint({
      number: numbers.days,
      method: 'GET',
      path: days,
      summary: `Days of ${title} with their entries by level`,
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
      refusals: [404],
    }),
    downloadDay: defineEndpoint({
      number: numbers.download,
      method: 'GET',
      path: `${days}/{date}/download/`,
      summary: `A day of ${title} as a workbook`,
      access: logAccess,
      params: dayParams,
      answer: { kind: 'raw', contentType: workbook, file: true },
      refusals: [404],
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
      query: z.object({ date: single(z.string().optional()) }),
      body: z.strictObject({ date: z.string().optional() }),
      answer: { kind: 'empty' },
      refusals: [404],
    }),
    downloadRaw: defineEndpoint({
      number: numbers.raw,
      method: 'GET',
      path: `${days}/{date}/raw`,
      summary: `A day of ${title} as the file it is`,
      access: logAccess,
      params: dayParams,
      answer: { kind: 'raw', contentType: 'text/plain', file: true },
      refusals: [404],
    }),
  };
}
type LogNumbers = Record<'days' | 'day' | 'download' | 'levels' | 'remove' | 'raw', number>;

/** The console's own log (api [74]-[78]). */
export const consoleLog = logCalls({
  numbers: { days: 74, day: 75, download: 76, levels: 77, remove: 78, raw: 130 },
  days: 'log-viewer/logs',
  title: "the console's log",
});

/** The log of the app service (api [79]-[83]). */
export const appLog = logCalls({
  numbers: { days: 79, day: 80, download: 81, levels: 82, remove: 83, raw: 131 },
  days: 'octopus-app/log',
  title: 'the app log',
});

/** What the two viewers are made of. */
export type LogCalls = typeof consoleLog;
