import { allEndpoints } from '@switchyard/contract/all-endpoints';
import { fromDate } from '@switchyard/contract/dates';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { openGeoIp } from './adapters/geo-ip.ts';
import { createGoogleSignIn } from './adapters/google-sign-in.ts';
import { createPasswordHash } from './adapters/password-hash.ts';
import type { SecretBox } from './adapters/secret-box.ts';
import { buildApi } from './build-api.ts';
import { answers, type Databases } from './database/connect.ts';
import { isDatabaseUnavailable, isStatementTimeout, isStorageFull } from './database/database-errors.ts';
import { isMigrated } from './database/migration-state.ts';
import type { Settings } from './env.ts';
import { createAllRequests } from './features/all-requests/create-all-requests.ts';
import { createApps } from './features/apps/create-apps.ts';
import { createBuyers } from './features/buyers/create-buyers.ts';
import { createConversions } from './features/conversions/create-conversions.ts';
import { createIngest } from './features/ingest/create-ingest.ts';
import { createOperations } from './features/operations/create-operations.ts';
import { openApiDocument } from './features/operations/open-api-document.ts';
import { createPostbacks } from './features/postbacks/create-postbacks.ts';
import { createPushes } from './features/pushes/create-pushes.ts';
import { createSession } from './features/session/create-session.ts';
import { createTrafficServers } from './features/traffic-servers/create-traffic-servers.ts';
import { findServerByToken } from './features/traffic-servers/server-token-lookup.ts';
import { createMetrics, type PoolState } from './metrics.ts';
import { createPostgresTrafficStore } from './traffic-store/postgres/create-postgres-traffic-store.ts';

export type ApiOptions = {
  settings: Settings;
  databases: Databases;
  logger: FastifyBaseLogger;
  /** Seals and opens what is stored secret (S17). */
  secretBox: SecretBox;
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

/** Creates every feature with what it needs and puts them behind one server. */
export async function composeApi({ settings, databases, logger, secretBox, now, version, webRoot }: ApiOptions): Promise<ComposedApi> {
  let isStopping = false;
  const { db, pools } = databases;
  const serverOffset = settings.console.utcOffset;
  const retentionDays = settings.eventRetentionDays;
  const metrics = createMetrics({ poolStates: () => poolStates(databases) });
  const trafficStore = createPostgresTrafficStore({ pools, serverOffset, retentionDays });
  const about = { title: settings.names.productName, version };
  const openApi = settings.console.hideReference ? null : JSON.stringify(openApiDocument(allEndpoints, about));

  const google = googleSignIn(settings, logger);
  const session = createSession({ databases, passwords: createPasswordHash(), now, signIn: settings.signIn, google });
  const apps = createApps({ db, secretBox, trafficStore, now, serverOffset });
  const buyers = createBuyers({ db });
  const trafficServers = createTrafficServers({ db });
  const allRequests = createAllRequests({ trafficStore, now, serverOffset });
  const postbacks = createPostbacks({ db, trafficStore, now, serverOffset });
  const pushes = createPushes({ db, pushStore: trafficStore, serverOffset });
  const conversions = createConversions({ db, conversionStore: trafficStore, serverOffset });
  const stores = { trafficStore, pushStore: trafficStore, conversionStore: trafficStore };
  const ingest = createIngest({ db, ...stores, geoIp: openGeoIp(), now, retentionDays, onRows: metrics.rowsIngested });
  const operations = createOperations({
    settings,
    version,
    now,
    metrics,
    openApi,
    readiness: {
      isStopping: () => isStopping,
      databaseAnswers: () => answers(databases),
      isMigrated: () => isMigrated(pools.ui),
    },
  });

  const app = await buildApi({
    logger,
    isProduction: settings.environment === 'production',
    authenticators: { account: session.authenticate, trafficServer: (token) => findServerByToken(databases, token) },
    features: [session, apps, buyers, trafficServers, allRequests, postbacks, pushes, conversions, ingest, operations],
    faults: { isDatabaseUnavailable, isStorageFull, isStatementTimeout },
    trustedProxies: settings.trustedProxies,
    isStopping: () => isStopping,
    onFinished: metrics.requestFinished,
    reference: openApi === null ? null : { document: openApi, title: settings.names.productName },
    webRoot,
  });
  app.addHook('preClose', async () => {
    isStopping = true;
  });
  return {
    app,
    beginShutdown() {
      isStopping = true;
    },
    async maintain() {
      await session.maintain();
      await trafficStore.maintain(fromDate(now()));
    },
  };
}

function poolStates({ pools }: Databases): Record<string, PoolState> {
  return Object.fromEntries(
    Object.entries(pools).map(([name, pool]) => [name, { open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }]),
  );
}

/** Sign-in with Google as the settings say; a domain list is separated by commas. */
function googleSignIn({ appUrl, signIn: { google } }: Settings, logger: FastifyBaseLogger) {
  return {
    provider:
      google && createGoogleSignIn({ ...google, redirectUri: `${appUrl}/oauth/google`, allowHttp: google.issuer.startsWith('http:') }),
    hostedDomains: (google?.hostedDomain ?? '')
      .toLowerCase()
      .split(/[\s,]+/)
      .filter((domain) => domain !== ''),
    onProviderFault: (fault: Error) => logger.warn({ err: fault }, 'Sign-in with Google went wrong'),
  };
}
