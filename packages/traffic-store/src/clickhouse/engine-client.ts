import { ClickHouseLogLevel, type ClickHouseSettings, createClient } from '@clickhouse/client';
import { createGuard } from './engine-availability.ts';
import type { Statement } from './statement.ts';

/**
 * Settings of every call, also where they are defaults today: what the store promises rests on them. - An insert is on disk when it
 * is answered, and duplicates are found by queries, not by the engine's own window of blocks. - Totals and rows of one statement
 * are read from the same parts. - Ids are below 2^53, so they are numbers.
 */
const storeSettings = {
  async_insert: 0,
  insert_deduplicate: 0,
  enable_shared_storage_snapshot_in_query: 1,
  min_table_rows_to_use_projection_index: 0,
  output_format_json_quote_64bit_integers: 0,
  cancel_http_readonly_queries_on_client_close: 1,
} as const satisfies ClickHouseSettings & Record<string, unknown>;

/** Settings that only a cluster needs: writes reach a majority, and reads see them. */
const clusterSettings = {
  distributed_foreground_insert: 1,
  insert_quorum: 'auto',
  insert_quorum_parallel: 0,
  select_sequential_consistency: '1',
  optimize_skip_unused_shards: 1,
  distributed_product_mode: 'deny',
  load_balancing: 'in_order',
} as const satisfies ClickHouseSettings;

/** Seconds after which a read ends, as in PostgreSQL. Exports have no limit. */
const readSeconds = 5;
/** An engine that hangs holds a read no longer; closing the connection ends the query. */
const readMilliseconds = 6500;
/** A write must get an answer before its sender times out, and an export its next rows. */
const answerMilliseconds = 60_000;
/** Shorter than the time that a scrape of metrics may take. */
const pingMilliseconds = 2000;
/** For reads, and again for everything else. */
const openConnections = 20;

/** The event engine over HTTP. Calls reject with EventStoreUnavailable when it cannot be reached or hangs, and with its own error when it fails. */
export type EngineClient = {
  /** Name of the database in letters, digits and underscores. */
  database: string;
  /** The rows of a selection, by the names of its columns. */
  rows<Row>(statement: Statement, signal?: AbortSignal): Promise<Row[]>;
  /** The rows of a selection of texts without line breaks, columns joined by tabs. */
  lines(statement: Statement): Promise<string[]>;
  /** The same, some at a time and without a time limit. */
  stream(statement: Statement, signal: AbortSignal): Promise<AsyncIterable<string[]>>;
  /** The bytes of a selection of one column, with a line feed behind each value, without a time limit. */
  bytes(statement: Statement, signal: AbortSignal): Promise<AsyncIterable<Buffer>>;
  /**
   * Inserts rows of values in the order of the columns, as one block. A row may be given as the JSON text of its values; `queryId` names
   * the insert to a statement that kills it.
   */
  insert(batch: {
    table: string;
    columns: readonly [string, ...string[]];
    values: readonly (readonly unknown[] | string)[];
    queryId: string;
  }): Promise<void>;
  /** A statement that returns nothing. */
  command(text: string, settings?: ClickHouseSettings): Promise<void>;
  /** Whether the engine answers within two seconds. */
  ping(): Promise<boolean>;
  close(): Promise<void>;
};

/**
 * A client for `http(s)://user:password@host:8123/database`. Nothing is contacted before the first call.
 * @param timeoutFactor how many times longer than usual reads may take; for tests, which are not to fail because the machine is busy.
 */
