import { fromDate } from '@switchyard/contract/dates';
import { downloadApps } from '@switchyard/contract/apps';
import { followAppLog, followConsoleLog, searchAppLog, searchConsoleLog } from '@switchyard/contract/log-search';
import { appLog, consoleLog } from '@switchyard/contract/log-viewer';
import { downloadReport } from '@switchyard/contract/reports';
import { join } from 'node:path';
import { createAnchorFile } from './adapters/audit-anchor.ts';
import { createPasswordPolicy } from './adapters/common-passwords.ts';
import { createSimulatedProvisioner, type DomainProvisioner } from './adapters/domain-provisioner/domain-provisioner.ts';
import { createHttpProvisioner } from './adapters/domain-provisioner/http-provisioner.ts';
import { openGeoIp } from './adapters/geo-ip.ts';
import { createSecretHider } from './adapters/log-files/hide-secrets.ts';
import { createLogReader } from './adapters/log-files/log-reader.ts';
import { createLogDayReader, type LogDayReader } from './adapters/log-files/read-log-day.ts';
import { createMailer } from './adapters/mailer.ts';
import type { PasswordHash } from './adapters/password-hash.ts';
import { createPinnedPost } from './adapters/pinned-post.ts';
import { createReadSecret } from './adapters/read-secret.ts';
import type { RequestCipher } from './adapters/request-cipher.ts';
import type { Announce } from './announcement.ts';
import type { AppHosts } from './app-hosts.ts';
import { createBackground } from './background.ts';
import { composeIdentity } from './compose-identity.ts';
import { createCallCounts } from './database/call-counts.ts';
import type { Databases } from './database/connect.ts';
import type { Settings } from './env.ts';
import { listOwnAddresses, createBlackIps } from './features/black-ips/create-black-ips.ts';
import { createAccounts } from './features/accounts/create-accounts.ts';
import { createAlerts } from './features/alerts/create-alerts.ts';
import { createAllRequests } from './features/all-requests/create-all-requests.ts';
import { createAppDomains } from './features/app-domains/create-app-domains.ts';
import { createAppPushFile } from './features/app-push-file/create-app-push-file.ts';
import type { BulkEntity } from './bulk-rows.ts';
import { createBulkApps } from './features/apps/bulk-app-commands.ts';
import { createApps } from './features/apps/create-apps.ts';
import { createAudit } from './features/audit/create-audit.ts';
import { createAuditSeals } from './features/audit-seals/create-audit-seals.ts';
import { createApiTokens } from './features/api-tokens/create-api-tokens.ts';
import { createBulkAccounts, createStaffCommands } from './features/accounts/bulk-account-commands.ts';
import { createAsnRegistry } from './features/asns/asn-registry-lookup.ts';
import { createFillEvents } from './features/asns/fill-events.ts';
import { parseStored } from './http/parse-input.ts';
import { createPacedJob, type PacedJob } from './jobs/paced-job.ts';
import { createBulkAsns } from './features/asns/bulk-asn-commands.ts';
import { createBulkBlackIps } from './features/black-ips/bulk-black-ip-commands.ts';
import { createBulk } from './features/bulk/create-bulk.ts';
import { createAsns } from './features/asns/create-asns.ts';
import { createChannels, type Channels } from './features/channels/create-channels.ts';
import { createSend } from './features/channels/send-message.ts';
import { createConversions } from './features/conversions/create-conversions.ts';
import { createDashboard } from './features/dashboard/create-dashboard.ts';
import { countOncePerMoment } from './features/dashboard/count-once.ts';
import { createDevTools } from './features/dev-tools/create-dev-tools.ts';
import { createEdge } from './features/edge/create-edge.ts';
import { createHome } from './features/home/create-home.ts';
import { createMarks } from './features/marks/create-marks.ts';
import { createIngest } from './features/ingest/create-ingest.ts';
import { createRequestById } from './features/subjects/create-request-by-id.ts';
import { createSubjects } from './features/subjects/create-subjects.ts';
import { createLogFollow } from './features/log-viewer/create-log-follow.ts';
import { createLogSearch } from './features/log-viewer/create-log-search.ts';
import { createShowings } from './features/log-viewer/log-commands.ts';
import { createLogViewer } from './features/log-viewer/create-log-viewer.ts';
import { createPostbacks } from './features/postbacks/create-postbacks.ts';
import { createPushes } from './features/pushes/create-pushes.ts';
import { createReports, type Reports } from './features/reports/create-reports.ts';
import { createRoles } from './features/roles/create-roles.ts';
import { createSavedViews } from './features/saved-views/create-saved-views.ts';
import { createSchedules } from './features/schedules/create-schedules.ts';
import { createSearch } from './features/search/create-search.ts';
import { createNotifyOwner } from './features/security-mails/security-mails-lookup.ts';
import { createTrafficServers } from './features/traffic-servers/create-traffic-servers.ts';
import { createServerActivity, type ServerActivityLog } from './features/traffic-servers/server-activity-store.ts';
import { createServerLookup } from './features/traffic-servers/server-token-lookup.ts';
import { createStreams } from './features/streams/create-streams.ts';
import { createViewAs } from './features/view-as/create-view-as.ts';
import type { Admission } from './http/admission.ts';
import type { Authenticators } from './http/authenticate.ts';
import type { Feature } from './http/bind.ts';
import { createJobQueue, type JobTimings } from './jobs/job-queue.ts';
import type { Log } from './observability/logging.ts';
import type { Metrics } from './observability/metrics.ts';
import { createLoadAuditKeys } from './secret-keys/derived-keys.ts';
import type { HeldKeys } from './secret-keys/held-keys.ts';
import { createSealSecret } from './secret-keys/seal-secret.ts';
import type { TrafficStore } from '@switchyard/traffic-store/traffic-store';

