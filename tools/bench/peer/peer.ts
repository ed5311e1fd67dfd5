import { deepStrictEqual } from 'node:assert';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type ApiAnswer, type ApiClient, createApiClient } from '../api-client.ts';
import { readArguments } from '../bench-arguments.ts';
import type { BenchContext } from '../bench-context.ts';
import { type BenchPlan, runBench } from '../bench-run.ts';
import { deliver, manyBatches } from '../deliver.ts';
import { loadApps, loadEvents } from '../load-events.ts';
import { registryLoaded } from '../measure-administration.ts';
import { writtenBytes } from '../measure-exports.ts';
import { callsPerSecond } from '../measure-load.ts';
import { median, sampleInTurn } from '../sample.ts';
import { wireRow } from '../traffic-rows.ts';
import { databaseName, loadDirectus } from './load-directus.ts';
import { exportPath, items, newestPath, type Question, questionsOf, uuids } from './questions.ts';
import { type Directus, startDirectus } from './start-directus.ts';

const mebibyte = 2 ** 20;
const comparedRounds = 5;
const exports = 5;
const batches = 20;
const turns = 3;

/** `npm run bench:peer -- --events N` (default 2,000,000): times the console and Directus with the same rows. `--keep FOLDER`, `--quick`. */
function plan(): BenchPlan {
  const { events: total, keep, isQuick } = readArguments(['--events', '2000000', ...process.argv.slice(2)]);
  return {
    keep,
    isQuick,
    async load(clients, end) {
      await loadApps(clients[0]);
      await loadEvents(clients, { total, end, onProgress: (doneEvents) => console.log(`${doneEvents} events loaded`) });
    },
    measure,
  };
}

type Sides = BenchContext & { directus: Directus; peer: ApiClient };

async function measure(context: BenchContext): Promise<void> {
  const { api, start, databases } = context;
  await registryLoaded(context.raw);
  const databaseUrl = await loadDirectus(databases.pools.exports, start.databaseUrl);
  const directus = await startDirectus({ databaseUrl, folder: join(dirname(start.dataDir), 'directus'), onStarted: start.onStarted });
  const sides = { ...context, directus, peer: createApiClient(directus.url, directus.token, '') };
  const printMemory = async (name: string, when: 'now' | 'peak') =>
    printRow(name, 'MiB', (await api.memory())[when] / mebibyte, directus.memory()[when] / mebibyte);
  console.log('\n| Work | Switchyard | Directus | Ratio |\n|---|--:|--:|--:|');
  await printDisk(context);
  await printMemory('memory of the process, idle', 'now');
  const questions = await questionsOf(context);
  // All are compared before the first one is timed, so that both processes are warm.
  for (const question of questions) await compareAnswers(sides, question);
  for (const question of questions) await timeQuestion(sides, question);
  await timeConnections(sides);
  await timeExports(sides);
  await timeIngestion(sides);
  await printMemory('memory of the process, peak', 'peak');
  sides.peer.close();
}

/** Prints a row of the table. The ratio is above 1 where the console is better. */
function printRow(name: string, unit: string, switchyard: number, directus: number): void {
  const cell = (value: number) => `${value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(1)} ${unit}`;
  const ratio = unit.endsWith('/s') ? switchyard / directus : directus / switchyard;
  console.log(`| ${name} | ${cell(switchyard)} | ${cell(directus)} | ${ratio.toFixed(1)} |`);
}

async function printDisk({ raw }: BenchContext): Promise<void> {
  const { rows } = await raw.query<{ all: number; events: number; directus: number }>(
    `select pg_database_size(current_database()) as all, pg_database_size($1) as directus,
      (select sum(pg_total_relation_size(inhrelid))::bigint from pg_inherits where inhparent = 'events'::regclass) as events`,
    [databaseName],
  );
  for (const { all, events, directus } of rows) {
    printRow('database on disk', 'MiB', all / mebibyte, directus / mebibyte);
    printRow('the same without roll-ups and the registry of autonomous systems', 'MiB', events / mebibyte, directus / mebibyte);
  }
}

/** Makes the calls of a side for a round; gives their bodies. */
function caller(client: ApiClient, { paths }: Question['directus']): (round: number) => Promise<ApiAnswer['body'][]> {
  return async (round) => {
    const bodies = [];
    for (const path of paths(round)) bodies.push((await client.get(path)).body);
    return bodies;
  };
}

function callersOf({ admin, peer }: Sides, question: Question) {
  return { switchyard: caller(admin, question.switchyard), directus: caller(peer, question.directus) };
}

