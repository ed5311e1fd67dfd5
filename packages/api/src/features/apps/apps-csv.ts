import { appFigures, type Counter } from '@switchyard/contract/app-statistics';
import { appsExportColumns, type AppRow, type AppsDownloadQuery } from '@switchyard/contract/apps';
import type { Readable } from 'node:stream';
import { EventStoreUnavailable } from '@switchyard/traffic-store/event-store-unavailable';
import type { AccountCall, Reader } from '../../http/bind.ts';
import { csvLine, guardedText, toFile, type WriteText } from '@switchyard/traffic-store/csv';
import { recordExport } from '../audit/record-export-lookup.ts';
import { listAppsById } from './apps-read-model.ts';
import { orderApps, toRows, type ListDependencies } from './list-apps.ts';

/** Apps that are read at once. */
const chunk = 500;

export type AppsFile = { query: AppsDownloadQuery; caller: Reader; request: AccountCall['request'] | null; writeText?: WriteText };

/** Opens the apps list as a file, recorded in the audit trail; `request` is null for a schedule. */
export async function writeAppsFile(deps: ListDependencies, { request, ...file }: AppsFile, signal: AbortSignal): Promise<Readable> {
  await recordExport(deps.db, { entity: 'app_list', caller: file.caller, request });
  return toFile(writeLines(deps, { ...file, signal }));
}

async function* writeLines(
  deps: ListDependencies,
  { query, caller, writeText = guardedText, signal }: Omit<AppsFile, 'request'> & { signal: AbortSignal },
): AsyncGenerator<Buffer> {
  const { ids, counters: sortedBy } = await orderApps(deps, { query, caller });
  // Once for all chunks, so that a file is of one moment as far as its cache is.
  const counters = sortedBy ?? (await deps.statistics.countByApp(ids, { fresh: !query.isCache }));
  // A list can say that figures are missing; a file would pass them for zeros.
  const isIncomplete = [...counters.values()].some(({ missing }) => missing.length > 0);
  if (isIncomplete) throw new EventStoreUnavailable(new Error('Apps: statistics are missing'));
  let lines = csvLine(appsExportColumns);
  for (let start = 0; start < ids.length; start += chunk) {
    signal.throwIfAborted();
    const apps = await listAppsById(deps.db, ids.slice(start, start + chunk));
    lines += (await toRows(deps, { apps, caller, counters })).map((app) => csvLine(cellsOf(app, writeText))).join('');
    yield Buffer.from(lines);
    lines = '';
  }
  if (lines !== '') yield Buffer.from(lines);
}

/** The cells of an app, in the order of the columns. */
function cellsOf(app: AppRow, writeText: WriteText): string[] {
  const { monitoring, check_domains: links } = app;
  return [
    String(app.id),
    writeText(app.name),
    writeText(app.bundle),
    writeText(monitoring === null ? '' : `${monitoring.app_name}: ${monitoring.status}`),
    writeText(app.domain),
    app.expiration_at ?? '',
    writeText(links.map((link) => `${link.server_name} (${link.status})`).join('; ')),
    writeText(app.vertical),
    ...Object.values(appFigures).flatMap(({ of }) => countsOf(of(app.statistics))),
    String(app.users_count ?? ''),
    app.created_at,
    app.deleted_at ?? '',
  ];
}

function countsOf(counter: Counter | null): string[] {
  return counter === null ? ['', ''] : [String(counter.all), String(counter.success)];
}
