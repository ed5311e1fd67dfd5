import { ingestResult } from '@switchyard/contract/ingest';
import { requestTypes } from '@switchyard/contract/requests';
import { type Random, seededRandom } from '@switchyard/demo/seeded-random';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { type Answer, send } from '../console/console-under-load.ts';
import { CallFailed, download, type Figure, figuresOf, type SoakApp } from './figures.ts';
import type { Gate } from './gate.ts';
import { type FaultKind, faultKinds, type Installation } from './installation.ts';
import { addEvents, countEvents, type Ledger, tally, noteProblem } from './ledger.ts';

/** A console with its clients. */
export type Scene = {
  seed: string;
  installation: Installation;
  ledger: Ledger;
  gate: Gate;
  apps: readonly SoakApp[];
  /** The traffic server whose region is changed. */
  serverId: number;
  /** Milliseconds between two faults. */
  faultPause: readonly [shortest: number, longest: number];
  /** Whether the console itself may be killed and restarted now; later its memory is compared. */
  mayEndConsole: () => boolean;
  onFault: (kind: FaultKind, milliseconds: number) => void;
};

/** From the console, or no answer at all: nothing is known of the write. */
const unknownOutcomes = new Set([0, 502, 503, 504]);
const retryMilliseconds = 200;
const trafficSenders = 2;
const meanBatchRows = 20;
const typeWeights = { create: 4, receive: 4, token: 2, track: 3, proxy: 1, static: 1, error: 1 } as const;
const weightedTypes = requestTypes.map((type) => ({ type, weight: typeWeights[type] }));

/** Starts everybody who uses the console, and what disturbs it. */
export function startActors(scene: Scene): void {
  const random = (actor: string): Random => seededRandom(scene.seed, scene.installation.store, actor);
  for (let sender = 0; sender < trafficSenders; sender += 1) scene.gate.start(() => sendTraffic(scene, random(`traffic ${sender}`)));
  scene.gate.start(() => writeAudited(scene, random('writer')));
  scene.gate.start(() => readFigures(scene, random('reader')));
  scene.gate.start(() => readScreens(scene, random('screens')));
  scene.gate.start(() => exportEvents(scene, random('exports')));
  scene.gate.start(() => causeFaults(scene, random('faults')));
}

/** An error with its cause, which says why there was no answer. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${describe(error.cause)}`;
}

type Call = { headers: Record<string, string>; body?: object; method?: string };

/** One call; status 0 is no answer. Adds a difference unless it succeeds or a fault explains that its outcome is unknown. */
async function call({ installation, ledger }: Scene, path: string, { headers, body, method }: Call): Promise<Answer> {
  const began = Date.now();
  const answer: Answer = await send(installation.target.url, path, headers, body, method).catch((error: unknown) => ({
    status: 0,
    text: describe(error),
    milliseconds: 0,
  }));
  tally(ledger.calls, `${method ?? (body === undefined ? 'GET' : 'POST')} ${answer.status}`);
  if (answer.status < 200 || answer.status >= 300) {
    const isExplained = unknownOutcomes.has(answer.status) && installation.isExplained(began, Date.now());
    if (!isExplained) noteProblem(ledger, `call: ${new CallFailed(path, answer.status, answer.text).message}`);
  }
  return answer;
}

function eventOf({ apps }: Scene, random: Random) {
  const { type } = random.pickWeighted(weightedTypes);
  const isBot = random.chance(0.1);
  const isError = type === 'error' || random.chance(0.1);
  const event = {
    id: randomUUID(),
    app_id: random.pick(apps).id,
    type,
    date: new Date(Date.now() - random.integer(0, 3_600_000)).toISOString(),
    ip: `203.0.113.${random.integer(0, 255)}`,
    client_uid: `client-${random.integer(0, 999)}`,
    country: random.pick(['GB', 'DE', 'PL', null]),
    stream_uid: random.pick(['stream-a', 'stream-b', null]),
    bot: isBot ? 'BOT' : '',
    user_agent: 'Mozilla/5.0 (soak)',
    body_request: { step: random.integer(0, 99) },
    ...(isError ? { error: { message: 'soak' } } : {}),
  };
  return { event, counted: { app_id: event.app_id, type, isBot, isError } };
}

/** Sends batches, each as it is until it is acknowledged, and now and then once more. */
async function sendTraffic(scene: Scene, random: Random): Promise<void> {
  const { gate, ledger, installation } = scene;
  while (await gate.rest(random.integer(500, 1500))) {
    const rows = Array.from({ length: random.integer(1, 2 * meanBatchRows - 1) }, () => eventOf(scene, random));
    const counted = rows.map((row) => row.counted);
    addEvents(ledger.sent, counted);
    const request = { headers: installation.target.server, body: { events: rows.map(({ event }) => event) } };
    let answer = await call(scene, 'ingest/events', request);
    // Not at rest meanwhile: a checkpoint waits until the outcome is known.
    for (; unknownOutcomes.has(answer.status); answer = await call(scene, 'ingest/events', request)) await wait(retryMilliseconds);
    if (answer.status !== 200) continue;
    const { accepted, duplicates } = readResult(answer);
    if (accepted + duplicates !== rows.length) noteProblem(ledger, `batch: ${rows.length} events sent, ${answer.text.slice(0, 200)}`);
    addEvents(ledger.acknowledged, counted);
    for (const { event } of rows) ledger.ids.get(event.app_id)?.push(event.id);
    if (!random.chance(0.05)) continue;
    const again = await call(scene, 'ingest/events', request);
    if (again.status === 200 && readResult(again).duplicates !== rows.length)
      noteProblem(ledger, `batch: sent again after its acknowledgement, ${again.text.slice(0, 200)}`);
  }
}

