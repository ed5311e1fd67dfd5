import { setTimeout as wait } from 'node:timers/promises';
import { drainPending, Session } from 'chdb';

/** A query as it arrived over HTTP. */
export type Query = {
  id: string;
  sql: string;
  /** Rows of an insert in the format that `sql` names; empty if there are none. */
  data: string;
  /** Null: the default one. */
  database: string | null;
  /** Settings of this query alone, and its parameters as `param_<name>`. */
  settings: readonly (readonly [name: string, value: string])[];
  /** Format of the result unless `sql` names one. */
  format: string;
};

/** An error with the code that a ClickHouse server would report. */
export class EngineError extends Error {
  override name = 'EngineError';
  readonly code: number;

  constructor(code: number, type: string, problem: string) {
    super(`Code: ${code}. DB::Exception: ${problem}. (${type})`);
    this.code = code;
  }
}

/** An open data folder. */
export type Engine = {
  /**
   * Runs a query and hands its result over piece by piece; the next piece is fetched when `write` has resolved. Aborting
   * `signal` kills the query. Resolves or rejects when the query has ended in the engine.
   */
  run: (query: Query, target: { signal: AbortSignal; write: (piece: Uint8Array) => Promise<void> }) => Promise<void>;
  /** Kills the query with this id, if it runs. Resolves when it has ended. */
  kill: (queryId: string) => Promise<void>;
  /** Kills what runs and closes the folder. */
  close: () => Promise<void>;
};

/** Most queries at once. A stream keeps its place until the last row is read, so there are more places than cores. */
const places = 16;
/** Threads of libuv: one for each query, and some for killing queries, unzipping and files. */
export const threads = places + 8;
const killAgainMilliseconds = 20;
/** From this length on, `SET` exceeds the engine's default of `max_query_size`, which does not count parameters on a server. */
const longSettings = 200_000;

/** Formats whose pieces can be joined. Others have a header or an end, which the engine would repeat in each piece. */
const joinable = new Set([
  'CSV',
  'JSONCompactEachRow',
  'JSONCompactStringsEachRow',
  'JSONEachRow',
  'JSONStringsEachRow',
  'TSV',
  'TSVRaw',
  'TabSeparated',
  'TabSeparatedRaw',
]);

/**
 * Opens a data folder. Each query gets a session of its own, because settings, parameters, the database and remains of a failed
 * query stay in a session. @throws Error if the folder cannot be opened, or if another process has it open.
 */
export function openEngine(folder: string): Engine {
  const control = new Session(folder);
  const running = new Map<string, { killSignal: AbortController; ending: Promise<void> }>();
  const waiting: (() => void)[] = [];
  let free = places;

  async function enter(): Promise<void> {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  }

  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  }

  async function run(query: Query, { signal, write }: Parameters<Engine['run']>[1]): Promise<void> {
    if (running.has(query.id)) throw new EngineError(216, 'QUERY_WITH_SAME_ID_IS_ALREADY_RUNNING', `Query ${query.id} is already running`);
    const killSignal = new AbortController();
    const ending = Promise.withResolvers<void>();
    running.set(query.id, { killSignal, ending: ending.promise });
    await enter();
    const session = new Session(folder);
    const statement = query.data === '' ? query.sql : `${query.sql}\n${query.data}`;
    const either = AbortSignal.any([signal, killSignal.signal]);
    const onAbort = (): void => void killUntil(ending.promise, query.id);
    either.addEventListener('abort', onAbort, { once: true });
    try {
      await prepare(session, query);
      throwIfKilled(either);
      if (!isStreamable(query)) await write((await session.queryAsync(statement, { format: query.format })).bytes());
      else
        for await (const piece of session.queryStream(statement, { format: query.format })) {
          throwIfKilled(either);
          await write(piece.raw());
        }
    } finally {
      either.removeEventListener('abort', onAbort);
      session.close();
      leave();
      running.delete(query.id);
      ending.resolve();
    }
  }

  /** A query that has just been handed over may not be listed yet, so killing is repeated until it has ended. */
  async function killUntil(ending: Promise<void>, queryId: string): Promise<void> {
    const state = { hasEnded: false };
    const end = ending.then(() => (state.hasEnded = true));
    while (!state.hasEnded) {
      await control.queryAsync(`KILL QUERY WHERE Settings['log_comment'] = ${quoteText(queryId, "'")} ASYNC`, { format: 'Null' });
      await Promise.race([end, wait(killAgainMilliseconds)]);
    }
  }

  async function kill(queryId: string): Promise<void> {
    const runningQuery = running.get(queryId);
    if (runningQuery === undefined) return;
    runningQuery.killSignal.abort();
    await runningQuery.ending;
    // Under load the engine lists a query for a moment after it has answered.
    while (await isListed(queryId)) await wait(killAgainMilliseconds);
  }

  async function isListed(queryId: string): Promise<boolean> {
    const processes = await control.queryAsync(
      `select count() from system.processes where Settings['log_comment'] = ${quoteText(queryId, "'")}`,
      { format: 'TSV' },
    );
    return Buffer.from(processes.bytes()).toString().trim() !== '0';
  }

  return {
    run,
    kill,
    close: async () => {
      await Promise.all([...running.keys()].map(kill));
      control.close();
      await drainPending();
    },
  };
}

/**
 * Selects the database and sets the settings. The query's id becomes its comment, by which it can be found: the engine
 * gives ids of its own, and it drops comments from the text of a query with parameters.
 */
async function prepare(session: Session, { id, database, settings }: Query): Promise<void> {
  const set = async (statement: string): Promise<void> => void (await session.queryAsync(statement, { format: 'Null' }));
  if (database !== null) await set(`USE ${quoteText(database, '`')}`);
  const assignments = [...settings.filter(([name]) => name !== 'log_comment'), ['log_comment', id] as const]
    .map(([name, value]) => `${settingName(name)} = ${quoteText(value, "'")}`)
    .join(', ');
  if (assignments.length > longSettings) await set(`SET max_query_size = ${assignments.length * 2}`);
  await set(`SET ${assignments}`);
}

function throwIfKilled(signal: AbortSignal): void {
  if (signal.aborted) throw new EngineError(394, 'QUERY_WAS_CANCELLED', 'Query was cancelled');
}

function isStreamable({ sql, format, data }: Query): boolean {
  if (data !== '' || !/^(?:\s|--[^\n]*\n|\/\*[^]*?\*\/|\()*(?:select|with)\b/i.test(sql)) return false;
  return joinable.has(/\bformat\s+(\w+)[\s;]*$/i.exec(sql)?.[1] ?? format);
}

function quoteText(text: string, quote: "'" | '`'): string {
  return quote + text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`) + quote;
}

function settingName(name: string): string {
  if (!/^[a-z_]\w*$/i.test(name)) throw new EngineError(115, 'UNKNOWN_SETTING', `Unknown setting ${JSON.stringify(name)}`);
  return name;
}
