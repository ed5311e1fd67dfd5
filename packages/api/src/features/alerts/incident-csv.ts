import type { Incident } from '@switchyard/contract/alerts';
import { incidentExportColumns, type IncidentsDownloadQuery } from '@switchyard/contract/incident-lists';
import type { Readable } from 'node:stream';
import type { Databases } from '../../database/connect.ts';
import type { AccountCall } from '../../http/bind.ts';
import { csvLine, guardedText, toFile } from '@switchyard/traffic-store/csv';
import { recordExport } from '../audit/record-export-lookup.ts';
import { readerOf } from './alert-access.ts';
import { listIncidentIds, listVisibleIncidents } from './incidents-read-model.ts';

/** Incidents that are read at once. */
const chunk = 5_000;

/** Opens incidents as a file, recorded in the audit trail. Which ones it has is decided at once: others may open or end while it is read. */
export async function writeIncidentsFile(
  db: Databases['db'],
  { query, caller, request }: AccountCall & { query: IncidentsDownloadQuery },
  signal: AbortSignal,
): Promise<Readable> {
  await recordExport(db, { entity: 'incident', caller, request });
  const { orderBy, orderDirection, ids, except, ...filters } = query;
  const reader = readerOf(caller);
  const order = { orderBy, orderDirection };
  const chosenIds = await listIncidentIds(db, reader, { filters, ids: ids?.map(Number), except: except?.map(Number), ...order });
  async function* lines(): AsyncGenerator<Buffer> {
    yield Buffer.from(csvLine(incidentExportColumns));
    for (let from = 0; from < chosenIds.length; from += chunk) {
      signal.throwIfAborted();
      const part = { filters: {}, ids: chosenIds.slice(from, from + chunk), ...order };
      const rows = await listVisibleIncidents(db, reader, { ...part, limit: null, offset: 0 });
      yield Buffer.from(rows.map((row) => csvLine(cellsOf(row))).join(''));
    }
  }
  return toFile(lines());
}

/** The cells of an incident, in the order of the columns. */
function cellsOf(incident: Incident): string[] {
  const { app, server, value, threshold, rule, acknowledged_by: by } = incident;
  return [
    String(incident.id),
    guardedText(incident.reason),
    guardedText(app?.name ?? ''),
    guardedText(server?.name ?? ''),
    incident.started_at,
    String(value ?? ''),
    String(threshold ?? ''),
    incident.severity,
    incident.state,
    incident.is_silenced ? '1' : '0',
    guardedText(rule.name),
    String(incident.affected),
    incident.acknowledged_at ?? '',
    guardedText(by?.name ?? ''),
    incident.resolved_at ?? '',
  ];
}