export type FeatureOptions = {
  settings: Settings;
  databases: Databases;
  trafficStore: TrafficStore;
  logger: Log['logger'];
  /** Encrypt what is stored secret, and sign the audit trail. */
  keys: HeldKeys;
  /** Encodes what devices and the developer page exchange. */
  requestCipher: RequestCipher;
  passwords: PasswordHash;
  now: () => Date;
  /** Whether accounts of the demo can sign in. */
  demoIsOn: boolean;
  /** Informs channels about incidents; for tests. */
  announce?: Announce;
  /** How jobs and links are done, and how many times longer calls may wait, other than usual; for tests. */
  background?: {
    timings?: JobTimings;
    provisioner?: DomainProvisioner;
    retrySeconds?: readonly number[];
    timeoutFactor?: number;
    /** Address of the Bot API, and for how long an attempt to send a message may last. */
    channels?: { telegramUrl?: string; timeoutMilliseconds?: number };
  };
};

type SharedParts = ReturnType<typeof createShared>;

/** Creates every feature of accounts, apps, servers and traffic, and what they share. */
export function composeFeatures(options: FeatureOptions & { metrics: Metrics; appHosts: AppHosts; slots: Admission['interactive'] }) {
  const { settings, databases, now } = options;
  const { db } = databases;
  const sharedParts = createShared(options);
  const channels = composeChannels(options, sharedParts);
  const announce = options.announce ?? channels.announce;
  const people = composePeople({ ...options, announce }, sharedParts);
  const servers = composeServers(options, sharedParts, people.bulkAccounts);
  const logReader = createLogReader({ indexDir: join(settings.dataDir, 'log-index'), secrets: settings.logs.secrets });
  const hider = createSecretHider(settings.logs.secrets);
  const reader = createLogDayReader(logReader);
  const recordShowing = createShowings(db);
  const devTools = createDevTools({
    db,
    cipher: options.requestCipher,
    appHosts: options.appHosts,
    callCounts: sharedParts.callCounts,
    now,
  });
  const traffic = composeTraffic(options, { reader, activity: servers.activity });
  const schedules = composeSchedules(options, sharedParts, { apps: servers.apps, reports: traffic.reports, channels });
  const alerts = createAlerts({
    db,
    takeSharedSlot: databases.takeSharedSlot,
    eventStore: options.trafficStore.events,
    deliveryStore: options.trafficStore.deliveries,
    serverOffset: settings.console.utcOffset,
    retentionDays: settings.eventRetentionDays,
    countSealProblems: people.seals.countProblems,
    logDir: settings.logs.consoleDir,
    now,
    announce,
    onFault: (fault, kind) =>
      options.logger.warn(
        { err: fault },
        `Alerts: ${kind === undefined ? 'rules' : `rules of ${kind}`} could not be evaluated (retried in a minute)`,
      ),
  });
  const features: Feature[] = [
    ...people.features,
    ...servers.features,
    ...traffic.features,
    createLogViewer({ db, reader, hider, dir: settings.logs.consoleDir, source: 'log', calls: consoleLog, recordShowing }),
    createLogViewer({ db, reader, hider, dir: settings.logs.appDir, source: 'app_log', calls: appLog, recordShowing }),
    createLogSearch({
      recordShowing,
      reader: logReader,
      logs: [
        { dir: settings.logs.consoleDir, source: 'log', call: searchConsoleLog },
        { dir: settings.logs.appDir, source: 'app_log', call: searchAppLog },
      ],
      now,
    }),
    createLogFollow({
      recordShowing,
      now,
      reader: logReader,
      logs: [
        { dir: settings.logs.consoleDir, source: 'log', call: followConsoleLog },
        { dir: settings.logs.appDir, source: 'app_log', call: followAppLog },
      ],
    }),
    createSearch({ db }),
    alerts,
    channels,
    schedules,
    devTools,
  ];
  const { activity } = servers;
  return {
    features,
    background: createBackground(
      [
        ...features,
        ...people.identity.background,
        sharedParts.callCounts,
        { maintain: activity.flush, start: activity.start, stop: activity.stop },
        ...traffic.pacedJobs,
      ],
      sharedParts.jobs,
    ),
    authenticators: { account: people.authenticate, ...servers.authenticators },
    findReauthentication: people.identity.findReauthentication,
    tokenCall: people.tokenCall,
    sealProblems: () => people.seals.countProblems() ?? 0,
    appHost: devTools.appHost,
    evaluateAlerts: alerts.evaluate,
    close: async () => logReader.close(),
  };
}