async function compareAnswers(sides: Sides, question: Question): Promise<void> {
  const calls = callersOf(sides, question);
  for (let round = 0; round < comparedRounds; round += 1) {
    const answer = question.switchyard.answer(...(await calls.switchyard(round)));
    requireEqual(question.name, question.directus.answer(...(await calls.directus(round))), answer);
  }
}

async function timeQuestion(sides: Sides, question: Question): Promise<void> {
  const { switchyard, directus } = await sampleInTurn(sides.repeat(question.rounds), callersOf(sides, question));
  printRow(question.name, 'ms', switchyard.p50, directus.p50);
}

function requireEqual(name: string, directus: unknown, switchyard: unknown): void {
  deepStrictEqual({ [name]: directus }, { [name]: switchyard });
}

/** The newest 50 over ten connections. */
async function timeConnections(sides: Sides): Promise<void> {
  const { api, admin, directus, repeat } = sides;
  const rates: { switchyard: number[]; directus: number[] } = { switchyard: [], directus: [] };
  for (let turn = 0; turn < repeat(turns); turn += 1) {
    rates.switchyard.push(await callsPerSecond(sides, `${api.url}/api/all-requests`, admin.token));
    rates.directus.push(await callsPerSecond(sides, `${directus.url}/${newestPath}`, directus.token));
  }
  printRow('newest 50 over ten connections', 'calls/s', median(rates.switchyard), median(rates.directus));
}

/** The events of a CSV file, whose rows begin with id and uuid. */
function uuidsOf(file: string): unknown[] {
  return [...file.matchAll(/^"?\d+"?,"?([0-9a-f-]{36})/gm)].map(([, uuid]) => uuid);
}

/** The events of the busiest app as CSV. */
async function timeExports({ admin, peer, busiestApp, repeat }: Sides): Promise<void> {
  const files = {
    switchyard: async () => admin.open(`apps/${busiestApp}/postbacks/download`),
    directus: async () => peer.open(exportPath(busiestApp)),
  };
  const expected = uuidsOf(await text(await files.switchyard()));
  requireEqual('export', uuidsOf(await text(await files.directus())), expected);
  const { switchyard, directus } = await sampleInTurn(repeat(exports), {
    switchyard: async () => writtenBytes(await files.switchyard()),
    directus: async () => writtenBytes(await files.directus()),
  });
  const rate = (milliseconds: number) => (expected.length / milliseconds) * 1000;
  printRow(`export of the ${expected.length} events of an app as CSV`, 'rows/s', rate(switchyard.p50), rate(directus.p50));
}

/** One sender that hands in batches, the same ones to both. */
async function timeIngestion({ admin, raw, server, peer, repeat, batchRows: rows }: Sides): Promise<void> {
  const count = repeat(batches);
  // Whole milliseconds, which Directus stores, and rows in the order of time, in which the console stores them.
  const bodies = manyBatches({ count: count + Math.ceil(count / 10), rows }, (at) => wireRow(at - (at % 1000)))
    .map((events) => events.toSorted((one, other) => one.date.localeCompare(other.date)))
    .map((events) => [Buffer.from(JSON.stringify({ events })), Buffer.from(JSON.stringify(events.map(toItem)))]);
  const bodyAt = (round: number, side: 0 | 1) => bodies[round]?.[side] ?? Buffer.alloc(0);
  const { switchyard, directus } = await sampleInTurn(count, {
    switchyard: async (round) => deliver(server, 'events', { body: bodyAt(round, 0), rows }),
    async directus(round) {
      const { status, body } = await peer.post('items/events?fields=id', bodyAt(round, 1));
      if (status !== 200) throw new Error(`Directus answered a batch with ${status}: ${JSON.stringify(body).slice(0, 300)}`);
    },
  });
  const stored = await raw.query<{ count: number }>('select count(*) as count from events');
  const { data } = (await peer.get(items('events', { aggregate: { count: '*' } }))).body;
  requireEqual('stored events', Number(data[0].count), stored.rows[0]?.count);
  requireEqual('newest events', uuids((await peer.get(newestPath)).body), uuids((await admin.get('all-requests')).body));
  printRow(`ingestion by one sender, ${rows} events a batch`, 'rows/s', (rows / switchyard.p50) * 1000, (rows / directus.p50) * 1000);
}

/** The row as an item of Directus: names instead of missing values, and the id of the app. */
function toItem({ id, bundle, date, stream_uid, is_qa: _isQa, ...row }: ReturnType<typeof wireRow>) {
  return { ...row, uuid: id, app_id: Number(bundle.slice('com.bench.app'.length)), occurred_at: date, stream_uid: stream_uid ?? '' };
}

await runBench(plan);
