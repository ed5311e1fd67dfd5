import { allEndpoints } from '@switchyard/contract/all-endpoints';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { createPasswordHash } from './adapters/password-hash.ts';
import { buildApi } from './build-api.ts';
import { answers, type Databases } from './database/connect.ts';
import { isDatabaseUnavailable, isStatementTimeout, isStorageFull } from './database/database-errors.ts';
import { isMigrated } from './database/migration-state.ts';
import type { Settings } from './env.ts';
import { createOperations } from './features/operations/create-operations.ts';
import { openApiDocument } from './features/operations/open-api-document.ts';
import { createSession } from './features/session/create-session.ts';
import { findServerByToken } from './features/traffic-servers/server-token-lookup.ts';
import { createMetrics, type PoolState } from './metrics.ts';

export type ApiOptions = {
  settings: Settings;
  databases: Databases;
  logger: FastifyBaseLogger;
  now: () => Date;
  version: string;
  /** Folder of the built console; null: the API alone. */
  webRoot: string | null;
};

export type ComposedApi = {
  /** Not listening yet. */
  app: FastifyInstance;
  /** From now on the process is not ready and refuses calls; what runs goes on (R5). */
  beginShutdown: () => void;
  /** Does what has to be done from time to time, once; safe in several processes at once. */
  maintain: () => Promise<void>;
};

/** Calls whose features are still being written. */
const awaited = new Set([11, 15, 16, 17, 23, 33, 90]);

/** Creates every feature with what it needs and puts them behind one server. */
export async function composeApi({ settings, databases, logger, now, version, webRoot }: ApiOptions): Promise<ComposedApi> {
  let isStopping = false;
  const metrics = createMetrics({ poolStates: () => poolStates(databases) });
  const passwords = createPasswordHash();
  const openApi = settings.console.hideReference
    ? null
    : JSON.stringify(openApiDocument(allEndpoints, { title: settings.names.productName, version, serverUrl: settings.appUrl }));

  const session = createSession({ databases, passwords, now, signIn: settings.signIn });
  const operations = createOperations({
    settings,
    version,
    now,
    metrics,
    openApi,
    readiness: {
      isStopping: () => isStopping,
      databaseAnswers: () => answers(databases),
      isMigrated: () => isMigrated(databases.pools.ui),
    },
  });

  const app = await buildApi({
    logger,
    isProduction: settings.environment === 'production',
    authenticators: { account: session.authenticate, trafficServer: (token) => findServerByToken(databases, token) },
    features: [session, operations],
    faults: { isDatabaseUnavailable, isStorageFull, isStatementTimeout },
    trustedProxies: settings.trustedProxies,
    isStopping: () => isStopping,
    onFinished: metrics.requestFinished,
    reference: openApi === null ? null : { document: openApi, title: settings.names.productName },
    webRoot,
    endpoints: allEndpoints.filter(({ number }) => !awaited.has(number)),
  });
  app.addHook('preClose', async () => {
    isStopping = true;
  });
  return {
    app,
    beginShutdown() {
      isStopping = true;
    },
    maintain: session.maintain,
  };
}

function poolStates({ pools }: Databases): Record<string, PoolState> {
  return Object.fromEntries(
    Object.entries(pools).map(([name, pool]) => [name, { open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }]),
  );
}
