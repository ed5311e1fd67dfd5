import { dayOf, type Microseconds } from '@switchyard/contract/dates';
import { emptyCounterSet, type CounterSet } from '@switchyard/contract/app-statistics';
import type pg from 'pg';
import { flag } from '../request-flags.ts';
import type { TrafficCounters } from '../traffic-store.ts';
import { countDeliveries } from './delivery-counters.ts';

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

const sums = Object.entries(figures)
  .map(([name, condition]) => `coalesce(sum(requests) filter (where ${condition}), 0)::bigint as ${name}`)
  .join(', ');

/** About half of the roll-ups' rows count what no figure asks for. */
const counted = `app_id = any($1::integer[]) and (type in ('create', 'receive') or flags & ${flag.bot} <> 0)`;

const text = `
select app_id, 'today' as span, ${sums} from traffic_days where day = $2 and ${counted} group by app_id
union all
select app_id, case when grouping(is_qa) = 1 then 'allTime' else 'qa' end, ${sums}
from (select *, flags & ${flag.qa} <> 0 as is_qa from traffic_totals where ${counted}) as total
group by grouping sets ((app_id), (app_id, is_qa)) having grouping(is_qa) = 1 or is_qa`;

/** Counters by app; an app of which no figure counts anything is absent. Reads roll-ups only, so it costs the same at any number of events. */
export async function countByApp(
  pool: pg.Pool,
  offset: string,
  appIds: readonly number[],
  now: Microseconds,
): Promise<Map<number, TrafficCounters>> {
  const values = [appIds, dayOf(now, offset)];
  const [requests, deliveries] = await Promise.all([
    pool.query<Figures & { app_id: number; span: keyof TrafficCounters }>({ name: 'traffic-counters', text, values }),
    countDeliveries(pool, offset, appIds, now),
  ]);
  const counters = new Map<number, TrafficCounters>();
  const ofApp = (appId: number): TrafficCounters => {
    const app = counters.get(appId) ?? { today: emptyCounterSet(), allTime: emptyCounterSet(), qa: emptyCounterSet() };
    counters.set(appId, app);
    return app;
  };
  for (const row of requests.rows) ofApp(row.app_id)[row.span] = toCounterSet(row);
  for (const { appId, span, name, counter } of deliveries) ofApp(appId)[span][name] = counter;
  return counters;
}

function toCounterSet(row: Figures): CounterSet {
  return {
    ...emptyCounterSet(),
    create: { all: row.create, success: row.create_ok },
    receive: { all: row.receive, success: row.receive_ok },
    bots: { all: row.bots, success: row.bots_ok },
  };
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
