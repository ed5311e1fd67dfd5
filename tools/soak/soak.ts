import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { follow } from '../console/clients.ts';
import { send } from '../console/console-under-load.ts';
import { type Scene, startActors } from './actors.ts';
import { compareAll } from './checkpoint.ts';
import type { SoakApp } from './figures.ts';
import { createGate } from './gate.ts';
import { type Installation, openInstallation, type StoreName } from './installation.ts';
import { createLedger, noteProblem } from './ledger.ts';
import { compareResources, finishPart, type Part, printReport, summarize } from './report.ts';

const appsOfEachStore = 4;

function tell(text: string): void {
  process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
}

function readPlan(): { minutes: number; seed: string; json: string | null } {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ options: { hours: text, minutes: text, seed: text, json: text } });
  const minutes = values.hours === undefined ? Number(values.minutes ?? 2) : Number(values.hours) * 60;
  if (!(minutes >= 1 && minutes <= 7 * 24 * 60)) throw new Error('--hours and --minutes must come to 1 minute to 7 days');
  return { minutes, seed: values.seed ?? String(randomInt(1_000_000)), json: values.json ?? null };
}

async function create(installation: Installation, path: string, body: object): Promise<number> {
  const { url, staff } = installation.target;
  const { status, text } = await send(url, path, staff, body);
  if (status !== 201) throw new Error(`${path}: ${status} ${text}`);
  return JSON.parse(text).data.id;
}

async function openPart(
  store: StoreName,
  options: { folder: string; seed: string; isShort: boolean; mayEndConsole: () => boolean; onError: (error: unknown) => void },
): Promise<Part> {
  const ledger = createLedger();
  const installation = await openInstallation(store, options.folder, (line) => noteProblem(ledger, line));
  const apps: SoakApp[] = [];
  for (let at = 1; at <= appsOfEachStore; at += 1) {
    const bundle = `com.soak.main${at}`;
    const id = await create(installation, 'apps', { name: `Soak ${at}`, bundle, domain: `soak${at}.example`, vertical: 'bet' });
    apps.push({ id, bundle });
    ledger.ids.set(id, []);
  }
  const serverId = await create(installation, 'servers', { name: 'Changed', url: 'https://changed.example' });
  const scene: Scene = {
    seed: options.seed,
    installation,
    ledger,
    gate: createGate(options.onError),
    apps,
    serverId,
    faultPause: options.isShort ? [4000, 12_000] : [20_000, 80_000],
    mayEndConsole: options.mayEndConsole,
    onFault: (kind, milliseconds) => tell(`${store}: ${kind}${kind.startsWith('freeze') ? ` for ${milliseconds} ms` : ''}`),
  };
  const scopes = [apps[0]?.id ?? 0, 'all'] as const;
  const streams = new Map(scopes.map((scope) => [scope, follow(installation.target, scope)]));
  // Only what is stored after a stream has opened is promised to it.
  while ([...streams.values()].some(({ connections }) => connections === 0)) await wait(20);
  return { scene, streams, checkpoints: [] };
}

/**
 * `npm run test:soak -- --hours H` or `--minutes M` (default 2): a console on each event store under traffic, writes, reads, live streams
 * and exports, with restarts, kills and frozen processes at random from `--seed S`. Compares counts, resources and the audit trail at
 * checkpoints every 10 minutes and at the end. In the second half the consoles are neither killed nor restarted, so that their memory and
 * open files can be compared. `--json FILE` writes the report there. Ends with 1 if anything differs.
 */
async function run(): Promise<number> {
  const { minutes, seed, json } = readPlan();
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-soak-'));
  const file = json ?? join(tmpdir(), `switchyard-soak-${seed}.json`);
  tell(`seed ${seed}, ${minutes} minutes, in ${folder}`);
  let began = performance.now();
  const elapsed = (): number => (performance.now() - began) / 60_000;
  const failure = Promise.withResolvers<never>();
  // Raced only while the run waits.
  failure.promise.catch(() => undefined);
  const options = { folder, seed, isShort: minutes <= 10, mayEndConsole: () => elapsed() < minutes / 2, onError: failure.reject };
  const parts: Part[] = [];
  const stopAll = async (): Promise<void> => void (await Promise.all(parts.map(({ scene }) => scene.installation.stop())));
  const save = () => {
    const stores = Object.fromEntries(parts.map((part) => [part.scene.installation.store, summarize(part)]));
    writeFileSync(file, JSON.stringify({ seed, minutes, stores }, null, 2));
    return stores;
  };
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)
    process.once(signal, () => {
      tell(`${signal} after ${Math.round(elapsed())} minutes. Report so far: ${file}. Data and logs: ${folder}`);
      save();
      void stopAll().then(() => process.exit(code));
    });
  try {
    for (const store of ['postgres', 'clickhouse'] as const) parts.push(await openPart(store, options));
    began = performance.now();
    parts.forEach(({ scene }) => startActors(scene));
    const period = Math.min(10, minutes / 4);
    while (elapsed() < minutes) {
      await Promise.race([failure.promise, wait(Math.min(period, Math.max(0, minutes - elapsed())) * 60_000)]);
      await Promise.race([failure.promise, Promise.all(parts.map(async (part) => checkPart(part)))]);
      save();
      // Nothing is written after the last checkpoint.
      if (elapsed() < minutes) parts.forEach(({ scene }) => scene.gate.open());
    }
    for (const part of parts) {
      await part.scene.gate.end();
      compareResources(part);
      await finishPart(part);
    }
  } catch (error) {
    tell(`The run ended early: ${error instanceof Error ? error.stack : String(error)}`);
    parts.forEach(({ scene }) => noteProblem(scene.ledger, `the run ended early: ${String(error)}`));
  }
  const stores = save();
  await stopAll();
  printReport(stores);
  const isSame = parts.length === 2 && Object.values(stores).every(({ differences }) => Object.keys(differences).length === 0);
  tell(isSame ? `No differences. Report: ${file}` : `DIFFERENCES, seed ${seed}. Report: ${file}. Data and logs: ${folder}`);
  if (isSame) rmSync(folder, { recursive: true, force: true });
  return isSame ? 0 : 1;
}

async function checkPart(part: Part): Promise<void> {
  const { scene, streams, checkpoints } = part;
  await scene.gate.close();
  try {
    const checkpoint = await compareAll(scene, streams);
    checkpoints.push(checkpoint);
    const { memory, openFiles, connections } = checkpoint.resources;
    tell(
      `${scene.installation.store}: checkpoint, ${checkpoint.events} events, ${checkpoint.writes} writes, ${memory} MiB, ` +
        `${openFiles} open files, ${connections} connections, ${scene.ledger.problems.size} kinds of differences`,
    );
  } catch (error) {
    tell(`${scene.installation.store}: checkpoint failed: ${error instanceof Error ? error.stack : String(error)}`);
    noteProblem(scene.ledger, `checkpoint: ${String(error)}`);
  }
}

process.exit(await run());
