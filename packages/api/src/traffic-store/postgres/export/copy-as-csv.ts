import { Readable } from 'node:stream';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Databases } from '../../../database/connect.ts';
import { markSetting } from './csv-cells.ts';
import { inlineParameters } from './inline-parameters.ts';
import { createLineEnds, newRowMark } from './line-ends.ts';
import type { Query } from '../list/event-queries.ts';

/**
 * A stretch of an export: its rows in order, no cell of them null (told apart from '', empty text would be written as `""`)
 * but a last one, which always is: `rowEndCell`. Large ones have to take the order from an index: sorting them would fill
 * the disk.
 */
export type ExportPart = Query & { isLarge: boolean };

/** A file of CSV in the making. */
export type CsvExport = {
  /** The header row; no name needs quotes. */
  columns: readonly string[];
  /** Says what to write, in the transaction of the export: what it counts is of the same moment as the rows. */
  plan: (client: pg.ClientBase) => Promise<readonly ExportPart[]>;
  /** Aborted when the reader has gone. */
  signal: AbortSignal;
};

/**
 * CSV (api 0.8) with its header row, of one moment, written by COPY as fast as the reader takes it; a break of the
 * database makes the stream fail, never end. What fails before the first row rejects.
 */
export async function copyAsCsv(pools: Databases['pools'], wanted: CsvExport): Promise<Readable> {
  const lines = copyLines(pools, wanted);
  const first = await lines.next();
  const all = async function* (): AsyncGenerator<Buffer> {
    if (first.done !== true) yield first.value;
    yield* lines;
  };
  return Readable.from(all(), { objectMode: false });
}

async function* copyLines(pools: Databases['pools'], { columns, plan, signal }: CsvExport): AsyncGenerator<Buffer> {
  const header = Buffer.from(`${columns.join(',')}\r\n`);
  signal.throwIfAborted();
  const client = await pools.exports.connect();
  let isWhole = false;
  let cancel: (() => void) | undefined;
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    cancel = () => {
      // A statement that sorts, or that waits for a reader who is gone, hears of nothing else.
      pools.ui.query('select pg_terminate_backend($1)', [rows[0]?.pid]).catch(() => undefined);
    };
    signal.addEventListener('abort', cancel);
    signal.throwIfAborted();
    await client.query('begin isolation level repeatable read read only');
    // The reader, not the database, decides how long a pause between two statements is.
    await client.query('set local idle_in_transaction_session_timeout = 0');
    // Dates are written in the database's own form.
    await client.query(`set local timezone = 'UTC'; set local datestyle = 'ISO'`);
    let isBegun = false;
    for (const part of await plan(client)) {
      for await (const lines of copyPart(client, part)) {
        yield isBegun ? lines : Buffer.concat([header, lines]);
        isBegun = true;
      }
    }
    if (!isBegun) yield header;
    await client.query('commit');
    isWhole = true;
  } finally {
    if (cancel) signal.removeEventListener('abort', cancel);
    // A connection in the middle of COPY is of no use to anybody else.
    client.release(!isWhole);
  }
}

async function* copyPart(client: pg.PoolClient, part: ExportPart): AsyncGenerator<Buffer> {
  await client.query(`set local enable_sort = ${part.isLarge ? 'off' : 'on'}`);
  const mark = newRowMark();
  await client.query('select set_config($1, $2, true)', [markSetting, mark]);
  const toLines = createLineEnds(mark);
  const rows: AsyncIterable<Buffer> = client.query(copyTo(`copy (${inlineParameters(part)}) to stdout (format csv, null '${mark}')`));
  for await (const chunk of rows) {
    const lines = toLines(chunk);
    if (lines.length > 0) yield lines;
  }
}
