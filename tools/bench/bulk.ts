import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { signInAs } from '../../packages/api/test/sign-in-as.ts';
import { createApiClient } from './api-client.ts';
import { readCount } from './bench-arguments.ts';
import type { BenchContext } from './bench-context.ts';
import { type BenchPlan, runBench } from './bench-run.ts';
import { limitMeasure, type Measure, printHead, printMeasure, shownMeasure, writeJson } from './report.ts';

const mebibyte = 2 ** 20;
const pollMilliseconds = 250;

/** `npm run bench:bulk -- --apps N` (default 10,000): checks, makes and undoes a bulk change of all apps. `--json FILE`, `--keep FOLDER`. */
function plan(): BenchPlan {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ options: { apps: text, json: text, keep: text } });
  const count = readCount(values.apps ?? '10000', '--apps');
  return {
    keep: values.keep ?? null,
    isQuick: false,
    async load([first]) {
      const blank = { type: 'json', code: 200, response: '' };
      await first.query(
        `insert into apps (name, bundle, domain, vertical, response_message)
         select 'App ' || n, 'com.bulk.' || n, n || '.example', 'bet', $2 from generate_series(1, $1) as n`,
        [count, JSON.stringify({ static: blank, create: blank, receive: blank })],
      );
    },
    async measure(context) {
      const measures = await measureRun(context, count);
      printHead();
      measures.forEach(printMeasure);
      if (values.json !== undefined) await writeJson(values.json, measures);
    },
  };
}

const change = (vertical: string) => ({ action: 'app.set', params: { vertical } });

async function timed<T>(work: () => Promise<T>): Promise<{ value: T; seconds: number }> {
  const startedAt = performance.now();
  return { value: await work(), seconds: (performance.now() - startedAt) / 1000 };
}

async function measureRun({ api, databases }: BenchContext, count: number): Promise<Measure[]> {
  const client = createApiClient(api.url, (await signInAs(databases, { role: 'Super Admin' })).token);
  const ask = async (path: string, body: object = {}) => {
    const answer = await client.post(path, JSON.stringify(body), { 'content-type': 'application/json' });
    if (answer.status > 201) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  };
  const until = async (id: number, state: string) => {
    for (;;) {
      const { data } = (await client.get(`bulk/runs/${id}`)).body;
      if (data.state === state) return data;
      if (data.state === 'stopped') throw new Error(data.problem);
      await pause(pollMilliseconds);
    }
  };
  // The console is warm after a check of a few rows.
  const warm = await ask('bulk/runs', { change: change('casino'), target: { filter: 'search=com.bulk.1' } });
  await until(warm.id, 'ready');
  const before = (await api.memory()).now;
  await api.forgetPeak();
  const check = await timed(async () => until((await ask('bulk/runs', { change: change('finance'), target: { filter: '' } })).id, 'ready'));
  if (check.value.check.changed !== count) throw new Error(`The check found ${JSON.stringify(check.value.check)}`);
  const run = await timed(async () => until((await ask(`bulk/runs/${check.value.id}/start`)).id, 'done'));
  if (run.value.result.changed !== count) throw new Error(`The run gave ${JSON.stringify(run.value.result)}`);
  const undo = await timed(async () => {
    const { id } = await until((await ask(`bulk/runs/${check.value.id}/undo`)).id, 'ready');
    await ask(`bulk/runs/${id}/start`);
    return until(id, 'done');
  });
  if (undo.value.result.changed !== count) throw new Error(`The undo gave ${JSON.stringify(undo.value.result)}`);
  const { peak } = await api.memory();
  client.close();
  return [
    shownMeasure(`check of ${count} apps`, check.seconds, 's'),
    limitMeasure(`change of ${count} apps`, run.seconds, 's', 60),
    shownMeasure(`undo of ${count} apps, with its check`, undo.seconds, 's'),
    limitMeasure('memory growth', (peak - before) / mebibyte, 'MiB', 64),
  ];
}

await runBench(plan);