export function openEngine({
  url,
  cluster,
  timeoutFactor = 1,
}: {
  url: string;
  cluster: string | null;
  timeoutFactor?: number | undefined;
}): EngineClient {
  const settings = { ...storeSettings, ...(cluster === null ? {} : clusterSettings) };
  // Lists end after a page: reading ahead in the order of the table would read much more.
  const reading = { ...settings, max_execution_time: readSeconds * timeoutFactor, read_in_order_use_buffering: 0 } as const;
  const open = (milliseconds: number) =>
    createClient({
      url,
      request_timeout: milliseconds * timeoutFactor,
      max_open_connections: openConnections,
      use_multipart_params_auto: true,
      log: { level: ClickHouseLogLevel.OFF },
      json: { stringify: (row) => (typeof row === 'string' ? row : JSON.stringify(row)) },
    });
  const reader = open(readMilliseconds);
  const client = open(answerMilliseconds);
  // Has connections of its own: those of the reader may all be waiting for answers.
  const prober = open(pingMilliseconds);
  const guard = createGuard(async (signal) => (await prober.ping({ select: false, abort_signal: signal })).success, timeoutFactor);
  return {
    database: new URL(url).pathname.replaceAll(/\W/g, '') || 'default',
    rows: async <Row>({ text, parameters }: Statement, signal?: AbortSignal) =>
      guard(async () => {
        const result = await reader.query({
          query: text,
          query_params: parameters.values,
          format: 'JSONEachRow',
          clickhouse_settings: reading,
          ...(signal !== undefined && { abort_signal: signal }),
        });
        return result.json<Row>();
      }),
    lines: async ({ text, parameters }) =>
      guard(async () => {
        const result = await reader.query({
          query: text,
          query_params: parameters.values,
          format: 'TabSeparatedRaw',
          clickhouse_settings: reading,
        });
        const responseText = await result.text();
        return responseText === '' ? [] : responseText.slice(0, -1).split('\n');
      }),
    stream: async ({ text, parameters }, signal) =>
      guard(async () => {
        const result = await client.query({
          query: text,
          query_params: parameters.values,
          format: 'TabSeparatedRaw',
          clickhouse_settings: { ...settings, max_execution_time: 0 },
          abort_signal: signal,
        });
        return linesOf(result.stream());
      }),
    bytes: async ({ text, parameters }, signal) =>
      guard(async () => {
        const { stream, response_headers: headers } = await client.exec({
          query: `${text}\nformat TabSeparatedRaw`,
          query_params: parameters.values,
          clickhouse_settings: { ...settings, max_execution_time: 0 },
          abort_signal: signal,
        });
        return untilException(stream, headers['x-clickhouse-exception-tag']);
      }),
    insert: async ({ table, columns, values, queryId }) =>
      guard(async () => {
        await client.insert({
          table,
          columns: [...columns],
          values,
          format: 'JSONCompactEachRow',
          query_id: queryId,
          clickhouse_settings: { ...settings, ...oneBlock },
        });
      }),
    command: async (text, more = {}) =>
      guard(async () => {
        await client.command({ query: text, clickhouse_settings: { ...settings, ...more } });
      }),
    ping: async () => (await prober.ping({ select: true, abort_signal: AbortSignal.timeout(pingMilliseconds * timeoutFactor) })).success,
    close: async () => {
      await Promise.all([reader.close(), client.close(), prober.close()]);
    },
  };
}

/**
 * More rows than any batch has: what is inserted together becomes visible together. Parsing in parallel begins with ten megabytes, and costs
 * processor time before that.
 */
const oneBlock = {
  max_insert_block_size: '1000000',
  min_insert_block_size_rows: '1000000',
  min_insert_block_size_bytes: '1000000000',
  max_insert_threads: '1',
  input_format_parallel_parsing: 0,
} as const satisfies ClickHouseSettings;

async function* linesOf(rows: AsyncIterable<readonly { text: string }[]>): AsyncGenerator<string[]> {
  for await (const some of rows) yield some.map(({ text }) => text);
}

/**
 * The bytes of a result. A server that fails after the first of them sends the error behind them, marked by a random tag that it named in
 * the headers: then this throws, so that no error passes for a part of the result.
 */
export async function* untilException(bytes: AsyncIterable<Buffer>, tag: unknown): AsyncGenerator<Buffer> {
  if (typeof tag !== 'string') {
    yield* bytes;
    return;
  }
  // The tag may be cut in two. Copies of whole parts would be twice the garbage.
  let end: Buffer = Buffer.alloc(0);
  for await (const part of bytes) {
    const seam = Buffer.concat([end, part.subarray(0, tag.length)]);
    if (part.includes(tag) || seam.includes(tag)) throw new Error('ClickHouse: failed while it sent a result');
    end = Buffer.concat([end, part.subarray(-tag.length)]).subarray(-tag.length);
    yield part;
  }
}
