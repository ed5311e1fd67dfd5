import { open } from 'node:fs/promises';
import { getDefaultHighWaterMark } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { isImpossibleValue, isLockTimeout } from '@switchyard/traffic-store/database-errors';
import { fileReason } from '@switchyard/embedded-postgres/data-folder';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';
import type { Databases } from '../../database/connect.ts';
import { unauditedStatement } from '../../database/transaction.ts';
import { registryChannel } from './asn-registry-lookup.ts';

/** The file of IPv4 and that of IPv6. */
export type RegistryPaths = readonly [string, string];

export type LoadedRegistry = { systems: number; prefixes: number };

/** Key of the advisory lock of a load, so that of several processes that start at once one loads the registry. */
const registryLock = 7_413_002;

/** Version of the package that was loaded or considered last; undefined before the first load. */
export async function findPackagedVersion({ pools }: Pick<Databases, 'pools'>): Promise<string | undefined> {
  const { rows } = await pools.ui.query<{ packaged_version: string }>(`select packaged_version from registry_loads where registry = 'asn'`);
  return rows[0]?.packaged_version;
}

/**
 * Replaces the registry by the files in one transaction: readers see the old one until the new one is complete. Bans stay;
 * systems that are no longer listed are deleted unless they are banned. Null when another process is loading. Throws StartupError for files
 * that cannot be read, have lines that are no ranges of a system, or none, and if something reads the old one for a minute, such as a
 * backup. PostgreSQL parses the files, so this process holds only a piece of them. An abort cancels the statement under way, which may take seconds.
 */
export async function updateRegistry(
  { pools }: Pick<Databases, 'pools'>,
  files: { paths: RegistryPaths; packagedVersion: string; source: string; signal: AbortSignal },
): Promise<LoadedRegistry | null> {
  const client = await unauditedStatement('the registry is data from outside; bans, which accounts set, stay', pools.ops).connect();
  let isWhole = false;
  let backend: number | undefined;
  const cancel = (): void => void pools.ui.query('select pg_cancel_backend($1)', [backend]).catch(() => undefined);
  try {
    await client.query('begin');
    const { rows } = await client.query<{ free: boolean; pid: number }>(
      'select pg_try_advisory_xact_lock($1) as free, pg_backend_pid() as pid',
      [registryLock],
    );
    if (rows[0]?.free !== true) return null;
    backend = rows[0].pid;
    files.signal.addEventListener('abort', cancel);
    const registry = await load(client, files);
    await client.query('commit');
    isWhole = true;
    return registry;
  } catch (error) {
    // A rejected file leaves the connection in order: whoever mends it can load it at once.
    if (error instanceof StartupError) await client.query('rollback');
    throw error;
  } finally {
    files.signal.removeEventListener('abort', cancel);
    // Closing the connection rolls back what was not committed, and a cancellation that comes late reaches no other statement.
    client.release(!isWhole || files.signal.aborted);
  }
}

type RunStatement = <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<pg.QueryResult<Row>>;

async function load(
  client: pg.PoolClient,
  { paths, packagedVersion, source, signal }: { paths: RegistryPaths; packagedVersion: string; source: string; signal: AbortSignal },
): Promise<LoadedRegistry> {
  const query: RunStatement = async (text, values = []) => {
    signal.throwIfAborted();
    return client.query(text, values);
  };
  await query('create temp table asn_lines (first inet, last inet, code bigint, name text, bits int) on commit drop');
  for (const [path, bits] of [[paths[0], 32] as const, [paths[1], 128] as const]) {
    await query(`alter table asn_lines alter bits set default ${bits}`);
    await copyFile(client, path, signal);
    const wrong = await query<{ line: string }>(wrongLine, [bits]);
    if (wrong.rows[0] !== undefined) throw new StartupError(`${path} has a line that is no range of a system: ${wrong.rows[0].line}`);
    if ((await query('select from asn_lines where bits = $1 limit 1', [bits])).rowCount === 0)
      throw new StartupError(`${path} has no lines (ranges of both IPv4 and IPv6 are needed)`);
  }
  const { rows } = await query<{ systems: number }>(systems);
  // Without statistics of what was just written, each system would be looked for in all lines.
  await query('analyze asn_lines; analyze asns');
  await query(removeGone);
  const prefixes = await query(newPrefixes);
  await lockPrefixes(query, signal);
  await query(swapPrefixes);
  const counts = { systems: rows[0]?.systems ?? 0, prefixes: prefixes.rowCount ?? 0 };
  await query(
    `insert into registry_loads (registry, packaged_version, source, loaded_at, systems, prefixes) values ('asn', $1, $2, now(), $3, $4)
     on conflict (registry) do update set packaged_version = $1, source = $2, loaded_at = now(), systems = $3, prefixes = $4`,
    [packagedVersion, source, counts.systems, counts.prefixes],
  );
  // Delivered with the commit.
  await query('select pg_notify($1, $2)', [registryChannel, 'replaced']);
  signal.throwIfAborted();
  return counts;
}