/** Parts that several features use. */
function createShared({ settings, databases: { pools }, logger, keys, now, background }: FeatureOptions) {
  const jobs = createJobQueue({
    pools,
    onFault: (fault) => logger.warn({ err: fault }, 'Job: failed (will be retried)'),
    timings: background?.timings,
  });
  const links = { now, publicUrl: settings.appUrl, sendMail: settings.mail === null ? null : jobs.send };
  return {
    jobs,
    links,
    notifyOwner: createNotifyOwner(links),
    callCounts: createCallCounts({ pools, now }),
    sealSecret: createSealSecret(keys),
    readSecret: createReadSecret(keys, ({ table, column, id }, fault) => {
      logger.error({ err: fault, table, column, id }, 'Stored secret: cannot be decrypted and counts as not set (enter it again)');
    }),
  };
}

/** Features of accounts: signing in, roles, tokens, saved views and the audit trail. */
function composePeople(
  options: FeatureOptions & { metrics: Metrics; announce: Announce },
  { links, notifyOwner, callCounts, ...secrets }: SharedParts,
) {
  const { settings, databases, logger, passwords, now, demoIsOn, announce } = options;
  const { db } = databases;
  const serverOffset = settings.console.utcOffset;
  const common = { now, notifyOwner, passwords, passwordPolicy: createPasswordPolicy(settings.names) };
  const identity = composeIdentity({ ...options, ...common, ...secrets, links, retrySeconds: options.background?.retrySeconds });
  const apiTokens = createApiTokens({
    databases,
    now,
    demoIsOn,
    callCounts,
    notifyOwner,
    onWrongNetwork: (use) => logger.warn(use, 'API token: rejected (outside its networks)'),
  });
  const accountParts = {
    ...links,
    ...common,
    db,
    callCounts,
    provePassword: identity.provePassword,
    needsPassword: settings.signIn.methods !== 'google',
    idleMinutes: settings.signIn.idleMinutes,
    announce,
  };
  const anchorFile = createAnchorFile(settings.dataDir);
  const audit = createAudit({ db: databases.db, serverOffset });
  const seals = createAuditSeals({ databases, loadKeys: createLoadAuditKeys(options.keys), anchorFile, now, logger });
  const viewAs = createViewAs({ databases, now, demoIsOn, idleMinutes: settings.signIn.idleMinutes });
  const others = [viewAs, createRoles({ db, pools: databases.pools, now, demoIsOn, serverOffset }), createSavedViews({ db, now })];
  return {
    features: [...identity.features, createAccounts({ ...accountParts, serverOffset }), apiTokens, audit, seals, ...others],
    bulkAccounts: createBulkAccounts(accountParts),
    identity,
    seals,
    authenticate: async (token: string, ip: string) =>
      (await identity.authenticate(token)) ?? (await viewAs.authenticate(token)) ?? apiTokens.authenticate(token, ip),
    tokenCall: apiTokens.countCall,
  };
}

