import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import type pg from 'pg';
import type { Followed } from '../console/clients.ts';
import { missingFrom, nothingMissing } from '../console/console-under-load.ts';
import { memoryOf, openFilesOf } from '../console/processes.ts';
import { runDatabaseUrl, withRunDatabase } from '../console/run-database.ts';
import type { Scene } from './actors.ts';
import { download, figuresOf } from './figures.ts';
import { secretKey } from './installation.ts';
import { type AuditedWrite, tally, noteProblem } from './ledger.ts';

const program = join(import.meta.dirname, '../../packages/api/bin/switchyard');
/** The console closes idle connections of its own meanwhile, and live streams catch up. */
const quietMilliseconds = 12_000;
const mebibyte = 2 ** 20;
/** Exit code of the command when there is no seal to compare with. */
const unanchored = 3;

/** Numbers of acknowledged events and writes of a console at a checkpoint, and its resources. */
export type Checkpoint = { at: string; events: number; writes: number; resources: Awaited<ReturnType<typeof measureResources>> };

/** Compares everything with the ledger while nobody writes; differences are added to it. */
export async function compareAll(scene: Scene, streams: ReadonlyMap<number | 'all', Followed>): Promise<Checkpoint> {
  const { ledger, installation, apps } = scene;
  await wait(quietMilliseconds);
  const resources = await measureResources(scene);
  const differ: Differ = (name, found, expected) => {
    if (JSON.stringify(found) !== JSON.stringify(expected))
      noteProblem(ledger, `${name}: ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`);
  };
  const allIds = [...ledger.ids.values()].flat();
  for (const figure of figuresOf(apps)) {
    const [found, expected] = [await figure.read(installation.target), figure.expected(ledger.acknowledged)];
    for (const key of Object.keys(expected)) differ(`${figure.name} (${key})`, found[key], expected[key]);
  }
  for (const app of apps)
    differ(`export of app ${app.id}`, compareIds(await download(installation.target, app), ledger.ids.get(app.id) ?? []), sameIds);
  ledger.exports.tried += apps.length;
  ledger.exports.complete += apps.length;
  for (const [scope, { uuids, gaps }] of streams) {
    differ(`stream of ${scope}`, compareIds(uuids, scope === 'all' ? allIds : (ledger.ids.get(scope) ?? [])), sameIds);
    differ(`gaps in the stream of ${scope}`, gaps, 0);
  }
  const isInPostgres = installation.store === 'postgres';
  const databaseUrl = await runDatabaseUrl(installation.dataDir);
  const written = { apps: [], events: isInPostgres ? allIds : [], strange: [], slowestBatch: 0 };
  differ('database', await missingFrom(databaseUrl, written), nothingMissing);
  await withRunDatabase(installation.dataDir, async (client) => {
    // The engine's own table is read at the end: only its console can read it while that runs.
    if (isInPostgres) differ('events stored', await countRows(client, 'events'), allIds.length);
    differ('open batches', await countRows(client, `event_batches where state = 'open'`), 0);
    await compareTrail(scene, client, differ);
  });
  differ('switchyard audit verify', await verifyTrail(installation.dataDir, databaseUrl), 'unchanged');
  const writes = ledger.writes.filter(({ outcome }) => outcome === 'acknowledged').length;
  return { at: new Date().toISOString(), events: allIds.length, writes, resources };
}

/** Result of a comparison without differences. */
export const sameIds = { missing: 0, unknown: 0, repeated: 0 };

/** Number of ids that differ between those that were found and those that were acknowledged. */
export function compareIds(found: readonly string[], expected: readonly string[]): typeof sameIds {
  const [isFound, isExpected] = [new Set(found), new Set(expected)];
  return {
    missing: expected.filter((id) => !isFound.has(id)).length,
    unknown: found.filter((id) => !isExpected.has(id)).length,
    repeated: found.length - isFound.size,
  };
}

type Differ = (name: string, found: unknown, expected: unknown) => void;
type Entry = { entity: string; action: string; label: string; region: string | null };

