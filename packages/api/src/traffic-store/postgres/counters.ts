import { dayOf, type Microseconds } from '@switchyard/contract/dates';
import { emptyCounterSet, type CounterSet } from '@switchyard/contract/app-statistics';
import type pg from 'pg';
import { flag } from '../request-flags.ts';
import type { TrafficCounters } from '../traffic-store.ts';
import { countDeliveries, keptFor } from './delivery-counters.ts';

/** The figures of a counter set, as sums over rows of a roll-up; success is no error and no bot (AMB-077, O29). */
const figures = {
  create: `type = 'create'`,
  create_ok: `type = 'create' and flags & ${flag.error | flag.bot} = 0`,
  receive: `type = 'receive'`,
  receive_ok: `type = 'receive' and flags & ${flag.error | flag.bot} = 0`,
  bots: `flags & ${flag.bot} <> 0`,
  bots_ok: `flags & ${flag.error | flag.bot} = ${flag.bot}`,
} as const;
type Figures = Record<keyof typeof figures, number>;

/** As floating point, which adds up far faster than bigint and holds whole numbers exactly up to 2^53. */
const sums = Object.entries(figures)
  .map(([name, condition]) => `coalesce(sum(requests::float8) filter (where ${condition}), 0) as ${name}`)
  .join(', ');

/** About half of the roll-ups' rows count what no figure asks for. */
const counted = `app_id = any($1::integer[]) and (type in ('create', 'receive') or flags & ${flag.bot} <> 0)`;

const text = `
select app_id, 'today' as part, ${sums} from traffic_days where day = $2 and ${counted} group by app_id
union all
select app_id, case when is_qa then 'testers' else 'others' end, ${sums}
from (select *, flags & ${flag.qa} <> 0 as is_qa from traffic_totals where ${counted}) as total group by app_id, is_qa`;

/** To which spans a part of an app's requests counts. */
const spansOf = { today: ['today'], testers: ['qa', 'allTime'], others: ['allTime'] } as const;

/** Counters by app; an app of which no figure counts anything is absent. Reads roll-ups only, so it costs the same at any number of events. */
export async function countByApp(
  pool: pg.Pool,
  offset: string,
  appIds: readonly number[],
  now: Microseconds,
): Promise<Map<number, TrafficCounters>> {
  const values = [appIds, dayOf(now, offset)];
  const [requests, deliveries] = await Promise.all([
    pool.query<Figures & { app_id: number; part: keyof typeof spansOf }>({ ...keptFor('traffic-counters', appIds), text, values }),
    countDeliveries(pool, offset, appIds, now),
  ]);
  const counters = new Map<number, TrafficCounters>();
  const ofApp = (appId: number): TrafficCounters => {
    const app = counters.get(appId) ?? { today: emptyCounterSet(), allTime: emptyCounterSet(), qa: emptyCounterSet() };
    counters.set(appId, app);
    return app;
  };
  for (const row of requests.rows) {
    for (const span of spansOf[row.part]) add(ofApp(row.app_id)[span], row);
  }
  for (const { appId, span, name, counter } of deliveries) ofApp(appId)[span][name] = counter;
  return counters;
}

function add({ create, receive, bots }: CounterSet, row: Figures): void {
  create.all += row.create;
  create.success += row.create_ok;
  receive.all += row.receive;
  receive.success += row.receive_ok;
  bots.all += row.bots;
  bots.success += row.bots_ok;
}

/** Which of these apps ever had a create or receive request, or a conversion (AMB-107). */
export async function findAppsWithClients(pool: pg.Pool, appIds: readonly number[]): Promise<Set<number>> {
  const { rows } = await pool.query<{ app_id: number }>({
    name: 'traffic-clients',
    text: `select app_id from traffic_totals where app_id = any($1::integer[]) and type in ('create', 'receive')
      union select app_id from conversion_totals where app_id = any($1::integer[])`,
    values: [appIds],
  });
  return new Set(rows.map((row) => row.app_id));
}
