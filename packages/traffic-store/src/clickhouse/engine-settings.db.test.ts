import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createTestEngine, isClickHouseAvailable } from '../../../api/test/clickhouse-database.ts';
import { timeoutFactor } from '../../../api/test/test-database.ts';
import { type EngineClient, openEngine } from './engine-client.ts';
import { createEvents } from './migrations/0001-events.ts';
import { compressSmallBlocks } from './migrations/0005-small-blocks.ts';
import { cheapenMerges } from './migrations/0008-merges.ts';
import { newParameters, using } from './statement.ts';

/** Parameters of ClickHouse's HTTP interface that are no settings. */
const ofTheInterface = new Set(['query', 'query_id', 'database', 'default_format', 'enable_http_compression', 'compress']);

describe.runIf(isClickHouseAvailable())('settings that the store sends', () => {
  let url: string;
  let engine: EngineClient;

  beforeAll(async () => {
    ({ url, engine } = await createTestEngine());
  });

  const ask = async (text: string): Promise<string[]> => engine.lines({ text, parameters: newParameters() });

  /** The settings of each call that is made through the client, by name. */
  async function recordSettings(cluster: string | null, makeCalls: (client: EngineClient) => Promise<void>) {
    const calls: Map<string, string>[] = [];
    const target = new URL(url);
    const recorder = createServer((incoming, outgoing) => {
      const { searchParams } = new URL(incoming.url ?? '', url);
      calls.push(new Map([...searchParams].filter(([name]) => !ofTheInterface.has(name))));
      const { hostname, port } = target;
      const forwardedRequest = request(
        { hostname, port, path: incoming.url, method: incoming.method, headers: { ...incoming.headers, host: target.host } },
        (answer) => {
          outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(outgoing);
        },
      );
      incoming.pipe(forwardedRequest);
    }).listen(0, '127.0.0.1');
    await once(recorder, 'listening');
    const address = recorder.address();
    if (address === null || typeof address === 'string') throw new Error('the recorder has no port');
    const client = openEngine({ url: Object.assign(new URL(url), { port: String(address.port) }).href, cluster, timeoutFactor });
    onTestFinished(async () => {
      await client.close();
      recorder.close();
    });
    await makeCalls(client);
    return calls;
  }

  it('[REP-042] cancel a read whose caller aborts it', async () => {
    const reader = new AbortController();
    const text = `select count() as rep_042 from numbers(1000000000000) where sipHash64(number) = 7`;
    const rows = engine.rows({ text, parameters: newParameters() }, reader.signal).catch((error: unknown) => error);
    const running = async () => (await ask(`select 1 from system.processes where query like 'select count() as rep_042%'`)).length;
    await vi.waitUntil(async () => (await running()) === 1, { timeout: 10_000 });
    reader.abort();
    expect(await rows).toBeInstanceOf(Error);
    // Before the limit of a read would end it.
    await vi.waitUntil(async () => (await running()) === 0, { timeout: 3000 });
  });

  /** One call of each kind. */
  async function everyCall(client: EngineClient): Promise<void> {
    const statement = { text: 'select 1 as one', parameters: newParameters() };
    await client.rows(statement);
    await client.lines(statement);
    for await (const lines of await client.stream(statement, new AbortController().signal)) expect(lines).toEqual(['1']);
    for await (const part of await client.bytes(statement, new AbortController().signal)) expect(part.toString()).toBe('1\n');
    await client.insert({ table: 'void_batches', columns: ['batch', 'is_void'], values: [[1, 1]], queryId: `${client.database}-settings` });
    await client.command('select 1', { max_partition_size_to_drop: '0' });
  }

  /** Boolean values have several names. */
  const plain = (value: string): string => ({ true: '1', false: '0' })[value] ?? value;

  it.each([null, 'main'])('[REQ-024] exist and are applied, with the cluster %s', async (cluster) => {
    const calls = await recordSettings(cluster, everyCall);
    expect(calls).toHaveLength(6);
    for (const settings of calls) {
      expect(Object.fromEntries(settings)).toMatchObject({
        async_insert: '0',
        insert_deduplicate: '0',
        enable_shared_storage_snapshot_in_query: '1',
        min_table_rows_to_use_projection_index: '0',
        output_format_json_quote_64bit_integers: '0',
        cancel_http_readonly_queries_on_client_close: '1',
      });
      const names = [...settings.keys()];
      const assignments = Array.from(settings, ([name, value]) => `${name} = '${value}'`).join(', ');
      const list = names.map((name) => `'${name}'`).join(', ');
      const appliedLines = await ask(`select name, value from system.settings where name in (${list}) settings ${assignments}`);
      expect(new Map(appliedLines.map((line) => line.split('\t')).map(([name, value = '']) => [name, plain(value)]))).toEqual(
        new Map(Array.from(settings, ([name, value]) => [name, plain(value)])),
      );
    }
    const [rows, lines, stream, bytes, insert, command] = calls;
    for (const read of [rows, lines]) expect(read?.get('max_execution_time')).toBe(String(5 * timeoutFactor));
    for (const long of [stream, bytes]) expect(long?.get('max_execution_time')).toBe('0');
    expect(insert?.get('max_insert_block_size')).toBe('1000000');
    expect(command?.get('max_partition_size_to_drop')).toBe('0');
    expect(calls.map((settings) => settings.get('insert_quorum'))).toEqual(calls.map(() => (cluster === null ? undefined : 'auto')));
  });

  it('[REQ-024] are those of statements and tables as well', async () => {
    const namesIn = (text: string) => [...text.matchAll(/(\w+) = /g)].map(([, name = '']) => name);
    const ofStatements = namesIn(using('by_hour').replace('settings ', ''));
    expect(
      await ask(`select name from system.settings where name in (${ofStatements.map((name) => `'${name}'`).join(', ')})`),
    ).toHaveLength(2);
    const [, tableSettings = ''] = /settings (.*)$/.exec(createEvents(null).at(-1) ?? '') ?? [];
    const changedSettings = [...compressSmallBlocks(null), ...cheapenMerges(null)];
    const ofTables = [...namesIn(tableSettings), ...changedSettings.flatMap(namesIn)];
    expect(ofTables).toContain('fsync_after_insert');
    const existingNames = await ask(
      `select name from system.merge_tree_settings where name in (${ofTables.map((name) => `'${name}'`).join(', ')})`,
    );
    expect(existingNames.toSorted()).toEqual(ofTables.toSorted());
    const [engineFull = ''] = await ask(`select engine_full from system.tables where database = currentDatabase() and name = 'events'`);
    expect(namesIn(engineFull).toSorted()).toEqual(ofTables.toSorted());
  });
});