/** Each acknowledged write has one entry, one of unknown outcome at most one; and each entry has its write. */
async function compareTrail({ ledger }: Scene, client: pg.Client, differ: Differ): Promise<void> {
  const { rows } = await client.query<Entry>(
    `select entity, action, entity_label as label,
       (select change ->> 'to' from jsonb_array_elements(changes::jsonb) as change where change ->> 'field' = 'region') as region
     from audit_entries where entity = 'black_ip' or (entity = 'server' and action = 'update')
       or (entity = 'app' and action <> 'export' and entity_label not like 'Soak %')`,
  );
  const entries = new Map<string, number>();
  for (const { entity, action, label, region } of rows) tally(entries, `${entity} ${action} ${region ?? label}`);
  const isWrong = ({ key, outcome }: AuditedWrite): boolean => {
    const count = entries.get(key) ?? 0;
    return outcome === 'acknowledged' ? count !== 1 : count > 1;
  };
  differ('writes with a wrong number of audit entries', ledger.writes.filter(isWrong), []);
  const known = new Set(ledger.writes.map(({ key }) => key));
  differ(
    'audit entries without a write',
    [...entries.keys()].filter((key) => !known.has(key)),
    [],
  );
  const blackList = `black_ips full join (
    select entity_id as ip from audit_entries where entity = 'black_ip'
    group by 1 having sum(case action when 'create' then 1 else -1 end) = 1) as trail using (ip)
    where black_ips.ip is null or trail.ip is null`;
  differ('black-listed addresses that differ from their audit entries', await countRows(client, blackList), 0);
  const count = await countRows(client, `audit_entries where entity = 'app' and action = 'export'`);
  const { tried, complete } = ledger.exports;
  if (count < complete || count > tried) differ('audit entries of exports', count, [complete, tried]);
}

/** Seals that the console logged. */
function loggedAnchors(dataDir: string): string[] {
  const folder = join(dataDir, 'logs');
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  return texts.flatMap((text) => Array.from(text.matchAll(/anchor (\d+:[0-9a-f]+)/g), ([, anchor = '']) => anchor));
}

/** `unchanged` when every entry of the trail matches its seal and every logged seal is there, else what the command says. */
export async function verifyTrail(dataDir: string, databaseUrl?: string): Promise<string> {
  const anchors = loggedAnchors(dataDir);
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir, SECRET_KEY: secretKey, ...(databaseUrl && { DATABASE_URL: databaseUrl }) };
  try {
    await promisify(execFile)(program, ['audit', 'verify', ...anchors.flatMap((anchor) => ['--anchor', anchor])], { env });
    return 'unchanged';
  } catch (error) {
    // Nothing was sealed yet.
    if (anchors.length === 0 && error instanceof Error && 'code' in error && error.code === unanchored) return 'unchanged';
    const lines = error instanceof Error && 'stdout' in error ? String(error.stdout).trimEnd().split('\n') : [String(error)];
    return [...new Set([...lines.slice(0, 3), ...lines.slice(-1)])].join('; ');
  }
}

/** Resources of a console at rest, memory in MiB; and the load of the machine, which may explain calls that failed without a fault. */
async function measureResources({ installation }: Scene) {
  const { dataDir } = installation;
  const { console: pid, engine } = installation.pids();
  const files = openFilesOf(pid);
  const connections = await withRunDatabase(dataDir, async (client) =>
    countRows(client, `pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`),
  );
  return {
    console: pid,
    startedAt: installation.startedAt(),
    load: Math.round(loadavg()[2] ?? 0),
    memory: Math.round(memoryOf(pid).now / mebibyte),
    openFiles: files.length,
    sockets: files.filter((file) => file.startsWith('socket:')).length,
    engineMemory: engine === null ? 0 : Math.round(memoryOf(engine).now / mebibyte),
    engineFiles: engine === null ? 0 : openFilesOf(engine).length,
    connections,
    // The stores remove files of their own at any time, so only their folders for temporary files are listed.
    dataFiles: readdirSync(dataDir).reduce(
      (sum, name) => sum + (/^(postgres|events)$/.test(name) ? 0 : countFiles(join(dataDir, name))),
      0,
    ),
    temporaryFiles: countFiles(join(dataDir, 'postgres/base/pgsql_tmp')) + countFiles(join(dataDir, 'events/tmp')),
  };
}

/** Files in a folder and the folders in it; 1 for a file, 0 for nothing. */
function countFiles(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory() !== true) return stat === undefined ? 0 : 1;
  return readdirSync(path).reduce((sum, name) => sum + countFiles(join(path, name)), 0);
}

/** @param part of a statement after `from`. */
async function countRows(client: pg.Client, part: string): Promise<number> {
  return (await client.query<{ count: number }>(`select count(*)::integer as count from ${part}`)).rows[0]?.count ?? Number.NaN;
}
