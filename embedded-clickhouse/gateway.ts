import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, fstatSync, mkdirSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { EngineError, openEngine, threads, type Engine } from './engine.ts';
import { readKill, readQuery } from './read-query.ts';

/** Parameters travel in the address unless the client sends a form. A ClickHouse server allows 1 MiB. */
const maxHeaderBytes = 2 ** 20 + 2 ** 16;
const stopMilliseconds = 20_000;

/** Serves ClickHouse's HTTP interface over an engine. Callers give the password by basic authentication. */
function serve(engine: Engine, password: string) {
  return createServer({ maxHeaderSize: maxHeaderBytes, requestTimeout: 0 }, (request, response) => {
    answer(request, response).catch((error: unknown) => fail(response, error));
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === '/ping') return void response.end('Ok.\n');
    if (!isAuthorized(request.headers.authorization ?? '', password))
      throw new EngineError(516, 'AUTHENTICATION_FAILED', 'Authentication failed: wrong password');
    const disconnect = new AbortController();
    response.once('close', () => disconnect.abort());
    const query = await readQuery(request);
    response.setHeader('x-clickhouse-query-id', query.id);
    response.setHeader('x-clickhouse-format', query.format);
    const kill = readKill(query);
    if (kill) {
      const killing = engine.kill(kill.queryId);
      if (kill.waits) await killing;
    } else
      await engine.run(query, {
        signal: disconnect.signal,
        write: async (piece) => {
          if (piece.length > 0 && !response.write(piece) && !disconnect.signal.aborted)
            await once(response, 'drain', { signal: disconnect.signal }).catch(() => undefined);
        },
      });
    response.end();
  }
}

function isAuthorized(header: string, password: string): boolean {
  const [, givenPassword = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(header.replace(/^basic /i, ''), 'base64').toString()) ?? [];
  const [a, b] = [Buffer.from(givenPassword), Buffer.from(password)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Once a part of the result has been sent, only a closed connection shows the caller that it is incomplete. */
function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const message = error instanceof Error ? error.message : String(error);
  const codeMatch = /Code: (\d+)\.[^]*/.exec(message);
  response.writeHead(codeMatch?.[1] === '516' ? 403 : 500, { 'x-clickhouse-exception-code': codeMatch?.[1] ?? '1002' });
  response.end(codeMatch?.[0] ?? `Code: 1002. DB::Exception: ${message}. (UNKNOWN_EXCEPTION)`);
}

/**
 * Opens the folder. The engine of a process that was just killed may need as long as it is allowed to end, so this is tried
 * again until then. The engine itself writes the reason to standard error.
 */
async function openWhenFree(folder: string, milliseconds: number): Promise<Engine> {
  for (const end = performance.now() + milliseconds; ; await wait(250)) {
    try {
      return openEngine(folder);
    } catch (error) {
      if (performance.now() > end) throw error;
    }
  }
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      port: { type: 'string', default: '0' },
      'open-within': { type: 'string', default: String(stopMilliseconds + 5000) },
    },
  });
  const [folder] = positionals;
  if (folder === undefined || [values.port, values['open-within']].some((value) => !/^\d+$/.test(value)))
    throw new Error('usage: node embedded-clickhouse/gateway.ts FOLDER [--port PORT] [--open-within MILLISECONDS]');
  if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
  // Read when the first thread starts, which is after this line.
  process.env['UV_THREADPOOL_SIZE'] ??= String(threads);
  const engine = await openWhenFree(folder, Number(values['open-within']));
  const password = process.env['ENGINE_PASSWORD'] ?? randomBytes(24).toString('hex');
  const server = serve(engine, password).listen(Number(values.port), '127.0.0.1');
  await once(server, 'listening');

  let isStopping = false;
  const stop = async (): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), stopMilliseconds).unref();
    server.close();
    await engine.close();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => void stop());
  // A parent holds the other end of this pipe. However the parent ends, the kernel closes it.
  const input = fstatSync(0);
  if (input.isFIFO() || input.isSocket()) process.stdin.resume().once('close', () => void stop());

  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  process.stdout.write(`listening on http://default:${password}@127.0.0.1:${address.port}\n`);
}

for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
