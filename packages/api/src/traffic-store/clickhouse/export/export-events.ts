import { requestExportColumns } from '@switchyard/contract/requests';
import type { Readable } from 'node:stream';
import type pg from 'pg';
import { csvLine, toFile } from '../../csv.ts';
import type { EventFilter, EventSort } from '../../event-store.ts';
import type { EngineClient } from '../engine-client.ts';
import { allConditions, where } from '../event-conditions.ts';
import { type Names, readFilterNames } from '../read-names.ts';
import { newParameters, type Statement, using } from '../statement.ts';
import { csvSql } from './csv-sql.ts';
import { pieceSettings } from './plain-rows.ts';
import { sortsAtOnce } from './sorts-at-once.ts';

export type ExportQuery = { filter: EventFilter; sort: EventSort; signal: AbortSignal };

type ExportSource = { engine: EngineClient; pool: pg.Pool; sortable?: number | undefined };

/** Rows of a block: sorted rows are written by blocks, and larger ones do not stay in the caches of a processor. */
const blockRows = 8192;

/**
 * All matching events as CSV, in the list's order. One statement reads and writes them: it keeps its parts of the table until it ends, so the
 * file is of one moment whatever is written or dropped meanwhile. A failure before the first row rejects; a later one fails the stream.
 */
export async function exportEvents(from: ExportSource, query: ExportQuery): Promise<Readable> {
  query.signal.throwIfAborted();
  return toFile(csvParts(from, query));
}

async function* csvParts({ engine, pool, sortable }: ExportSource, query: ExportQuery): AsyncGenerator<Buffer> {
  const header = Buffer.from(csvLine(requestExportColumns));
  const names = await readFilterNames(pool, query.filter);
  const isSorted = await sortsAtOnce(engine, query.filter, sortable);
  let isBegun = false;
  for await (const lines of await engine.bytes(exportStatement(query, names, isSorted), query.signal)) {
    yield isBegun ? lines : Buffer.concat([header, lines]);
    isBegun = true;
  }
  if (!isBegun) yield header;
}

/**
 * By time the engine reads in the order of the table, whose key begins with the hour, so that it needs little memory, unless it may sort
 * at once. Other orders are sorted. Lines are written before the sort, by as many threads as read.
 */
function exportStatement({ filter, sort }: ExportQuery, names: Names, isSorted: boolean): Statement {
  const { orderBy, orderDirection: direction } = sort;
  const parameters = newParameters();
  const events = `events ${where(allConditions(filter, parameters))}`;
  const order = {
    concatenated_date: `toStartOfHour(occurred_at) ${direction}, occurred_at ${direction}, id ${direction}`,
    id: `id ${direction}`,
    type: `type ${direction}, id ${direction}`,
  }[orderBy];
  const { line, from } = csvSql(names, parameters);
  const settings = `query_plan_execute_functions_after_sorting = 0${isSorted ? ', optimize_read_in_order = 0' : ''}`;
  return {
    text: `select ${line} from ${from(events)} order by ${order} ${using(null)}, ${pieceSettings}, max_block_size = ${blockRows}, ${settings}`,
    parameters,
  };
}