/** Channels, on which messages leave the console. */
function composeChannels(options: FeatureOptions & { metrics: Metrics }, { jobs, callCounts, sealSecret, readSecret }: SharedParts) {
  const { settings, databases, logger, metrics, now, demoIsOn, background = {} } = options;
  const { productName } = settings.names;
  const names = { productName, publicUrl: settings.appUrl };
  const addresses = { networks: settings.channelNetworks, needsTls: settings.environment === 'production' };
  const send = createSend({
    ...names,
    ...background.channels,
    mailer: settings.mail && createMailer(settings.mail, { senderName: productName }),
    hasInbox: demoIsOn,
    post: createPinnedPost(addresses),
    now,
  });
  return createChannels({
    ...names,
    db: databases.db,
    jobsDb: databases.jobsDb,
    now,
    sealSecret,
    readSecret,
    sendJob: jobs.send,
    send,
    callCounts,
    addresses,
    sendsMail: settings.mail !== null,
    retrySeconds: background.retrySeconds,
    onMessageFault(fault) {
      metrics.channelFailed(fault.isFinal);
      logger.warn(fault, 'Channel: message could not be sent');
    },
    onFault: (fault) => logger.warn({ err: fault }, 'Channel: sending was interrupted (will be continued)'),
  });
}

/** Saved views that are mailed as files: those of the lists themselves, with the parameters of their downloads. */
function composeSchedules(
  { settings, databases, logger, now, demoIsOn, metrics }: FeatureOptions & { metrics: Metrics },
  { jobs }: SharedParts,
  { apps, reports, channels }: { apps: ReturnType<typeof createApps>; reports: Reports; channels: Channels },
) {
  const { productName } = settings.names;
  return createSchedules({
    productName,
    publicUrl: settings.appUrl,
    db: databases.db,
    jobsDb: databases.jobsDb,
    pools: databases.pools,
    sendJob: jobs.send,
    announce: channels.announce,
    sendsMail: settings.mail !== null || demoIsOn,
    keepMail: settings.mail === null && demoIsOn ? channels.keepMail : null,
    mailer: settings.mail && createMailer(settings.mail, { senderName: productName }),
    serverOffset: settings.console.utcOffset,
    demoIsOn,
    now,
    files: {
      reports: async (caller, { rawQuery, asOf, writeText }, signal) => {
        const query = parseStored(downloadReport.query, rawQuery);
        return reports.writeFile({ query, caller, request: null, asOf, writeText }, signal);
      },
      apps: async (caller, { rawQuery, writeText }, signal) => ({
        body: await apps.writeFile({ query: parseStored(downloadApps.query, rawQuery), caller, request: null, writeText }, signal),
      }),
    },
    onMailFault(fault) {
      metrics.mailFailed(fault.isFinal);
      logger.warn(fault, 'Scheduled report: could not be sent');
    },
  });
}

/** Features of apps, traffic servers and what these fetch. */
function composeServers(options: FeatureOptions, { jobs, sealSecret, readSecret }: SharedParts, bulkAccounts: BulkEntity) {
  const { settings, databases, trafficStore, logger, now, demoIsOn, background = {} } = options;
  const { db } = databases;
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
    onLeftBehind: (link) => logger.warn(link, 'Domain: could not be removed from its server'),
    retrySeconds: background.retrySeconds,
  });
  const { changeDomain: changeLinkedDomain } = appDomains.commands;
  const protection = { ownAddresses: () => listOwnAddresses(settings.appUrl), protectedNetworks: settings.protectedNetworks };
  const bulk = createBulk({
    db,
    jobsDb: databases.jobsDb,
    sendJob: jobs.send,
    now,
    demoIsOn,
    entities: [
      createBulkApps({
        sealSecret,
        readSecret,
        now,
        trafficStore,
        changeLinkedDomain,
        commands: { ...appDomains.commands, staff: createStaffCommands({ now }) },
      }),
      createBulkAsns({ eventStore: trafficStore.events, now, serverOffset: settings.console.utcOffset }),
      createBulkBlackIps({ now, protection }),
      bulkAccounts,
    ],
  });
  const activity = createServerActivity({
    opsDb: databases.opsDb,
    now,
    onFault: (fault) => logger.warn({ err: fault }, 'Server activity: could not be stored (kept in memory)'),
  });
  const edge = createEdge({ db, now });
  const withActivity =
    (find: Authenticators['trafficServer']): Authenticators['trafficServer'] =>
    async (token) => {
      const server = await find(token);
      if (server) activity.markSeen(server.serverId);
      return server;
    };
  const apps = createApps({ db, sealSecret, readSecret, trafficStore, changeLinkedDomain, now, serverOffset: settings.console.utcOffset });
  return {
    apps,
    features: [
      apps,
      createAppPushFile({ db, sealSecret, readSecret, now }),
      appDomains,
      createTrafficServers({ db, sealSecret, readSecret, now, serverOffset: settings.console.utcOffset }),
      createAsns({
        db,
        eventStore: trafficStore.events,
        now,
        serverOffset: settings.console.utcOffset,
        fillsSystems: fillsSystems(settings),
      }),
      createBlackIps({ db, now, protection }),
      edge,
      bulk,
    ],
    activity,
    authenticators: { trafficServer: withActivity(createServerLookup(databases)), pollingServer: withActivity(edge.authenticate) },
  };
}

