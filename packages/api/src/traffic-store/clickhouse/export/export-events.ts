import { requestExportColumns } from '@switchyard/contract/requests';
import type { Readable } from 'node:stream';
import type pg from 'pg';
import { toFile } from '../../csv.ts';
import { positions, parseListed, type UnnamedEvent } from '../../event-fields.ts';
import type { EventFilter, EventSort } from '../../event-store.ts';
import type { EngineClient } from '../engine-client.ts';
import { allConditions } from '../event-conditions.ts';
import { type Names, readNames } from '../read-names.ts';
import { newParameters, type Statement, using } from '../statement.ts';
import { csvLine } from './csv-line.ts';

export type ExportQuery = { filter: EventFilter; sort: EventSort; signal: AbortSignal };

/** So many names of streams are kept during an export. */
const keptNames = 50_000;

/**
 * All matching events as CSV, in the list's order. One statement reads them: it keeps its parts of the table until it ends, so the file
 * is of one moment whatever is written or dropped meanwhile. A failure before the first row rejects; a later one fails the stream.
 */
export async function exportEvents(from: { engine: EngineClient; pool: pg.Pool }, query: ExportQuery): Promise<Readable> {
  query.signal.throwIfAborted();
  return toFile(csvLines(from, query));
}

async function* csvLines({ engine, pool }: { engine: EngineClient; pool: pg.Pool }, query: ExportQuery): AsyncGenerator<Buffer> {
  let waiting = `${requestExportColumns.join(',')}\r\n`;
  const knownNames: Names = { bundles: new Map(), names: new Map() };
  const neededIds = { apps: new Set<number>(), streams: new Set<string>() };
  for await (const some of await engine.stream(exportStatement(query), query.signal)) {
    const rows = parseListed(some);
    await learnNames(pool, rows, knownNames, neededIds);
    for (const row of rows) waiting += csvLine(row, knownNames);
    yield Buffer.from(waiting);
    waiting = '';
  }
  if (waiting !== '') yield Buffer.from(waiting);
}

function exportStatement({ filter, sort: { orderBy, orderDirection: direction } }: ExportQuery): Statement {
  const parameters = newParameters();
  const conditions = ['true', ...allConditions(filter, parameters)].join(' and ');
  // By time the engine reads in the order of the table, whose key begins with the hour; other orders are sorted, on disk where large.
  const order = {
    concatenated_date: `toStartOfHour(occurred_at) ${direction}, occurred_at ${direction}, id ${direction}`,
    id: `id ${direction}`,
    type: `type ${direction}, id ${direction}`,
  }[orderBy];
  return { text: `select row from events where ${conditions} order by ${order} ${using(null)}`, parameters };
}

/** Asks for the names of apps and streams that were not asked for before. */
async function learnNames(
  pool: pg.Pool,
  rows: readonly UnnamedEvent[],
  names: Names,
  ids: { apps: Set<number>; streams: Set<string> },
): Promise<void> {
  if (ids.streams.size > keptNames) {
    ids.streams.clear();
    names.names.clear();
  }
  const streams = new Set<string>();
  const apps = new Set<number>();
  for (const row of rows) {
    if (!ids.apps.has(row[positions.app_id])) apps.add(row[positions.app_id]);
    const key = `${row[positions.app_id]}/${row[positions.stream_uid]}`;
    if (row[positions.stream_uid] !== '' && !ids.streams.has(key)) {
      ids.streams.add(key);
      streams.add(row[positions.stream_uid]);
      apps.add(row[positions.app_id]);
    }
  }
  for (const app of apps) ids.apps.add(app);
  if (apps.size === 0) return;
  const newNames = await readNames(pool, [...apps], [...streams]);
  for (const [app, bundle] of newNames.bundles) names.bundles.set(app, bundle);
  for (const [key, name] of newNames.names) names.names.set(key, name);
}
