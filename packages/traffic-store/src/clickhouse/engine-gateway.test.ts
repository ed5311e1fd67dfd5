import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClickHouseLogLevel, createClient, type ClickHouseClient } from '@clickhouse/client';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';
import { createClickHouseDatabase, isClickHouseAvailable } from '../../../api/test/clickhouse-database.ts';
import { isEngineInstalled, startEngine } from './start-engine.ts';

/** Runs until it is killed, and never hands over a row. */
const endless = 'select count() from system.numbers';

describe.each(isClickHouseAvailable() ? ['ClickHouse'] : [])('%s as the event store asks it', () => {
  let client: ClickHouseClient;
  let url = '';

  beforeAll(async () => {
    ({ url } = await createClickHouseDatabase());
    client = connect({ use_multipart_params_auto: true, max_open_connections: 20 });
  });
  afterAll(() => client.close());

  // Most of these queries fail on purpose.
  const connect = (options: Parameters<typeof createClient>[0]): ClickHouseClient =>
    createClient({ url, log: { level: ClickHouseLogLevel.OFF }, ...options });

  async function rows(query: string, options: Omit<Parameters<ClickHouseClient['query']>[0], 'query' | 'format'> = {}): Promise<unknown[]> {
    const result = await client.query({ query, format: 'JSONEachRow', ...options });
    return result.json();
  }

  const countRunning = async (mark: string): Promise<number> => {
    const texts = await rows('select query from system.processes');
    return texts.filter((row) => JSON.stringify(row).includes(mark)).length;
  };

  it('takes parameters as they are', async () => {
    const statement = {
      text: `it's "a"\\ b\t\n\r\u0000 {x:String} /* ü 🙂 */`,
      texts: ['a', "b'", 'c\\,]'],
      empty: [],
      none: null,
      uuid: randomUUID(),
      ip: '2001:db8::1',
      at: new Date('2026-01-02T03:04:05.678Z'),
      big: 2 ** 53 - 1,
    };
    const query = `select {text:String} as text, {texts:Array(String)} as texts, {empty:Array(Int32)} as empty, {none:Nullable(String)} as none,
      {uuid:UUID} as uuid, {ip:IPv6} as ip, toUnixTimestamp64Milli({at:DateTime64(3, 'UTC')})::Int64 as at, {big:UInt64} as big`;
    const clickhouse_settings = { output_format_json_quote_64bit_integers: 0 } as const;
    expect(await rows(query, { query_params: statement, clickhouse_settings })).toEqual([{ ...statement, at: statement.at.getTime() }]);
    expect(await rows(query, { query_params: statement, clickhouse_settings, use_multipart_params: true })).toEqual([
      { ...statement, at: statement.at.getTime() },
    ]);
  });

  it('takes a list of ids too long for an address', async () => {
    const ids = Array.from({ length: 100_000 }, (_, at) => at);
    expect(await rows('select length({ids:Array(UInt32)})::Int32 as n', { query_params: { ids } })).toEqual([{ n: 100_000 }]);
  });

  it('forgets settings, parameters and what a failed query left behind', async () => {
    expect(
      await rows(`select getSetting('max_block_size')::Int32 as size, {a:Int32} as a`, {
        clickhouse_settings: { max_block_size: '777' },
        query_params: { a: 1 },
      }),
    ).toEqual([{ size: 777, a: 1 }]);
    const [row] = await rows(`select getSetting('max_block_size')::Int32 as size`);
    expect(row).not.toEqual({ size: 777 });
    await expect(rows('select {a:Int32}')).rejects.toMatchObject({ code: '456' });
    await expect(rows(`select throwIf(number = 150000) from numbers(200000) settings max_block_size = 1000`)).rejects.toThrow();
    expect(await rows('select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('reports errors with their code', async () => {
    await expect(rows('select * from missing')).rejects.toMatchObject({ code: '60', type: 'UNKNOWN_TABLE' });
    await expect(rows('selec 1')).rejects.toMatchObject({ code: '62', type: 'SYNTAX_ERROR' });
    await expect(rows(endless, { clickhouse_settings: { max_execution_time: 1 } })).rejects.toMatchObject({
      code: '159',
      type: 'TIMEOUT_EXCEEDED',
    });
    await expect(rows('select 1', { clickhouse_settings: Object.fromEntries([['no_such_setting', 1]]) })).rejects.toMatchObject({
      code: '115',
    });
    const stranger = connect({ url: url.replace(/:[^:@]*@/, ':wrong@') });
    await expect(stranger.query({ query: 'select 1' })).rejects.toMatchObject({ code: '516', type: 'AUTHENTICATION_FAILED' });
    await stranger.close();
  });

  it('streams rows before the query has ended, and kills it when the caller leaves', async () => {
    const mark = `abort ${randomUUID()}`;
    const leaving = new AbortController();
    const result = await client.query({
      query: `/* ${mark} */ select number, repeat('x', 500) as text from system.numbers`,
      format: 'JSONEachRow',
      abort_signal: leaving.signal,
    });
    for await (const [row] of result.stream()) {
      expect(row?.json()).toMatchObject({ number: expect.anything() });
      break;
    }
    leaving.abort();
    await expect.poll(() => countRunning(mark)).toBe(0);
  });

  it('stops the query of a caller that leaves before the first row', async () => {
    const mark = `abort ${randomUUID()}`;
    const leaving = new AbortController();
    const query = rows(`${endless} where {mark:String} != ''`, { query_params: { mark }, abort_signal: leaving.signal });
    const abortion = expect(query).rejects.toThrow('abort');
    await expect.poll(() => countRunning(mark)).toBe(1);
    leaving.abort();
    await abortion;
    await expect.poll(() => countRunning(mark)).toBe(0);
  });

  it.each([
    ['as a parameter', (id: string) => ({ query: 'KILL QUERY WHERE query_id = {id:String} SYNC', query_params: { id } })],
    ['in the statement', (id: string) => ({ query: `kill query where query_id = '${id}' sync` })],
  ])('ends a query by its id %s, and answers when it has ended', async (_way, kill) => {
    await client.command({ query: 'create table if not exists killed (n UInt64) engine = MergeTree order by n' });
    const id = `events-${randomUUID()}`;
    const command = client.command({ query: `insert into killed select number from system.numbers`, query_id: id });
    const cancellation = expect(command).rejects.toMatchObject({ code: '394', type: 'QUERY_WAS_CANCELLED' });
    await expect.poll(() => countRunning('insert into killed')).toBe(1);
    await client.command(kill(id));
    expect(await countRunning('insert into killed')).toBe(0);
    await cancellation;
    await client.command(kill(id));
  });

  it('runs queries side by side', async () => {
    const mark = `beside ${randomUUID()}`;
    const leaving = new AbortController();
    const queries = [1, 2, 3, 4, 5, 6].map(() =>
      rows(`/* ${mark} */ select sleep(3) from system.numbers settings max_block_size = 1`, { abort_signal: leaving.signal }).catch(
        () => null,
      ),
    );
    await expect.poll(() => countRunning(mark)).toBe(6);
    leaving.abort();
    await Promise.all(queries);
  });

  it('stores inserts of every form', async () => {
    await client.command({ query: 'create table stored (n UInt32, t String) engine = MergeTree order by n' });
    const text = `a'b"c\\ \n\t ü ${'x'.repeat(500)}`;
    const many = (first: number) => Array.from({ length: 20_000 }, (_, at) => ({ n: first + at, t: text }));
    await client.insert({ table: 'stored', format: 'JSONEachRow', values: many(0) });
    await client.insert({
      table: 'stored',
      format: 'JSONCompactEachRow',
      columns: ['t', 'n'],
      values: many(20_000).map(({ n, t }) => [t, n]),
    });
    const packing = connect({ compression: { request: true } });
    await packing.insert({ table: 'stored', format: 'JSONEachRow', values: many(40_000) });
    await packing.close();
    await expect(client.insert({ table: 'stored', format: 'JSONEachRow', values: [{ n: 'x' }] })).rejects.toMatchObject({ code: '27' });
    expect(
      await rows('select uniqExact(n)::Int32 as numbers, min(n) as first, max(n) as last, groupUniqArray(t) as texts from stored'),
    ).toEqual([{ numbers: 60_000, first: 0, last: 59_999, texts: [text] }]);
  });

  it('gives results of every size in one document', async () => {
    const result = await client.query({ query: 'select number from numbers(200000)', format: 'JSON' });
    expect((await result.json()).data).toHaveLength(200_000);
  });
});

describe('the embedded ClickHouse', () => {
  const onProblem = (): void => undefined;

  async function temporaryFolder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'switchyard-engine-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    return folder;
  }

  it('says in one line how to install it', async () => {
    const starting = startEngine(tmpdir(), { onProblem, engineFolder: tmpdir() });
    await expect(starting).rejects.toThrow(
      new StartupError('EVENT_STORE_URL: the embedded ClickHouse is not installed (run npm ci --prefix embedded-clickhouse)'),
    );
  });

  describe.each(isEngineInstalled() ? ['once installed'] : [])('%s', () => {
    async function ask(url: string, query: string): Promise<string> {
      const client = createClient({ url });
      const result = await client.query({ query, format: 'TabSeparated' });
      const text = await result.text();
      await client.close();
      return text;
    }

    it('keeps a folder to itself, and its rows until the next start', async () => {
      const folder = join(await temporaryFolder(), 'not', 'made');
      const first = await startEngine(folder, { onProblem });
      await ask(first.url, 'create table kept (n UInt8) engine = MergeTree order by n');
      await ask(first.url, 'insert into kept select 7');
      await expect(startEngine(folder, { onProblem, openWithin: 500 })).rejects.toThrow(
        new StartupError(`Embedded ClickHouse in ${folder}: cannot be started (the folder is in use by another process)`),
      );
      await first.stop();
      const second = await startEngine(folder, { onProblem });
      expect(await ask(second.url, 'select n from kept')).toBe('7\n');
      await second.stop();
    });

    it('ends with the process that started it, and leaves the folder to the next one', async () => {
      const folder = await temporaryFolder();
      const code = `import('${new URL('start-engine.ts', import.meta.url).href}').then(async ({ startEngine }) => {
        const { url } = await startEngine(process.argv[1], { onProblem: () => undefined });
        process.stdout.write(url);
      });`;
      const owner = spawn(process.execPath, ['-e', code, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
      const [url] = await once(owner.stdout, 'data');
      expect(await ask(String(url), 'select 1')).toBe('1\n');
      owner.kill('SIGKILL');
      const next = await startEngine(folder, { onProblem });
      expect(await ask(next.url, 'select 1')).toBe('1\n');
      await next.stop();
    });

    it('reports an unexpected exit, and is started again with its rows at the same address', async () => {
      const problems: string[] = [];
      const recoveries: string[] = [];
      const engine = await startEngine(await temporaryFolder(), {
        onProblem: (line) => problems.push(line),
        onRecovery: (line) => recoveries.push(line),
      });
      onTestFinished(() => engine.stop());
      await ask(engine.url, 'create table kept (n UInt8) engine = MergeTree order by n');
      await ask(engine.url, 'insert into kept select 7');
      const pid = engine.pid();
      process.kill(pid, 'SIGKILL');
      await expect.poll(() => recoveries).toEqual(['Embedded ClickHouse: recovered']);
      expect(problems).toEqual(['Embedded ClickHouse: ended unexpectedly, restarting (SIGKILL)']);
      expect(await ask(engine.url, 'select n from kept')).toBe('7\n');
      expect(engine.pid()).not.toBe(pid);
    });

    it('cannot be started in a file', async () => {
      const folder = join(await temporaryFolder(), 'file');
      await writeFile(folder, '');
      await expect(startEngine(folder, { onProblem, openWithin: 500 })).rejects.toThrow(StartupError);
    });
  });
});
