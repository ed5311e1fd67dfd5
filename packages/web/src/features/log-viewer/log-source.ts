import { appLog, consoleLog, type LogCalls, type LogFilter } from '@switchyard/contract/log-viewer';
import { paths } from '../../shared/paths.ts';

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
