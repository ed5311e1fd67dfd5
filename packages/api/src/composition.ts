import { callAreas } from '@switchyard/contract/all-endpoints';
import { appLog, consoleLog } from '@switchyard/contract/log-viewer';
import { fromDate } from '@switchyard/contract/dates';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { join } from 'node:path';
import { createAppHosts } from './app-hosts.ts';
import { createAnchorFile } from './adapters/audit-anchor.ts';
import type { AuditMac } from './adapters/audit-mac.ts';
import { createPasswordPolicy } from './adapters/common-passwords.ts';
import { createLogReader } from './adapters/log-files/log-reader.ts';
import { createLogDayReader } from './adapters/log-files/read-log-day.ts';
import { openGeoIp } from './adapters/geo-ip.ts';
import { createGoogleSignIn } from './adapters/google-sign-in.ts';
import { listOwnAddresses, createBlackIps } from './features/black-ips/create-black-ips.ts';
import { createMailer } from './adapters/mailer.ts';
import { createPasskeys } from './adapters/passkeys.ts';
import { createPasswordHash } from './adapters/password-hash.ts';
import { createSimulatedProvisioner, type DomainProvisioner } from './adapters/domain-provisioner/domain-provisioner.ts';
import { createHttpProvisioner } from './adapters/domain-provisioner/http-provisioner.ts';
import type { RequestCipher } from './adapters/request-cipher.ts';
import { createReadSecret } from './adapters/read-secret.ts';
import type { SecretBox } from './adapters/secret-box.ts';
import { createAdmission } from './http/admission.ts';
import { buildApi } from './build-api.ts';
import { composeIdentity } from './compose-identity.ts';
import { createCallCounts } from './database/call-counts.ts';
import { answers, type Databases } from './database/connect.ts';
import { isDatabaseUnavailable, isPoolTimeout, isStatementTimeout, isStorageFull } from './database/database-errors.ts';
import { isMigrated } from './database/migrate.ts';
import { appHostUrl, type Settings } from './env.ts';
import { createAccounts } from './features/accounts/create-accounts.ts';
import { createAllRequests } from './features/all-requests/create-all-requests.ts';
import { createAppDomains } from './features/app-domains/create-app-domains.ts';
import { createAppPushFile } from './features/app-push-file/create-app-push-file.ts';
import { createApps } from './features/apps/create-apps.ts';
import { createAudit } from './features/audit/create-audit.ts';
import { createApiTokens } from './features/api-tokens/create-api-tokens.ts';
import { createAsns } from './features/asns/create-asns.ts';
import { createConversions } from './features/conversions/create-conversions.ts';
import { createDevTools } from './features/dev-tools/create-dev-tools.ts';
import { createEdge } from './features/edge/create-edge.ts';
import { createHome } from './features/home/create-home.ts';
import { createIngest } from './features/ingest/create-ingest.ts';
import { createInvestigation } from './features/investigation/create-investigation.ts';
import { createSubjects } from './features/investigation/create-subjects.ts';
import { createLogViewer } from './features/log-viewer/create-log-viewer.ts';
import { createOperations } from './features/operations/create-operations.ts';
import { openApiDocument } from './features/operations/open-api-document.ts';
import { createPostbacks } from './features/postbacks/create-postbacks.ts';
import { createPushes } from './features/pushes/create-pushes.ts';
import { createReports } from './features/reports/create-reports.ts';
import { createRoles } from './features/roles/create-roles.ts';
import { createSavedViews } from './features/saved-views/create-saved-views.ts';
import { createSearch } from './features/search/create-search.ts';
import { createNotifyOwner } from './features/security-mails/security-mails-lookup.ts';
import { createTrafficServers } from './features/traffic-servers/create-traffic-servers.ts';
import { createServerActivity } from './features/traffic-servers/server-activity-store.ts';
import { createServerLookup } from './features/traffic-servers/server-token-lookup.ts';
import { createJobQueue, type JobTimings } from './jobs/job-queue.ts';
import { createMetrics, type PoolState } from './metrics.ts';
import { timeRangeErrors } from './traffic-store/read-time-range.ts';
import { eventStoreFaults, type TrafficStore } from './traffic-store/traffic-store.ts';

export type ApiOptions = {
  settings: Settings;
  databases: Databases;
  trafficStore: TrafficStore;
  logger: FastifyBaseLogger;
  /** Seals and opens what is stored secret. */
  secretBox: SecretBox;
  /** Encodes what devices and the developer page exchange. */
  requestCipher: RequestCipher;
  /** Signs the audit trail. */
  auditMac: AuditMac;
  now: () => Date;
  version: string;
  /** Folder of the built console; null: the API alone. */
  webRoot: string | null;
  /** Whether accounts of the demo can sign in. */
  demoIsOn: boolean;
  /** How jobs and links are done, and how many times longer calls may wait, other than usual; for tests. */
  background?: { timings?: JobTimings; provisioner?: DomainProvisioner; retrySeconds?: readonly number[]; timeoutFactor?: number };
};