/** @throws StartupError naming the file, and the line where PostgreSQL found one that it cannot read. */
async function copyFile(client: pg.PoolClient, path: string, signal: AbortSignal): Promise<void> {
  try {
    await pipeline(filePieces(path), client.query(copyFrom('copy asn_lines (first, last, code, name) from stdin (format csv)')), {
      signal,
    });
  } catch (error) {
    if (error instanceof pg.DatabaseError && isImpossibleValue(error)) {
      const place = (error.where ?? '').replace(/^COPY \w+, /, '');
      throw new StartupError(`${path}: ${error.message} (${place})`.replaceAll(/\s+/g, ' ').slice(0, 500));
    }
    if (error instanceof Error && 'syscall' in error) {
      const reason = 'code' in error && error.code === 'ENOENT' ? 'no such file' : fileReason(error);
      throw new StartupError(`${path}: cannot be read (${reason})`);
    }
    throw error;
  }
}

/** How long one attempt to lock the old prefixes makes others wait, the pause between two, and their number. */
const lockLimit = { milliseconds: 500, pause: 1000, attempts: 40 } as const;

/**
 * Locks the old prefixes. Whoever asks for them queues behind a lock that waits, such as the first batch of a console, so that it is asked
 * for again and again while something reads them for long.
 */
async function lockPrefixes(query: RunStatement, signal: AbortSignal): Promise<void> {
  await query(`set local lock_timeout = ${lockLimit.milliseconds}; savepoint unlocked`);
  for (let attempt = 1; ; attempt += 1) {
    try {
      await query('lock table asn_prefixes in access exclusive mode');
      break;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (attempt === lockLimit.attempts)
        throw new StartupError('ASN registry: it is being read, for example by a backup (try again after that, or restart the console)');
    }
    await query('rollback to savepoint unlocked');
    await pause(lockLimit.pause, undefined, { signal });
  }
  await query('set local lock_timeout = 0');
}

const byteOrderMark = Buffer.from('\uFEFF');

/** More than a stream takes without waiting until all of it is written. */
export const pieceBytes = 2 * getDefaultHighWaterMark(false);

/**
 * Reads a file without its byte order mark into one buffer again and again, for a writer that has written a piece before it asks for the next, as
 * `pipeline` does with pieces that fill it. A new buffer per piece would cost the process the size of the file.
 */
export async function* filePieces(path: string): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafeSlow(pieceBytes);
  const file = await open(path);
  try {
    for (let isEnd = false, isFirst = true; !isEnd; isFirst = false) {
      let filledBytes = 0;
      while (filledBytes < buffer.length && !isEnd) {
        const { bytesRead } = await file.read(buffer, filledBytes, buffer.length - filledBytes);
        filledBytes += bytesRead;
        isEnd = bytesRead === 0;
      }
      // Only the last one may be smaller: after it nothing is read any more.
      const start = isFirst && buffer.subarray(0, filledBytes).indexOf(byteOrderMark) === 0 ? byteOrderMark.length : 0;
      if (filledBytes > start) yield buffer.subarray(start, filledBytes);
    }
  } finally {
    await file.close();
  }
}

/**
 * The first line of a file that is no range of its family, or whose code is none (RFC 6793). Addresses of IPv4 are never looked for as those of
 * IPv6, and a quote that stays open takes the lines that follow into a name.
 */
const wrongLine = `
select left(regexp_replace(concat_ws(',', abbrev(first), abbrev(last), code, name), '[[:cntrl:]]+', ' ', 'g'), 200) as line from asn_lines
where bits = $1 and (
  first <= last and masklen(first) = bits and masklen(last) = bits and family(first) = case bits when 32 then 4 else 6 end
  and family(first) = family(last) and not first <<= '::ffff:0:0/96' and not last <<= '::ffff:0:0/96'
  and code between 1 and 4294967295 and length(name) <= 500 and name !~ '[[:cntrl:]]'
) is not true limit 1`;

/** The registry has names only; a domain is taken from a name that contains one, as in "Amazon.com, Inc.". */
const systems = `
with listed as (select code, min(name) as name from asn_lines group by code),
written as (
  insert into asns as stored (code, name, domain)
  select code, name, coalesce(lower(substring(name from '(?:^|[\\s(])((?:[A-Za-z0-9-]{2,}\\.)+(?:com|net|org|io|cloud|host|info|biz|eu|de|nl|pl|cz|uk|ua|ru|br))(?=$|[\\s,)])')), '')
  from listed
  on conflict (code) do update set name = excluded.name, domain = excluded.domain
  where (stored.name, stored.domain) is distinct from (excluded.name, excluded.domain)
)
select count(*)::int as systems from listed`;

const removeGone = `
delete from asns where not is_ban_create and not is_ban_receive
  and not exists (select from asn_lines where asn_lines.code = asns.code)`;

/** Filled beside the old table, so that reads go on; only the swap takes an exclusive lock, for a moment. */
const newPrefixes = `
create table asn_prefixes_new as select first, last, code from asn_lines`;

const swapPrefixes = `
alter table asn_prefixes_new alter first set not null, alter last set not null, alter code set not null;
create index asn_prefixes_new_first on asn_prefixes_new (first desc, last, code);
analyze asn_prefixes_new;
drop table asn_prefixes;
alter table asn_prefixes_new rename to asn_prefixes;
alter index asn_prefixes_new_first rename to asn_prefixes_first`;
