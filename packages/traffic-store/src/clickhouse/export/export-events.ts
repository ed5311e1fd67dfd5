import { requestExportColumns } from '@switchyard/contract/requests';
import type { Readable } from 'node:stream';
import type pg from 'pg';
import { csvLine, toFile } from '../../csv.ts';
import type { EventFilter, EventSort } from '../../event-store.ts';
import type { EngineClient } from '../engine-client.ts';
import { isEngineMemoryFull } from '../engine-errors.ts';
import { allConditions, where } from '../event-conditions.ts';
import { type Names, readFilterNames } from '../read-names.ts';
import { newParameters, type Statement, using } from '../statement.ts';
import { csvSql } from './csv-sql.ts';
import { pieceSettings } from './plain-rows.ts';
import { sortsAtOnce } from './sorts-at-once.ts';

export type ExportQuery = { filter: EventFilter; sort: EventSort; signal: AbortSignal };

/** Above what events take that are as large as the average. */
const defaultSortMemory = 2 ** 30;

type ExportSource = {
  engine: EngineClient;
  pool: pg.Pool;
  sortable?: number | undefined;
  /** Bytes of memory that the engine may take for a file that it sorts at once. */
  sortMemory?: number;
};

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

async function* csvParts(
  { engine, pool, sortable, sortMemory = defaultSortMemory }: ExportSource,
  query: ExportQuery,
): AsyncGenerator<Buffer> {
  const header = Buffer.from(csvLine(requestExportColumns));
  const names = await readFilterNames(pool, query.filter);
  const isSorted = await sortsAtOnce(engine, query.filter, sortable);
  let isBegun = false;
  for await (const lines of linesOf(engine, query, { names, sortMemory: isSorted ? sortMemory : null })) {
    yield isBegun ? lines : Buffer.concat([header, lines]);
    isBegun = true;
  }
  if (!isBegun) yield header;
}

/** How a file is read: with the memory for sorting all of it at once, or with null in the order of the table where that is possible. */
type Reading = { names: Names; sortMemory: number | null };

async function* linesOf(engine: EngineClient, query: ExportQuery, reading: Reading): AsyncGenerator<Buffer> {
  let isBegun = false;
  try {
    for await (const lines of await engine.bytes(exportStatement(query, reading), query.signal)) {
      isBegun = true;
      yield lines;
    }
  } catch (error) {
    // The matches are larger than the average event, by which their size was estimated.
    if (isBegun || reading.sortMemory === null || !isEngineMemoryFull(error)) throw error;
    yield* linesOf(engine, query, { ...reading, sortMemory: null });
  }
}

/**
 * By time the engine reads in the order of the table, whose key begins with the hour, so that it needs little memory, unless it may sort
 * at once. Other orders are sorted. Lines are written before the sort, by as many threads as read.
 */
function exportStatement({ filter, sort }: ExportQuery, { names, sortMemory }: Reading): Statement {
  const { orderBy, orderDirection: direction } = sort;
  const parameters = newParameters();
  const events = `events ${where(allConditions(filter, parameters))}`;
  const order = {
    concatenated_date: `toStartOfHour(occurred_at) ${direction}, occurred_at ${direction}, id ${direction}`,
    id: `id ${direction}`,
    type: `type ${direction}, id ${direction}`,
  }[orderBy];
  const { line, from } = csvSql(names, parameters);
  const sorting = sortMemory === null ? '' : `, optimize_read_in_order = 0, max_memory_usage = ${sortMemory}`;
  const settings = `query_plan_execute_functions_after_sorting = 0${sorting}`;
  return {
    text: `select ${line} from ${from(events)} order by ${order} ${using(null)}, ${pieceSettings}, max_block_size = ${blockRows}, ${settings}`,
    parameters,
  };
}
