import { wireDate } from '@switchyard/contract/dates';
import { pageForm } from '@switchyard/contract/envelope';
import { writeExactly } from '@switchyard/contract/exact-json';
import * as contract from '@switchyard/contract/log-viewer';
import { Readable } from 'node:stream';
import type { z } from 'zod';
import { findLogDay, listLogDays, openRawDay, type LogDay } from '../../adapters/log-files/log-folder.ts';
import type { SecretHider } from '../../adapters/log-files/hide-secrets.ts';
import type { LogCounts, TimedEntry } from '../../adapters/log-files/log-questions.ts';
import type { LogDayReader } from '../../adapters/log-files/read-log-day.ts';
import type { Databases } from '../../database/connect.ts';
import { FieldErrors, notFound } from '../../errors.ts';
import type { Feature } from '../../http/bind.ts';
import { Download } from '../../http/streamed-result.ts';
import { deleteDay, recordDownload, type LogSource, type RecordShowing } from './log-commands.ts';
import { writeWorkbook } from '../../adapters/write-workbook.ts';

type Deps = {
  db: Databases['db'];
  reader: LogDayReader;
  hider: SecretHider;
  dir: string;
  source: LogSource;
  calls: contract.LogCalls;
  recordShowing: RecordShowing;
};

/** The calls of one of the two viewers of daily log files. */
export function createLogViewer({ db, reader, hider, dir, source, calls, recordShowing }: Deps): Feature {
  async function existing(date: string): Promise<LogDay> {
    const day = await findLogDay(dir, date);
    if (!day) throw notFound();
    return day;
  }

  async function listDays({ page, limit }: { page: number; limit: number }) {
    const days = await listLogDays(dir);
    const pageDays = days.slice((page - 1) * limit, page * limit);
    const counts = await Promise.all(pageDays.map(async (day) => ({ date: day.date, known: await reader.counts(day) })));
    // A day that was deleted meanwhile is left out.
    const rows = counts.flatMap(({ date, known }) => (known ? [dayOf(date, known)] : []));
    return { rows, pagination: pageForm({ total: days.length, count: rows.length, limit, page }) };
  }

  async function showDay(logDay: LogDay, query: contract.LogEntriesQuery) {
    const logPage = await reader.page(logDay, query);
    if (!logPage) throw notFound();
    const day = dayOf(logDay.date, logPage);
    const data: contract.LogDayPage = {
      ...day,
      level_statistics: contract.logFilters.map((level) => ({
        level,
        label: contract.logFilterLabel(level),
        count: day[level],
      })),
      path: logDay.shownPath,
      size: readableSize(logPage.file.bytes),
      size_bytes: logPage.file.bytes,
      created_at: wireDate(logPage.file.createdAt),
      updated_at: wireDate(logPage.file.updatedAt),
      entries: logPage.entries.map((entry) => entryOf(entry, query)),
      ...(query.details === true ? { format: logPage.format } : {}),
      ...(logPage.matching ? { matching: logPage.matching } : {}),
      ...(logPage.stopped ? { search_stopped: logPage.stopped } : {}),
    };
    return { data, pagination: pageForm({ total: logPage.total, count: logPage.entries.length, limit: query.limit, page: query.page }) };
  }

  /** Newest first. A file that is replaced meanwhile aborts the download, so that no reader takes a part for the whole. */
  async function* rowsOf(day: LogDay, query: DownloadQuery): AsyncGenerator<readonly string[]> {
    for await (const entry of reader.entries(day, query)) yield cellsOf(entryOf(entry, query));
  }

  return {
    bindRoutes(bind) {
      bind(calls.listDays, async ({ query }) => listDays(query), { slots: 'files' });
      bind(
        calls.showDay,
        async ({ params: { date }, query, caller, request }) => {
          const day = await existing(date);
          if (query.secrets === true) await recordShowing({ date, source, caller, request });
          return showDay(day, query);
        },
        { slots: 'files' },
      );
      bind(
        calls.findEntry,
        async ({ params: { date, id }, query: { datetime, source: file, limit, format } }) => {
          const newer = await reader.countNewer(await existing(date), { id, datetime, source: file }, { format });
          if (newer === null) throw notFound();
          return { page: Math.floor(newer / limit) + 1 };
        },
        { slots: 'files' },
      );
      bind(calls.listLevels, async () => contract.logFilters.map((name) => ({ name, label: contract.logFilterLabel(name) })));
      bind(calls.downloadDay, async ({ params: { date }, query, caller, request }) => {
        const day = await existing(date);
        return new Download('log.xlsx', async () => {
          await recordDownload(db, { date, source, caller, request }, query.secrets === true);
          return Readable.from(writeWorkbook({ name: 'log', header: columnsOf(day, query), rows: rowsOf(day, query) }), {
            objectMode: false,
          });
        });
      });
      bind(calls.downloadRaw, async ({ params: { date }, query: { secrets }, caller, request }) => {
        const day = await existing(date);
        return new Download(`${date}.log`, async (signal) => {
          const body = await openRawDay(day, { signal, hider: secrets === true ? null : hider });
          if (!body) throw notFound();
          await recordDownload(db, { date, source, caller, request }, secrets === true);
          return body;
        });
      });
      bind(calls.deleteDay, async ({ query, body, caller, request }) => {
        const date = body.date ?? query.date;
        if (date === undefined || date === '') throw new FieldErrors({ date: ['The date field is required.'] });
        await deleteDay(db, await existing(date), { date, source, caller, request });
      });
    },
  };
}

function dayOf(date: string, { counts, indexing }: LogCounts): contract.LogDay {
  return { date, ...counts, ...(indexing ? { indexing } : {}) };
}

type DownloadQuery = z.output<typeof contract.logDownloadQuery>;

/** The specified answers have no sources. */
function entryOf({ at: _at, source, ...entry }: TimedEntry, { details }: Pick<DownloadQuery, 'details'>): contract.LogEntry {
  return details === true && source !== undefined ? { ...entry, source } : entry;
}

/** The source has a column on days with several files. */
function columnsOf({ files }: LogDay, { details }: DownloadQuery): readonly string[] {
  return details === true && files.length > 1 ? [...contract.logColumns, 'source'] : contract.logColumns;
}

/** The extra has no column of its own: it follows the context, as in the format of Monolog. */
function cellsOf({ env, level, datetime, header, context, extra, stack, source }: contract.LogEntry): string[] {
  const objects = extra === undefined ? [context] : [context ?? [], extra];
  const contextCell = objects.map((value) => (value === null ? '' : writeExactly(value))).join(' ');
  return [env, level, datetime, header, contextCell, stack ?? '', ...(source === undefined ? [] : [source])];
}

const units = ['KB', 'MB', 'GB', 'TB'] as const;

/** `12.4 KB` for 12698 bytes; below 1 KB whole bytes. */
function readableSize(bytes: number): string {
  let size = bytes;
  let text = `${bytes} B`;
  for (const unit of units) {
    if (size < 1024) break;
    size /= 1024;
    text = `${size.toFixed(1)} ${unit}`;
  }
  return text;
}
