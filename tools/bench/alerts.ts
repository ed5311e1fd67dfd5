import { alertKindNames, alertKinds, type AlertKind } from '@switchyard/contract/alerts';
import { openEngine } from '@switchyard/traffic-store/clickhouse/engine-client';
import { createTrafficStore } from '@switchyard/traffic-store/open-traffic-store';
import { evaluateRules } from '../../packages/api/src/features/alerts/evaluate-rules.ts';
import { readArguments } from './bench-arguments.ts';
import type { BenchContext } from './bench-context.ts';
import { type BenchPlan, runBench } from './bench-run.ts';
import { loadApps, loadEvents, raiseIds } from './load-events.ts';
import { loadEngineEvents } from './load-engine-events.ts';
import { limitMeasure, type Measure, printHead, printMeasure, shownMeasure, writeJson } from './report.ts';

const apps = 10_000;
const rules = 1_000;
const rounds = 10;

/** `npm run bench:alerts -- --events N --store clickhouse`: evaluates 1,000 rules over 10,000 apps. `--json FILE`, `--keep FOLDER`. */
function plan(): BenchPlan {
  const { store, events, keep, jsonFile } = readArguments(process.argv.slice(2));
  return {
    keep,
    store,
    isQuick: false,
    async load(clients, end, engine) {
      const [first] = clients;
      const load = { total: events, end, onProgress: (doneEvents: number) => console.log(`${doneEvents} events loaded`) };
      await loadApps(first);
      await first.query(`
        insert into apps (name, bundle, domain, vertical, response_message)
          select 'Quiet app ' || n, 'com.quiet.app' || n, 'quiet' || n || '.bench.example', 'casino', '{}'
          from generate_series((select count(*) from apps) + 1, ${apps}) as n;
        update apps set expiration_at = now() + (id % 730 - 10) * interval '1 day';
        insert into traffic_servers (name, url, last_seen_at) select 'edge-' || n, 'https://edge.example', now() from generate_series(1, 5) as n;
        insert into check_domains (app_id, server_id, ssl_at, status)
          select app.id, server.id, now() + ((app.id * 7 + server.id) % 90) * interval '1 day', case when app.id % 100 = 0 then 'err_ssl' else 'ok' end
          from apps as app join traffic_servers as server on server.id <= 2`);
      if (engine === null) return loadEvents(clients, load);
      await loadEngineEvents(engine.raw, load);
      await raiseIds(first, events);
    },
    async measure(context) {
      const measures = await measureEvaluations(context);
      printHead();
      measures.forEach(printMeasure);
      if (jsonFile !== null) await writeJson(jsonFile, measures);
    },
  };
}

/** Rules of every kind: one of ten is about all apps, two about a vertical and seven about fifty apps. */
async function loadRules({ databases: { pools } }: BenchContext): Promise<void> {
  const rows = Array.from({ length: rules }, (_, index) => {
    const kind: AlertKind = alertKindNames[index % alertKindNames.length] ?? 'domain_expiry';
    const { subject, threshold } = alertKinds[kind];
    const apart = subject === 'app' ? index % 10 : 0;
    return {
      name: `Rule ${index}`,
      kind,
      threshold: threshold === null ? null : threshold.usual,
      scope_apps: apart === 0 ? 'all' : apart < 3 ? 'verticals' : 'chosen',
      verticals: apart > 0 && apart < 3 ? ['bet'] : [],
      app_ids: apart < 3 ? [] : Array.from({ length: 50 }, (_one, at) => 1 + ((index * 61 + at * 199) % apps)),
    };
  });
  await pools.ops.query('delete from alert_rules');
  await pools.ops.query(
    `with given as (
       select * from jsonb_to_recordset($1::jsonb) as rule (name text, kind text, threshold int, scope_apps text, verticals text[], app_ids int[])),
     added as (
       insert into alert_rules (name, kind, threshold, scope_apps, verticals) select name, kind, threshold, scope_apps, verticals from given
       returning id, name)
     insert into alert_rule_apps select id, unnest(app_ids) from added join given using (name)`,
    [JSON.stringify(rows)],
  );
}

async function measureEvaluations(context: BenchContext): Promise<Measure[]> {
  const { databases, engine } = context;
  await loadRules(context);
  const client = engine === null ? null : openEngine({ url: engine.url, cluster: null });
  const traffic = createTrafficStore({
    pools: databases.pools,
    serverOffset: '+00:00',
    retentionDays: 90,
    clickhouse: client && { engine: client, cluster: null },
  });
  let moment = Date.now();
  let announced = 0;
  const evaluate = async (): Promise<number> => {
    moment += 60_000;
    const startedAt = performance.now();
    const used = process.cpuUsage();
    await evaluateRules(
      {
        db: databases.db,
        // The console that runs beside it evaluates, too.
        takeSharedSlot: async () => () => undefined,
        eventStore: traffic.events,
        deliveryStore: traffic.deliveries,
        serverOffset: '+00:00',
        retentionDays: 90,
        countSealProblems: () => 0,
        logDir: '/',
        now: () => new Date(moment),
        announce: async (_tx, announcements) => {
          announced += announcements.length;
          return new Set();
        },
        onFault: (fault) => {
          throw new Error('Alerts: a kind could not be read', { cause: fault });
        },
      },
      { isRepeat: true },
    );
    const { user, system } = process.cpuUsage(used);
    processor.push((user + system) / 1e6);
    return (performance.now() - startedAt) / 1000;
  };
  const processor: number[] = [];
  const count = async (): Promise<number> =>
    (await databases.pools.ops.query('select from incidents where resolved_at is null')).rowCount ?? 0;
  await databases.pools.ops.query('delete from incidents');
  const opening: number[] = [];
  let before: number;
  do {
    before = announced;
    opening.push(await evaluate());
  } while (announced > before);
  processor.length = 0;
  const steady: number[] = [];
  for (let round = 0; round < rounds; round += 1) steady.push(await evaluate());
  await client?.close();
  return [
    limitMeasure('evaluation that opens 500', Math.max(...opening), 's', 2),
    limitMeasure('evaluation, median', middle(steady), 's', 2),
    limitMeasure('evaluation, longest of ten', Math.max(...steady), 's', 2),
    shownMeasure('CPU time of the console', middle(processor), 's'),
    shownMeasure('open incidents', await count(), ''),
    shownMeasure('announcements', announced, ''),
  ];
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

await runBench(plan);