/** Whether systems of earlier events are filled in; a cluster of ClickHouse cannot. */
function fillsSystems({ asnFillPercent, eventStore }: Settings): boolean {
  return asnFillPercent > 0 && !(eventStore.kind === 'clickhouse' && eventStore.cluster !== null);
}

/** Share of the time in which places of deliveries are checked, and how often that is looked for. */
const placeCheckPercent = 20;
const placeCheckIdleMilliseconds = 1000;
/** Conversions that an earlier version stored are counted by kind afterwards. */
const kindCountPercent = 20;
const kindCountIdleMilliseconds = 600_000;

/** Features that take in traffic, list it and count it. */
function composeTraffic(
  {
    settings,
    databases,
    trafficStore,
    logger,
    now,
    metrics,
    slots,
  }: FeatureOptions & { metrics: Metrics; slots: Admission['interactive'] },
  { reader, activity }: { reader: LogDayReader; activity: ServerActivityLog },
): { features: Feature[]; reports: Reports; pacedJobs: PacedJob[] } {
  const { db, pools } = databases;
  const asnRegistry = createAsnRegistry({
    pools,
    listen: databases.listen,
    onProblem: (error) => logger.warn({ err: error }, 'ASN registry: could not be read again (events get the systems of the previous one)'),
  });
  const common = {
    db,
    pools,
    eventStore: trafficStore.events,
    deliveryStore: trafficStore.deliveries,
    now,
    serverOffset: settings.console.utcOffset,
    retentionDays: settings.eventRetentionDays,
  };
  const ingest = createIngest({
    ...common,
    db: databases.ingestDb,
    geoIp: openGeoIp(),
    asnRegistry,
    onRows(kind, result, serverId) {
      metrics.rowsIngested(kind, result);
      if (kind === 'events') activity.eventsStored(serverId, result.accepted);
    },
  });
  const reporting = { ...common, currency: settings.currency, countsPeriodsTogether: settings.eventStore.kind === 'clickhouse' };
  const reports = createReports(reporting);
  const features = [
    ingest,
    createAllRequests(common),
    createPostbacks(common),
    createPushes(common),
    createConversions(common),
    createRequestById(common),
    createSubjects({ ...common, appLog: { reader, dir: settings.logs.appDir } }),
    reports,
    createStreams(common),
    createHome(common),
    createMarks(common),
    createDashboard({
      db,
      now,
      slots,
      readReport: createReports({ ...reporting, ...countOncePerMoment(trafficStore.events, now) }).read,
      onFault: (fault) => logger.error({ err: fault }, 'Tile: report could not be counted'),
    }),
  ];
  const fillEvents = createFillEvents({
    eventStore: trafficStore.events,
    asnRegistry,
    takeSharedSlot: databases.takeSharedSlot,
    percent: fillsSystems(settings) ? settings.asnFillPercent : 0,
    onFault: (fault) => logger.warn({ err: fault }, 'Systems of earlier events: could not be filled in (will be continued)'),
  });
  const placeDeliveries = createPacedJob({
    slot: 'places',
    takeSharedSlot: databases.takeSharedSlot,
    hasWork: async () => true,
    step: async () => trafficStore.deliveries.updatePlaces(fromDate(now())),
    percent: placeCheckPercent,
    idleMilliseconds: placeCheckIdleMilliseconds,
    onFault: (fault) => logger.warn({ err: fault }, 'Places of deliveries: could not be checked (will be continued)'),
  });
  const countKinds = createPacedJob({
    slot: 'kinds',
    takeSharedSlot: databases.takeSharedSlot,
    hasWork: async () => true,
    step: async () => trafficStore.deliveries.updateKindCounts(),
    percent: kindCountPercent,
    idleMilliseconds: kindCountIdleMilliseconds,
    onFault: (fault) => logger.warn({ err: fault }, 'Kinds of conversions: could not be counted (will be continued)'),
  });
  return { features, reports, pacedJobs: [fillEvents, placeDeliveries, countKinds] };
}
