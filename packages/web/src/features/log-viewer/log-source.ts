import { appLog, consoleLog, type LogCalls, type LogFilter } from '@switchyard/contract/log-viewer';
import { paths } from '../../shared/paths.ts';
import { stringifySearch } from '../../shared/search-codec.ts';

/** One of the two logs: its names, calls and pages. */
export type LogSource = {
  /** Key of its lists in the cache. */
  readonly name: 'logs' | 'app-logs';
  readonly title: string;
  /** Title of the page of a day, before its date. */
  readonly dayTitle: string;
  /** The owner of the log, for use within a sentence. */
  readonly owner: string;
  readonly calls: LogCalls;
  readonly listPath: () => string;
  readonly dayPath: (date: string, level?: LogFilter) => string;
};

/** The console's own log. */
export const consoleLogs: LogSource = {
  name: 'logs',
  title: 'Logs',
  dayTitle: 'Log',
  owner: 'the console',
  calls: consoleLog,
  listPath: paths.logs,
  dayPath: paths.logDay,
};

/** The log of the app service. */
export const appLogs: LogSource = {
  name: 'app-logs',
  title: 'App logs',
  dayTitle: 'App log',
  owner: 'the app service',
  calls: appLog,
  listPath: paths.appLogs,
  dayPath: paths.appLogDay,
};

/** The parameter by which the page of the days is their search; a page of its own would weigh on every first screen. */
export const searchView = { view: 'search' } as const;

/** The search of all days of a log. */
export function searchPath({ listPath }: LogSource, query: Record<string, unknown> = {}): string {
  return listPath() + stringifySearch({ ...searchView, ...query });
}