const ingestAnswer = z.object({ data: ingestResult });

function readResult({ text }: Answer): z.output<typeof ingestResult> {
  return ingestAnswer.parse(JSON.parse(text)).data;
}

/** Creates apps, changes a traffic server, and adds and removes black-listed addresses. */
async function writeAudited(scene: Scene, random: Random): Promise<void> {
  const { gate, ledger, installation, serverId } = scene;
  const headers = installation.target.staff;
  const listed: string[] = [];
  let last = 0;

  async function write(key: string, path: string, given: Omit<Call, 'headers'>): Promise<boolean> {
    const { status } = await call(scene, path, { headers, ...given });
    const isDone = status >= 200 && status < 300;
    if (isDone || unknownOutcomes.has(status)) ledger.writes.push({ key, outcome: isDone ? 'acknowledged' : 'unknown' });
    return isDone;
  }

  while (await gate.rest(random.integer(1000, 4000))) {
    last += 1;
    const kind = random.pick(['app', 'server', 'add', 'remove']);
    const ip = `198.18.${Math.floor(last / 256)}.${last % 256}`;
    if (kind === 'app') {
      const body = { name: `Written ${last}`, bundle: `com.written.a${last}`, domain: `a${last}.written.example`, vertical: 'bet' };
      await write(`app create ${body.name}`, 'apps', { body });
    } else if (kind === 'server') {
      const region = `region-${last}`;
      await write(`server update ${region}`, `servers/${serverId}`, { body: { region }, method: 'PUT' });
    } else if (kind === 'add' || listed.length === 0) {
      if (await write(`black_ip create ${ip}`, 'black-list', { body: { ips: [ip], reason: 'soak' } })) listed.push(ip);
    } else {
      const [removed = ''] = listed.splice(random.integer(0, listed.length - 1), 1);
      await write(`black_ip delete ${removed}`, `black-list/${removed}`, { method: 'DELETE' });
    }
  }
}

/** Notes a read that failed: as a difference, unless a fault explains it. */
function noteFailure({ installation, ledger }: Scene, error: unknown, began: number): void {
  // An answer that is no valid one is never explained.
  const isInvalid = error instanceof z.ZodError || error instanceof SyntaxError;
  const isOutage = !isInvalid && (!(error instanceof CallFailed) || unknownOutcomes.has(error.status));
  if (isOutage && installation.isExplained(began, Date.now())) tally(ledger.calls, 'read during a fault');
  else noteProblem(ledger, `read: ${describe(error)}`);
}

/** Reads figures under way: none lacks an event that was acknowledged before, or counts one that was not sent yet. */
async function readFigures(scene: Scene, random: Random): Promise<void> {
  const { gate, ledger, installation, apps } = scene;
  const figures = Map.groupBy(figuresOf(apps), ({ name }) => name);
  while (await gate.rest(random.integer(500, 2500))) {
    const figure: Figure = random.pick(figures.get(random.pick([...figures.keys()])) ?? []);
    const atLeast = figure.expected(ledger.acknowledged);
    const began = Date.now();
    try {
      const found = await figure.read(installation.target);
      tally(ledger.calls, `figure ${figure.name}`);
      const atMost = figure.expected(ledger.sent);
      for (const [key, value] of Object.entries(found))
        if (value < (atLeast[key] ?? 0) || value > (atMost[key] ?? 0))
          noteProblem(ledger, `${figure.name} under way: ${value}, not ${atLeast[key]} to ${atMost[key]}`);
    } catch (error) {
      noteFailure(scene, error, began);
    }
  }
}

/** Opens other screens, and the search of the command palette. */
async function readScreens(scene: Scene, random: Random): Promise<void> {
  const app = scene.apps[0]?.id ?? 0;
  const paths = ['all-requests', 'home', 'servers', 'black-list', 'audit', 'users', 'log-viewer/logs', 'search?q=soak', `apps/${app}`];
  const headers = scene.installation.target.staff;
  while (await scene.gate.rest(random.integer(1000, 3000))) await call(scene, random.pick(paths), { headers });
}

/** Downloads events: none is missing that was acknowledged before, and none is in the file twice. */
async function exportEvents(scene: Scene, random: Random): Promise<void> {
  const { gate, ledger, installation, apps } = scene;
  while (await gate.rest(random.integer(15_000, 45_000))) {
    const app = random.pick(apps);
    const atLeast = countEvents(ledger.acknowledged, { apps: [app.id] });
    const began = Date.now();
    ledger.exports.tried += 1;
    try {
      const ids = await download(installation.target, app);
      ledger.exports.complete += 1;
      const atMost = countEvents(ledger.sent, { apps: [app.id] });
      if (ids.length < atLeast || ids.length > atMost) noteProblem(ledger, `export under way: ${ids.length}, not ${atLeast} to ${atMost}`);
      if (new Set(ids).size !== ids.length) noteProblem(ledger, 'export under way: an event twice');
    } catch (error) {
      noteFailure(scene, error, began);
    }
  }
}

/** Disturbs the processes. An error ends the run: the console did not recover. */
async function causeFaults({ gate, installation, faultPause, mayEndConsole, onFault }: Scene, random: Random): Promise<void> {
  while (await gate.rest(random.integer(...faultPause))) {
    // The same kinds come from a seed whether or not the console may be ended.
    const drawn = random.pick(faultKinds.filter((kind) => installation.store === 'clickhouse' || !kind.endsWith('engine')));
    const kind = /(kill|restart) console/.test(drawn) && !mayEndConsole() ? 'freeze console' : drawn;
    const milliseconds = random.integer(1000, 6000);
    onFault(kind, milliseconds);
    await installation.disturb(kind, milliseconds);
  }
}
