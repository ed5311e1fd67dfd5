import { pageForm } from '@switchyard/contract/envelope';
import {
  logLevels,
  type LogLevel,
  logFilterLabel,
  logFilters,
  type LogDay,
  type LogDayPage,
  type LogEntry,
} from '@switchyard/contract/log-viewer';
import { renderPages } from '../../../testing/render-pages.tsx';
import { stubApi } from '../../../testing/stub-api.ts';
import { AppLogPage, LogPage } from '../log-day-page.tsx';
import { AppLogsPage, LogsPage } from '../logs-page.tsx';

/** A call that the page made of the test's server. */
type AskedCall = { readonly method: string; readonly path: string; readonly query: string; readonly body: unknown };
type LogOptions = {
  /** Entries of each day that there is, the newest first. */
  days?: Map<string, LogEntry[]>;
  /** Answers a call; null leaves it to the test's server. */
  answer?: (call: AskedCall) => Response | Promise<Response> | null;
  /** Changes a day's page before it is sent. */
  change?: (day: LogDayPage, call: AskedCall) => Partial<LogDayPage>;
};

/** An entry with nothing remarkable about it. */
export function sampleEntry(id: number, more: Partial<LogEntry> = {}): LogEntry {
  return {
    id,
    env: 'production',
    level: 'info',
    datetime: '2026-11-20 10:11:12',
    header: `Served ${id}`,
    context: null,
    stack: null,
    truncated: false,
    ...more,
  };
}

function countsOf(entries: readonly LogEntry[]): Omit<LogDay, 'date' | 'indexing'> {
  const of = (level: LogLevel): number => entries.filter((entry) => entry.level === level).length;
  const [emergency, alert, critical, error, warning, notice, info, debug] = logLevels;
  return {
    all: entries.length,
    emergency: of(emergency),
    alert: of(alert),
    critical: of(critical),
    error: of(error),
    warning: of(warning),
    notice: of(notice),
    info: of(info),
    debug: of(debug),
  };
}

const numberIn = (query: URLSearchParams, name: string): number => Number(query.get(name));

function listAnswer(days: ReadonlyMap<string, LogEntry[]>, query: URLSearchParams): Response {
  const [page, limit] = [numberIn(query, 'page'), numberIn(query, 'limit')];
  const data = [...days].slice((page - 1) * limit, page * limit).map(([date, entries]) => ({ date, ...countsOf(entries) }));
  return Response.json({ success: true, data, pagination: pageForm({ total: days.size, count: data.length, limit, page }) });
}

function dayOf(date: string, entries: LogEntry[], query: URLSearchParams) {
  const [page, limit, level, term] = [numberIn(query, 'page'), numberIn(query, 'limit'), query.get('level'), query.get('query') ?? ''];
  const counts = countsOf(entries);
  const matching = entries.filter((entry) => (level === 'all' || entry.level === level) && entry.header.includes(term));
  const data: LogDayPage = {
    date,
    ...counts,
    level_statistics: logFilters.map((name) => ({ level: name, label: logFilterLabel(name), count: counts[name] })),
    path: `logs/console-${date}.log`,
    size: '12.4 KB',
    size_bytes: 12_698,
    created_at: `${date} 00:00:01`,
    updated_at: `${date} 10:11:12`,
    format: 'monolog',
    entries: matching.slice((page - 1) * limit, page * limit),
  };
  return { data, pagination: pageForm({ total: matching.length, count: data.entries.length, limit, page }) };
}

/** Opens an address of the console's log pages over a server of the test's own; gives its calls and the history. */
export async function renderLogs(address: string, { days = new Map(), answer, change }: LogOptions = {}) {
  const calls: AskedCall[] = [];
  const respond = (call: AskedCall, search: URLSearchParams): Response => {
    const rest = call.path.replace(/^(log-viewer\/logs|octopus-app\/log)\/?/, '');
    if (call.method === 'DELETE') return new Response(null, { status: 204 });
    if (rest === '') return listAnswer(days, search);
    const entries = days.get(rest);
    if (entries === undefined) return Response.json({ success: false, message: 'Not found' }, { status: 404 });
    const { data, pagination } = dayOf(rest, entries, search);
    return Response.json({ success: true, data: { ...data, ...change?.(data, call) }, pagination });
  };
  stubApi((url, init) => {
    const { pathname, searchParams } = new URL(url, 'http://console');
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    const call = { method: init.method, path: pathname.replace('/api/', ''), query: searchParams.toString(), body };
    calls.push(call);
    return Promise.resolve(answer?.(call) ?? respond(call, searchParams));
  });
  const history = await renderPages(
    [
      ['/logs', 'Logs', LogsPage],
      ['/logs/$id/show', 'Logs', LogPage],
      ['/app-logs', 'App logs', AppLogsPage],
      ['/app-logs/$id/show', 'App logs', AppLogPage],
    ],
    [address],
  );
  return { calls, history };
}

/** The calls, a line each. */
export function callTexts(calls: readonly AskedCall[]): string[] {
  return calls.map(({ method, path, query }) => `${method} ${path}${query === '' ? '' : `?${query}`}`);
}

/** The current address of the console. */
export function place({ location }: Awaited<ReturnType<typeof renderLogs>>['history']): string {
  return `${location.pathname}${location.search}`;
}
