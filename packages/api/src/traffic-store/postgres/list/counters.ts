import { dayOf, type Microseconds } from '@switchyard/contract/dates';
import { emptyCounterSet, type CounterSet } from '@switchyard/contract/app-statistics';
import type pg from 'pg';
import type { TrafficCounters } from '../../traffic-store.ts';
import { aboutApps, countDeliveries } from '../deliveries/delivery-counters.ts';

/** The figures of a counter set. */
const figures = ['creates', 'creates_ok', 'receives', 'receives_ok', 'bots', 'bots_ok'] as const;
type Figures = Record<(typeof figures)[number], number>;

const textFor = (isAsked: string): string => `
select app_id, 'today' as part, ${figures.join(', ')} from traffic_app_days where day = $2 and ${isAsked}
union all
select app_id, case when is_qa then 'testers' else 'others' end, ${figures.join(', ')} from traffic_totals where ${isAsked}`;

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
    pool.query<Figures & { app_id: number; part: keyof typeof spansOf }>({
      ...aboutApps('traffic-counters', appIds, textFor),
      values,
    }),
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
  create.all += row.creates;
  create.success += row.creates_ok;
  receive.all += row.receives;
  receive.success += row.receives_ok;
  bots.all += row.bots;
  bots.success += row.bots_ok;
}

/** Which of these apps ever had a create or receive request, or a conversion (AMB-107). */
export async function findAppsWithClients(pool: pg.Pool, appIds: readonly number[]): Promise<Set<number>> {
  const { rows } = await pool.query<{ app_id: number }>({
    name: 'traffic-clients',
    text: `select app_id from traffic_totals where app_id = any($1::integer[]) and creates + receives > 0
      union select app_id from conversion_totals where app_id = any($1::integer[])`,
    values: [appIds],
  });
  return new Set(rows.map((row) => row.app_id));
}