export type ComposedApi = {
  /** Not listening yet. */
  app: FastifyInstance;
  /** From now on the process is not ready, but serves calls. */
  beginDrain: () => void;
  /** From now on the process is not ready and refuses calls; what runs goes on. */
  beginShutdown: () => void;
  /** Does what has to be done from time to time, once; safe in several processes at once. */
  maintain: () => Promise<void>;
  /** Begins to do the jobs in the database, as one of any number of processes. */
  startJobs: () => Promise<void>;
  /** Leaves jobs under way to the next start or to another process. */
  stopJobs: () => Promise<void>;
};

/** Creates every feature with what it needs and puts them behind one server. */
export async function composeApi({
  settings,
  databases,
  trafficStore,
  logger,
  secretBox,
  requestCipher,
  auditMac,
  now,
  version,
  webRoot,
  demoIsOn,
  background = {},
}: ApiOptions): Promise<ComposedApi> {
  let isDraining = false;
  let isStopping = false;
  const { db, pools } = databases;
  const serverOffset = settings.console.utcOffset;
  const retentionDays = settings.eventRetentionDays;
  const admission = createAdmission({
    groupsBatches: trafficStore.groupsBatches,
    slots: { take: databases.takeSharedSlot, openStream: databases.openStream },
    ...(background.timeoutFactor === undefined ? {} : { timeoutFactor: background.timeoutFactor }),
  });
  const metrics = createMetrics({
    version,
    poolStates: () => poolStates(databases),
    eventStoreAnswers: trafficStore.eventStoreAnswers,
  });
  const { events: eventStore, deliveries: deliveryStore } = trafficStore;
  const about = { title: settings.names.productName, version };
  const openApi = settings.console.hideReference ? null : JSON.stringify(openApiDocument(callAreas, about));

  const google = googleSignIn(settings, logger);
  const passwords = createPasswordHash();
  const readSecret = createReadSecret(secretBox, ({ table, column, id }, fault) => {
    logger.error({ err: fault, table, column, id }, 'Stored secret: cannot be decrypted and counts as not set (enter it again)');
  });
  const jobs = createJobQueue({
    pools,
    onFault: (fault) => logger.warn({ err: fault }, 'Job: failed (will be retried)'),
    ...(background.timings === undefined ? {} : { timings: background.timings }),
  });
  const links = {
    now,
    publicUrl: settings.appUrl,
    sendMail: settings.mail === null ? null : jobs.send,
  };
  const notifyOwner = createNotifyOwner(links);
  const passwordPolicy = createPasswordPolicy(settings.names);
  const identity = composeIdentity({
    databases,
    passwords,
    passwordPolicy,
    now,
    signIn: settings.signIn,
    secretBox,
    readSecret,
    passkeys: createPasskeys({ address: settings.appUrl, name: settings.names.productName }),
    issuer: settings.names.productName,
    google,
    links,
    notifyOwner,
    mail: settings.mail && {
      mailer: createMailer(settings.mail, { senderName: settings.names.productName }),
      productName: settings.names.productName,
      onMailFault: (fault) => logger.warn(fault, 'Mail: could not be sent'),
      ...(background.retrySeconds === undefined ? {} : { retrySeconds: background.retrySeconds }),
    },
    demoIsOn,
  });
  let doesJobs = false;
  const createProvisioner = (): DomainProvisioner =>
    settings.domainProvisioner === 'http'
      ? createHttpProvisioner({ now, networks: settings.provisionerNetworks })
      : createSimulatedProvisioner({ now });
  const appDomains = createAppDomains({
    db,
    jobsDb: databases.jobsDb,
    provisioner: background.provisioner ?? createProvisioner(),
    sendJob: jobs.send,
    now,
    onLeftBehind: (what) => logger.warn(what, 'Domain: could not be removed from its server'),
    ...(background.retrySeconds === undefined ? {} : { retrySeconds: background.retrySeconds }),
  });
  const appPushFile = createAppPushFile({ db, secretBox, now });
  const audit = createAudit({
    databases,
    mac: auditMac,
    anchorFile: createAnchorFile(settings.dataDir),
    now,
    logger,
    serverOffset,
  });
  const apps = createApps({ db, secretBox, readSecret, trafficStore, now, serverOffset });
  const callCounts = createCallCounts({ pools, now });
  const apiTokens = createApiTokens({
    databases,
    now,
    demoIsOn,
    callCounts,
    notifyOwner,
    onWrongNetwork: (use) => logger.warn(use, 'API token: rejected (outside its networks)'),
  });
  const accounts = createAccounts({
    ...links,
    db,
    callCounts,
    passwords,
    passwordPolicy,
    provePassword: identity.provePassword,
    notifyOwner,
    now,
    needsPassword: settings.signIn.methods !== 'google',
    idleMinutes: settings.signIn.idleMinutes,
  });
  const trafficServers = createTrafficServers({ db, secretBox, now });
  const findServerByToken = createServerLookup(databases);
  const serverActivity = createServerActivity({
    opsDb: databases.opsDb,
    now,
    onFault: (fault) => logger.warn({ err: fault }, 'Server activity: could not be stored (kept in memory)'),
  });
  const allRequests = createAllRequests({ db, eventStore, now, serverOffset });
  const postbacks = createPostbacks({ db, pools, eventStore, now, serverOffset });
  const pushes = createPushes({ db, pools, deliveryStore, serverOffset });
  const conversions = createConversions({ db, pools, deliveryStore, serverOffset });
  const ingest = createIngest({
    db: databases.ingestDb,
    eventStore,
    deliveryStore,
    geoIp: openGeoIp(),
    now,
    retentionDays,
    onRows(kind, result, serverId) {
      metrics.rowsIngested(kind, result);
      if (kind === 'events') serverActivity.eventsStored(serverId, result.accepted);
    },
  });
  const logReader = createLogReader({ indexDir: join(settings.dataDir, 'log-index') });
  const reader = createLogDayReader(logReader);
  const edge = createEdge({ db });
  const appHosts = createAppHosts(appHostUrl(settings));
  const devTools = createDevTools({ db, cipher: requestCipher, appHosts, callCounts, now });
  const operations = createOperations({
    settings,
    version,
    now,
    metrics,
    openApi,
    readiness: {
      isStopping: () => isDraining || isStopping,
      databaseAnswers: () => answers(databases),
      isMigrated: () => isMigrated(pools.sessions),
    },
  });

  const consoleOrigin = new URL(settings.appUrl).origin;
  const app = await buildApi({
    logger,
    admission,
    isHttps: settings.appUrl.startsWith('https:'),
    webOrigin: settings.webOrigin,
    isProduction: settings.environment === 'production',
    authenticators: {
      account: async (token, ip) => (await identity.authenticate(token)) ?? apiTokens.authenticate(token, ip),
      async trafficServer(token) {
        const server = await findServerByToken(token);
        if (server) serverActivity.seen(server.serverId);
        return server;
      },
      async pollingServer(token) {
        const server = await edge.authenticate(token);
        if (server) serverActivity.seen(server.serverId);
        return server;
      },
    },
    features: [
      ...identity.features,
      apps,
      accounts,
      trafficServers,
      createAsns({ db }),
      createBlackIps({ db, now, ownAddresses: () => listOwnAddresses(settings.appUrl) }),
      createRoles({ db, now, serverOffset }),
      apiTokens,
      audit,
      createSavedViews({ db, now }),
      createSearch({ db }),
      appDomains,
      appPushFile,
      allRequests,
      postbacks,
      createInvestigation({ db, eventStore, retentionDays }),
      createSubjects({ db, eventStore, deliveryStore, appLog: { reader, dir: settings.logs.appDir }, now }),
      pushes,
      conversions,
      createReports({ db, eventStore, deliveryStore, now, serverOffset, retentionDays }),
      createHome({ db, eventStore, deliveryStore, now, serverOffset }),
      createLogViewer({ db, reader, dir: settings.logs.consoleDir, source: 'log', calls: consoleLog }),
      createLogViewer({ db, reader, dir: settings.logs.appDir, source: 'app_log', calls: appLog }),
      ingest,
      edge,
      devTools,
      operations,
    ],
    appHost: { ...devTools.appHost, origin: consoleOrigin },
    queryFrame: settings.console.hideDocs ? null : { addressOf: appHosts.addressOf, consoleOrigin },
    faults: {
      isDatabaseUnavailable: (error) => isDatabaseUnavailable(error) || eventStoreFaults.isUnavailable(error),
      isPoolTimeout,
      isDatabaseReachable: databases.isReachable,
      isStorageFull: (error) => isStorageFull(error) || eventStoreFaults.isFull(error),
      isStatementTimeout: (error) => isStatementTimeout(error) || eventStoreFaults.isTimeout(error),
    },
    trustedProxies: settings.trustedProxies,
    isStopping: () => isStopping,
    validateQuery: (fields) => timeRangeErrors(fields, serverOffset),
    onFinished: metrics.requestFinished,
    streamOpened: metrics.streamOpened,
    findReauthentication: identity.findReauthentication,
    tokenCall: apiTokens.countCall,
    reference: openApi === null ? null : { document: openApi, title: settings.names.productName },
    webRoot,
    loadsPushImages: settings.console.pushImages,
  });
  app.addHook('preClose', async () => {
    isStopping = true;
  });
  app.addHook('onClose', async () => logReader.close());
  return {
    app,
    beginDrain() {
      isDraining = true;
    },
    beginShutdown() {
      isStopping = true;
    },
    async maintain() {
      await identity.maintain();
      await callCounts.maintain();
      await audit.maintain();
      await serverActivity.flush();
      if (doesJobs) await appDomains.maintain();
      // Last, because it needs more than PostgreSQL.
      await trafficStore.maintain(fromDate(now()));
    },
    async startJobs() {
      await jobs.start([appDomains.worker, ...(identity.mailWorker ? [identity.mailWorker] : [])]);
      doesJobs = true;
      serverActivity.start();
      await appDomains.maintain();
    },
    async stopJobs() {
      doesJobs = false;
      await serverActivity.stop();
      await jobs.stop();
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
    onProviderFault: (fault: Error) => logger.warn({ err: fault }, 'Google sign-in: failed'),
  };
}
