import { readArguments } from './bench-arguments.ts';
import { type BenchPlan, runBench } from './bench-run.ts';
import { measureBlackList } from './measure-black-list.ts';
import { measureAccounts, measureAsns } from './measure-administration.ts';
import { eventsPerDelivery, loadDeliveries } from './load-deliveries.ts';
import { loadEngineEvents } from './load-engine-events.ts';
import { loadApps, loadEvents, raiseIds } from './load-events.ts';
import { measureDashboard } from './measure-dashboard.ts';
import { measureDeliveryIngest, measureDeliveryLists } from './measure-deliveries.ts';
import { measureEdge } from './measure-edge.ts';
import { measureExports } from './measure-exports.ts';
import { measureIngest } from './measure-ingest.ts';
import { measureFilters, measureLists, measurePaging, measureRequests, measureSearch, measureSubjects } from './measure-lists.ts';
import { measureMemory, measureStatistics, measureThroughput } from './measure-load.ts';
import { measureFarPage, measureHistograms, measurePages } from './measure-pages.ts';
import { measureTail } from './measure-tail.ts';
import { measurePalette } from './measure-palette.ts';
import { measureReports, measureTopValues } from './measure-reports.ts';
import { measureEngine } from './measure-engine.ts';
import { measureEngineExports } from './measure-engine-exports.ts';
import { measureEngineIngest } from './measure-engine-ingest.ts';
import type { StoreName } from './raw-events.ts';
import { type Groups, measureGroups, rejectFailed } from './measure-groups.ts';
import { writeJson } from './report.ts';

/** Measurements that both stores can answer. */
const eventGroups: Groups = {
  memory: measureMemory,
  lists: measureLists,
  paging: measurePaging,
  filters: measureFilters,
  search: measureSearch,
  requests: measureRequests,
  pages: measurePages,
  'far-page': measureFarPage,
  subjects: measureSubjects,
  histograms: measureHistograms,
  'top-values': measureTopValues,
  reports: measureReports,
  dashboard: measureDashboard,
  statistics: measureStatistics,
};

/** Groups of measurements in the order in which they are made; those that add rows come last. */
const groupsOf: Readonly<Record<StoreName, Groups>> = {
  postgres: {
    ...eventGroups,
    deliveries: measureDeliveryLists,
    asns: measureAsns,
    accounts: measureAccounts,
    'black-list': measureBlackList,
    edge: measureEdge,
    throughput: measureThroughput,
    exports: measureExports,
    tail: measureTail,
    ingest: measureIngest,
    'delivery-ingest': measureDeliveryIngest,
    palette: measurePalette,
  },
  clickhouse: {
    ...eventGroups,
    engine: measureEngine,
    throughput: measureThroughput,
    exports: measureEngineExports,
    tail: measureTail,
    ingest: measureEngineIngest,
  },
};

function plan(): BenchPlan {
  const { store, events, jsonFile, keep, isQuick, only } = readArguments(process.argv.slice(2));
  const groups = groupsOf[store];
  const unknown = only?.find((name) => !(name in groups));
  if (unknown !== undefined) throw new Error(`There is no group ${unknown}; there are ${Object.keys(groups).join(', ')}`);
  return {
    keep,
    store,
    isQuick,
    async load(clients, end, engine) {
      const load = { total: events, end, onProgress: (doneEvents: number) => console.log(`${doneEvents} events loaded`) };
      await loadApps(clients[0]);
      if (engine !== null) {
        await loadEngineEvents(engine.raw, load);
        await raiseIds(clients[0], events);
        return;
      }
      await loadEvents(clients, load);
      await loadDeliveries(clients[0], Math.ceil(events / eventsPerDelivery), end);
    },
    async measure(context, isStopping) {
      const chosen = Object.fromEntries(Object.entries(groups).filter(([name]) => only?.includes(name) !== false));
      const measures = await measureGroups(chosen, context, isStopping);
      if (jsonFile !== null) await writeJson(jsonFile, measures);
      rejectFailed(measures);
    },
  };
}

await runBench(plan);
