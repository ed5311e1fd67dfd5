import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const bench = join(import.meta.dirname, 'bench.ts');
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'switchyard-bench-test-'));
});
afterAll(async () => rm(folder, { recursive: true, force: true }));

it('measures everything that has a target, writes the figures and leaves nothing behind', { timeout: 300_000 }, async () => {
  const file = join(folder, 'figures.json');
  const env = { ...process.env, TMPDIR: folder };
  await promisify(execFile)(process.execPath, [bench, '--events', '1000', '--quick', '--json', file], { env });
  const figures: unknown = JSON.parse(await readFile(file, 'utf8'));
  const figure = { value: expect.any(Number), unit: expect.any(String), target: expect.any(String), pass: expect.any(Boolean) };
  expect(figures).toMatchObject({
    list_newest_p50: { ...figure, unit: 'ms', baseline: expect.any(Number), ratio: expect.any(Number) },
    list_one_app_p50: figure,
    list_far_page_p50: figure,
    search_ip_p50: figure,
    page_first_p50: figure,
    page_last_p50: figure,
    histogram_days_90_p50: figure,
    histogram_all_days_90_p50: figure,
    push_first_p50: figure,
    conversion_last_p50: figure,
    export_app_rows: { ...figure, unit: 'rows/s', baseline: expect.any(Number), ratio: expect.any(Number) },
    export_search_database_time: { ...figure, unit: 'µs/row' },
    export_memory_growth: { ...figure, unit: 'MiB' },
    tail_p95: { ...figure, unit: 'ms' },
    search_client_uid_p50: figure,
    asn_search_text_p95: figure,
    asn_search_ip_p95: figure,
    users_to_pick_5000_p50: figure,
    users_5000_p50: figure,
    who_can_10000_p50: figure,
    role_preview_10000_p50: figure,
    edge_change_seen_p95: { ...figure, unit: 'ms' },
    edge_1000_servers_core_share: { ...figure, unit: '%' },
    list_throughput_10: figure,
    statistics_1000_apps_p50: figure,
    ingest_rows: { ...figure, unit: 'rows/s', baseline: expect.any(Number), ratio: expect.any(Number) },
    ingest_rows_gzip: figure,
    ingest_pushes: figure,
    ingest_conversions: figure,
    memory_idle: { ...figure, unit: 'MiB' },
  });
  expect(await readdir(folder)).toEqual(['figures.json']);
});

const failing = `
  import { runBench } from '${join(import.meta.dirname, 'bench-run.ts')}';
  import { loadApps } from '${join(import.meta.dirname, 'load-events.ts')}';
  import { measureGroups, rejectFailed } from '${join(import.meta.dirname, 'measure-groups.ts')}';
  import { against, shown, timeCalls, within } from '${join(import.meta.dirname, 'time-calls.ts')}';
  await runBench(() => ({
    keep: null,
    isQuick: true,
    load: async ([client]) => loadApps(client),
    measure: async (context, isStopping) => {
      const groups = {
        calls: ({ admin }) => timeCalls(1, {
          users: [() => admin.get('users'), shown()],
          unknown: [() => admin.get('no-such-call'), within(50)],
          compared: [() => admin.get('users'), against('unknown')],
        }),
        broken: async () => { throw new Error('the group could not begin'); },
        last: ({ admin }) => timeCalls(1, { roles: [() => admin.get('roles'), shown()] }),
      };
      rejectFailed(await measureGroups(groups, context, isStopping));
    },
  }));`;

it(
  '[OPS-027] prints a measure that fails with its message, makes the others, and ends with a code that is not 0',
  { timeout: 120_000 },
  async () => {
    const env = { ...process.env, TMPDIR: folder };
    const child = spawn(process.execPath, ['--input-type=module', '--eval', failing], { env });
    const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    expect(output.split('\n').filter((line) => /^(users|unknown|compared|broken|roles)/.test(line))).toEqual([
      expect.stringMatching(/^users_p50 +[\d.]+ ms/),
      expect.stringMatching(/^unknown_p50 +FAILED: GET no-such-call answered 404: /),
      expect.stringMatching(/^compared_p50 +FAILED: unknown failed$/),
      expect.stringMatching(/^broken +FAILED: the group could not begin$/),
      expect.stringMatching(/^roles_p50 +[\d.]+ ms/),
    ]);
    expect(errors).toContain('3 of 5 measures failed: unknown_p50, compared_p50, broken');
    expect(code).toBe(1);
  },
);

it('rejects an unknown argument before it starts anything', async () => {
  const child = spawn(process.execPath, [bench, '--rows', '5'], { env: { ...process.env, TMPDIR: folder } });
  const [code] = await once(child, 'exit');
  expect(code).toBe(1);
});
