import { createClient } from '@clickhouse/client';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEngine } from '@switchyard/traffic-store/clickhouse/start-engine';
import type { Followed } from '../console/clients.ts';
import type { Scene } from './actors.ts';
import { type Checkpoint, compareIds, sameIds, verifyTrail } from './checkpoint.ts';
import { tally, noteProblem } from './ledger.ts';

/** A console on one store, with what was seen there. */
export type Part = { scene: Scene; streams: Map<number | 'all', Followed>; checkpoints: Checkpoint[] };

/** Growth that is allowed from the first checkpoint of the last console process to its last one; memory in MiB. */
const limits = { memory: 64, openFiles: 20, connections: 5, dataFiles: 2 } as const;
/** The memory of a younger process still grows. */
const warmMilliseconds = 300_000;

/** Compares the resources at the last checkpoint with those at the first one of the same process. */
export function compareResources({ scene: { ledger }, checkpoints }: Part): void {
  const last = checkpoints.at(-1)?.resources;
  const first = checkpoints.find(
    ({ at, resources }) => resources.console === last?.console && Date.parse(at) - resources.startedAt >= warmMilliseconds,
  )?.resources;
  if (last !== undefined && last.temporaryFiles > 0) noteProblem(ledger, `${last.temporaryFiles} temporary files at rest`);
  if (last === undefined || first === undefined) return;
  for (const name of ['memory', 'openFiles', 'connections', 'dataFiles'] as const)
    if (last[name] - first[name] > limits[name])
      noteProblem(ledger, `${name} grew from ${first[name]} to ${last[name]}, by more than ${limits[name]}`);
}

/** Stops a console, and compares what is left. */
export async function finishPart({ scene, streams }: Part): Promise<void> {
  const { installation, ledger } = scene;
  await Promise.all([...streams.values()].map((stream) => stream.stop()));
  const pids = installation.pids();
  await installation.stop();
  for (const [name, pid] of Object.entries(pids))
    if (pid !== null && existsSync(`/proc/${pid}`)) noteProblem(ledger, `${name} still runs after the console has stopped`);
  const verified = await verifyTrail(installation.dataDir);
  if (verified !== 'unchanged') noteProblem(ledger, `switchyard audit verify, stopped: ${verified}`);
  if (installation.store === 'clickhouse') await compareEngine(scene);
}

/** Compares the events in the engine's own table, which only its console can read while that runs. */
async function compareEngine({ installation, ledger }: Scene): Promise<void> {
  const engine = await startEngine(join(installation.dataDir, 'events'), { onProblem: (line) => noteProblem(ledger, line) });
  const client = createClient({ url: engine.url });
  const result = await client.query({ query: 'select toString(uuid) as id from events', format: 'JSONEachRow' });
  const ids = (await result.json<{ id: string }>()).map(({ id }) => id);
  const found = compareIds(ids, [...ledger.ids.values()].flat());
  if (JSON.stringify(found) !== JSON.stringify(sameIds)) noteProblem(ledger, `events in the engine: ${JSON.stringify(found)}`);
  await client.close();
  await engine.stop();
}

type LogEntry = { level: string; time: string; msg: string; err?: { message: string } };

/** A console that is killed may leave a part of a line. */
function parseEntry(line: string): LogEntry {
  try {
    return JSON.parse(line);
  } catch {
    return { level: 'warning', time: '', msg: 'incomplete line' };
  }
}

/** Entries of the console's log from warnings up, by message, with the first time of those that no fault explains. */
function readLog({ installation }: Scene) {
  const folder = join(installation.dataDir, 'logs');
  const kinds: Record<string, { isError: boolean; explained: number; unexplained: number; first?: string }> = {};
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  for (const line of texts.flatMap((text) => text.split('\n').filter((entry) => entry !== ''))) {
    const { level, time, msg, err } = parseEntry(line);
    if (['debug', 'info', 'notice'].includes(level)) continue;
    // Numbers and ids would make each entry a kind of its own.
    const kind = `${level}: ${msg}${err === undefined ? '' : ` (${err.message})`}`.replaceAll(/[\da-f-]*\d[\da-f-]*/g, 'N').slice(0, 200);
    const counts = (kinds[kind] ??= { isError: level !== 'warning', explained: 0, unexplained: 0 });
    if (installation.isExplained(Date.parse(time))) counts.explained += 1;
    else {
      counts.unexplained += 1;
      counts.first ??= time;
    }
  }
  return kinds;
}

function countBy(values: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) tally(counts, value);
  return Object.fromEntries(counts);
}

/** Everything that was seen so far. Errors in the log that no fault explains are differences. */
export function summarize({ scene, streams, checkpoints }: Part) {
  const { ledger, installation } = scene;
  const log = readLog(scene);
  const errors = Object.entries(log).filter(([, { isError, unexplained }]) => isError && unexplained > 0);
  return {
    acknowledgedEvents: [...ledger.ids.values()].flat().length,
    writes: countBy(ledger.writes.map(({ outcome }) => outcome)),
    exports: ledger.exports,
    streams: Object.fromEntries([...streams].map(([scope, { uuids, connections }]) => [scope, { rows: uuids.length, connections }])),
    faults: countBy(installation.faults.map(({ kind }) => kind)),
    slowestRecovery: Math.max(0, ...installation.faults.map(({ from, until }) => until - from)),
    calls: Object.fromEntries(ledger.calls),
    checkpoints,
    log,
    differences: Object.fromEntries([
      ...ledger.problems,
      ...errors.map(([kind, { unexplained, first }]) => [`log: ${kind}`, { count: unexplained, first }] as const),
    ]),
  };
}

function print(name: string, value: unknown): void {
  process.stdout.write(`  ${name.padEnd(20)} ${JSON.stringify(value)}\n`);
}

/** Prints the summary of each store as a table. */
export function printReport(stores: Readonly<Record<string, ReturnType<typeof summarize>>>): void {
  for (const [store, { checkpoints, log, differences, ...figures }] of Object.entries(stores)) {
    process.stdout.write(`\n${store}\n`);
    for (const [name, value] of Object.entries(figures)) print(name, value);
    for (const { at, resources } of checkpoints) print(at.slice(11, 19), resources);
    for (const [kind, counts] of Object.entries(log)) print('log', [kind, counts]);
    for (const [text, count] of Object.entries(differences)) print('DIFFERENCE', [text, count]);
  }
  process.stdout.write('\n');
}
