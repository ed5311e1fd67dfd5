import { callAreas } from '@switchyard/contract/all-endpoints';
import { fromDate } from '@switchyard/contract/dates';
import type { Build } from '@switchyard/contract/settings';
import type { FastifyInstance } from 'fastify';
import { createAppHosts } from './app-hosts.ts';
import { buildApi } from './build-api.ts';
import { composeFeatures, type FeatureOptions } from './compose-features.ts';
import { answers, type Databases } from './database/connect.ts';
import { isDatabaseUnavailable, isPoolTimeout, isStatementTimeout, isStorageFull } from '@switchyard/traffic-store/database-errors';
import { isMigrated } from './database/migrate.ts';
import { readBacklog, readDatabaseBytes } from './database/read-backlog.ts';
import { createStorage } from './observability/storage.ts';
import { appHostUrl } from './env.ts';
import { checkReadiness, createOperations, type ReadinessDependencies } from './features/operations/create-operations.ts';
import { openApiDocument } from './features/operations/open-api-document.ts';
import { createAdmission, limitersOf } from './http/admission.ts';
import type { FaultKinds } from './http/error-handler.ts';
import { createMetrics, scrapeLimits } from './observability/metrics.ts';
import { timeRangeErrors } from './traffic-queries/read-time-range.ts';
import { eventStoreFaults } from '@switchyard/traffic-store/event-store-faults';

export type ApiOptions = FeatureOptions & {
  build: Build;
  /** Share of the demo's past that this process has loaded; null or absent while it loads none. */
  demoLoaded?: () => number | null;
  /** Folder of the built console; null: the API alone. */
  webRoot: string | null;
  /** How many lines of the log could not be written. */
  logWriteErrors?: () => number;
};

export type ComposedApi = {
  /** Not listening yet. */
  app: FastifyInstance;
  /** From now on the process is not ready, but serves calls. */
  beginDrain: () => void;
  /** From now on the process is not ready and rejects calls. Running calls go on. */
  beginShutdown: () => void;
  /** Does what has to be done from time to time, once; safe in several processes at once. */
  maintain: () => Promise<void>;
  /** Evaluates the rules of alerts once. */
  evaluateAlerts: () => Promise<void>;
  /** Begins to do the jobs in the database, and to evaluate the rules of alerts, as one of any number of processes. */
  startJobs: () => Promise<void>;
  /** Leaves jobs under way to the next start or to another process. */
  stopJobs: () => Promise<void>;
};

/** Creates every feature with what it needs and puts them behind one server. */
export async function composeApi(options: ApiOptions): Promise<ComposedApi> {
  const { settings, databases, trafficStore, build, now } = options;
  const { version } = build;
  let isDraining = false;
  let isStopping = false;
  const admission = createAdmission({
    groupsBatches: trafficStore.groupsBatches,
    slots: { take: databases.takeSharedSlot, openStream: databases.openStream },
    timeoutFactor: options.background?.timeoutFactor,
  });
  const readiness: ReadinessDependencies = {
    isStopping: () => isDraining || isStopping,
    databaseAnswers: () => answers(databases),
    isMigrated: () => isMigrated(databases.pools.sessions),
  };
  const storage = createStorage({ dataDir: settings.dataDir, logDir: settings.logs.consoleDir, now });
  const metrics = createMetrics({
    build,
    pools: databases.pools,
    eventStoreAnswers: trafficStore.eventStoreAnswers,
    isReady: async () => (await checkReadiness(readiness)).status === 'ready',
    readBacklog: () => readBacklog(databases.pools.sessions, scrapeLimits.timeoutMs),
    limiters: limitersOf(admission),
    sealProblems: () => composition.sealProblems(),
    logWriteErrors: options.logWriteErrors ?? (() => 0),
    storage,
    databaseBytes: () => readDatabaseBytes(databases.pools.sessions, scrapeLimits.timeoutMs),
  });
  const appHosts = createAppHosts(appHostUrl(settings));
  const composition = composeFeatures({ ...options, metrics, appHosts, slots: admission.interactive });
  const title = settings.names.productName;
  let openApiText: string | undefined;
  // Created by the first call for it, because it takes a tenth of a second.
  const readOpenApi = (): string => (openApiText ??= JSON.stringify(openApiDocument(callAreas, { title, version })));
  const openApi = settings.console.hideReference ? null : readOpenApi;
  const operations = createOperations({
    settings,
    build,
    demoLoaded: options.demoLoaded ?? (() => null),
    demoIsOn: options.demoIsOn,
    now,
    metrics,
    openApi,
    readiness,
    storage,
  });
  const consoleOrigin = new URL(settings.appUrl).origin;
  const app = await buildApi({
    logger: options.logger,
    admission,
    isHttps: settings.appUrl.startsWith('https:'),
    webOrigin: settings.webOrigin,
    isProduction: settings.environment === 'production',
    authenticators: composition.authenticators,
    features: [...composition.features, operations],
    appHost: { ...composition.appHost, origin: consoleOrigin },
    queryFrame: settings.console.hideDocs ? null : { addressOf: appHosts.addressOf, consoleOrigin },
    faults: faultKinds(databases),
    onStorageFull() {
      storage.wasFull();
      metrics.storageFull();
    },
    trustedProxies: settings.trustedProxies,
    isStopping: () => isStopping,
    validateQuery: (fields) => timeRangeErrors(fields, settings.console.utcOffset),
    onFinished: metrics.requestFinished,
    streamOpened: metrics.streamOpened,
    findReauthentication: composition.findReauthentication,
    tokenCall: composition.tokenCall,
    reference: openApi === null ? null : { readDocument: openApi, title },
    webRoot: options.webRoot,
    loadsPushImages: settings.console.pushImages,
  });
  app.addHook('preClose', async () => {
    isStopping = true;
  });
  app.addHook('onClose', composition.close);
  return {
    app,
    beginDrain() {
      isDraining = true;
    },
    beginShutdown() {
      isStopping = true;
    },
    async maintain() {
      await composition.background.maintain();
      // Last, because it needs more than PostgreSQL.
      await trafficStore.maintain(fromDate(now()));
    },
    evaluateAlerts: async () => composition.evaluateAlerts(),
    startJobs: async () => composition.background.startJobs(),
    stopJobs: async () => composition.background.stopJobs(),
  };
}

/** Errors of both databases by what they mean. */
function faultKinds({ isReachable }: Pick<Databases, 'isReachable'>): FaultKinds {
  return {
    isDatabaseUnavailable,
    isPoolTimeout,
    isDatabaseReachable: isReachable,
    isStorageFull: (error) => isStorageFull(error) || eventStoreFaults.isFull(error),
    isStatementTimeout: (error) => isStatementTimeout(error) || eventStoreFaults.isTimeout(error),
  };
}
