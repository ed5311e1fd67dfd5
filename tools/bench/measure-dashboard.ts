import { getDashboard } from '@switchyard/contract/dashboard';
import type { BenchContext } from './bench-context.ts';
import { limitMeasure, type Measure } from './report.ts';
import { sampleInTurn } from './sample.ts';

const rounds = 20;
const limit = 300;

/** Tiles as people pin them: totals, developments and first rows. DAYS differs in each round, so that no report is kept. */
const tiles = [
  ['figure', 'requests', 'measure=requests&compare=previous&days=DAYS'],
  ['figure', 'success_share', 'groupBy=app&compare=week&days=DAYS'],
  ['figure', 'conversions', 'groupBy=stream&measure=conversions,payout&days=DAYS'],
  ['figure', 'payout', 'groupBy=app&measure=payout&compare=month&days=DAYS'],
  ['chart', 'requests', 'groupBy=day&compare=previous&days=DAYS'],
  ['chart', 'bot_share', 'groupBy=day&days=DAYS'],
  ['chart', 'requests', 'groupBy=country&days=DAYS'],
  ['chart', 'pushes', 'groupBy=week&days=DAYS'],
  ['table', null, 'groupBy=app&days=DAYS'],
  ['table', null, 'groupBy=country&measure=requests,success_share&days=DAYS'],
  ['table', null, 'groupBy=day&days=DAYS'],
  ['table', null, 'groupBy=stream&measure=requests,conversions&days=DAYS'],
] as const;

/** Twelve tiles of Home, none of which was counted before: when the call answers, and when every report is there. */
export async function measureDashboard({ admin, databases, repeat }: BenchContext): Promise<Measure[]> {
  const ids: number[] = [];
  const pin = async (shape: string, measure: string | null, query: string): Promise<void> => {
    const view = { list: 'reports', name: `Tile ${ids.length} ${Date.now()}`, query };
    const { id } = (await admin.post('views', JSON.stringify(view))).body.data;
    ids.push(id);
    const { status, body } = await admin.post('dashboard/tiles', JSON.stringify({ view_id: id, shape, measure }));
    if (status !== 201) throw new Error(`POST dashboard/tiles answered ${status}: ${JSON.stringify(body)}`);
  };
  // Without the tiles that a new account begins with.
  await databases.pools.ops.query(`insert into board_layouts (account_id, places) select id, '[]' from accounts on conflict do nothing`);
  for (const [shape, measure, query] of tiles) await pin(shape, measure, query);
  let days = 0;
  const renew = async (): Promise<void> => {
    days = days === 0 ? 30 : days + 1;
    await databases.pools.ops.query(`update saved_views set query = regexp_replace(query, 'days=\\w+', 'days=' || $2) where id = any($1)`, [
      ids,
      days,
    ]);
  };
  const pending = async (path: string): Promise<number[]> => {
    const { data } = (await admin.get(path)).body;
    return getDashboard.answer.schema.parse(data).tiles.flatMap(({ id, state }) => (state === 'pending' ? [id] : []));
  };
  /** How many tiles were pending after the first call. */
  const late: number[] = [];
  const first = async (): Promise<void> => void late.push((await pending('dashboard')).length);
  const all = async (): Promise<void> => {
    let waiting = await pending('dashboard');
    while (waiting.length > 0) waiting = await pending(`dashboard?id=${waiting.join()}`);
  };
  const samples = await sampleInTurn(repeat(rounds), {
    renew,
    dashboard_call: first,
    renewed: renew,
    dashboard_complete: all,
    dashboard_kept: all,
  });
  console.log(`pending after the first call: ${late.join(' ')}`);
  await pin('table', null, 'groupBy=app,country&days=DAYS');
  const slow = await sampleInTurn(repeat(rounds / 4), { renew, dashboard_call_beside_slow: first, rest: all });
  console.log(`pending beside a slow one: ${late.slice(-repeat(rounds / 4)).join(' ')}`);
  return [
    ...(['dashboard_call', 'dashboard_complete', 'dashboard_kept'] as const).map((name) =>
      limitMeasure(`${name}_12_tiles_p50`, samples[name].p50, 'ms', limit),
    ),
    limitMeasure('dashboard_call_12_tiles_p95', samples.dashboard_call.p95, 'ms', limit),
    limitMeasure('dashboard_call_beside_slow_tile_p50', slow.dashboard_call_beside_slow.p50, 'ms', limit),
  ];
}
