import { requestExportColumns } from '@switchyard/contract/request-exports';
import { Readable } from 'node:stream';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Databases } from '../../database/connect.ts';
import type { RequestFilter, RequestSort } from '../traffic-store.ts';
import { type ExportPart, type ExportPlan, planExport } from './export-parts.ts';
import { inlineParameters } from './inline-parameters.ts';
import { createLineEnds } from './line-ends.ts';

export type ExportQuery = { filter: RequestFilter; sort: RequestSort; signal: AbortSignal };

/**
 * All matches as CSV (api 0.8, [25]) with its header row, in the list's order and of one moment, so that there are as
 * many as the list counts then. Written by COPY as fast as the reader takes it; a break of the database makes the
 * stream fail, never end. What fails before the first row rejects.
 */
export async function exportRequests(pools: Databases['pools'], plan: ExportPlan, query: ExportQuery): Promise<Readable> {
  const lines = copyLines(pools, plan, query);
  const first = await lines.next();
  const all = async function* (): AsyncGenerator<Buffer> {
    if (first.done !== true) yield first.value;
    yield* lines;
  };
  return Readable.from(all(), { objectMode: false });
}

const header = Buffer.from(`${requestExportColumns.join(',')}\r\n`);

async function* copyLines(pools: Databases['pools'], plan: ExportPlan, query: ExportQuery): AsyncGenerator<Buffer> {
  const { signal } = query;
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
    let isBegun = false;
    for (const part of await planExport(client, plan, query)) {
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
  const toLines = createLineEnds();
  const rows: AsyncIterable<Buffer> = client.query(copyTo(`copy (${inlineParameters(part)}) to stdout (format csv)`));
  for await (const chunk of rows) yield toLines(chunk);
}
