import * as accountActivity from './account-activity.ts';
import * as accountLinks from './account-links.ts';
import * as accountTokens from './account-tokens.ts';
import * as alerts from './alerts.ts';
import * as allRequests from './all-requests.ts';
import * as appDomains from './app-domains.ts';
import * as appForm from './app-form.ts';
import * as appPushFile from './app-push-file.ts';
import * as apiTokens from './api-tokens.ts';
import * as apps from './apps.ts';
import * as asns from './asns.ts';
import * as audit from './audit.ts';
import * as auditSeals from './audit-seals.ts';
import { getBuyerBelongings, getUserBelongings } from './belongings.ts';
import * as blackIps from './black-ips.ts';
import * as blackListImport from './black-list-import.ts';
import * as blackList from './black-list.ts';
import * as bulk from './bulk.ts';
import * as boards from './boards.ts';
import * as buyers from './buyers.ts';
import * as channels from './channels.ts';
import * as conversions from './conversions.ts';
import * as deliveryExports from './delivery-exports.ts';
import * as dashboard from './dashboard.ts';
import * as devTools from './dev-tools.ts';
import * as edge from './edge.ts';
import type { Endpoint } from './endpoint.ts';
import * as googleSignIn from './google-sign-in.ts';
import { appHistory, buyerHistory, roleHistory, serverHistory, userHistory } from './history.ts';
import * as home from './home.ts';
import * as incidentLists from './incident-lists.ts';
import * as ingest from './ingest.ts';
import * as requestById from './request-by-id.ts';
import * as invitations from './invitations.ts';
import * as logSearch from './log-search.ts';
import { appLog, consoleLog } from './log-viewer.ts';
import * as operations from './operations.ts';
import * as ownSessions from './own-sessions.ts';
import { findPickApps, findPickBuyers, listPickApps, listPickBuyers, listPickServers } from './pick-lists.ts';
import * as postbacks from './postbacks.ts';
import * as pushes from './pushes.ts';
import * as reports from './reports.ts';
import { downloadAllRequests, downloadPostbacks } from './request-exports.ts';
import { streamAllRequests, streamPostbacks } from './request-streams.ts';
import * as roles from './roles.ts';
import * as losses from './losses.ts';
import * as marks from './marks.ts';
import * as savedViews from './saved-views.ts';
import * as schedules from './schedules.ts';
import * as search from './search.ts';
import * as secondFactors from './second-factors.ts';
import * as securityMails from './security-mails.ts';
import * as serverTime from './server-time.ts';
import * as session from './session.ts';
import * as settings from './settings.ts';
import * as signInRules from './sign-in-rules.ts';
import * as subjects from './subjects.ts';
import { topOfAllRequests, topOfPostbacks } from './top-values.ts';
import * as trafficServers from './traffic-servers.ts';
import * as users from './users.ts';
import * as viewAs from './view-as.ts';
import { listHolders, whoCan } from './who-can.ts';

/** Calls that the API reference shows together. */
export type CallArea = { readonly name: string; readonly description: string; readonly calls: readonly Endpoint[] };

const { listOwnTokens, createOwnToken, revokeOwnToken, ...serviceAccounts } = apiTokens;
const ownTokens = { listOwnTokens, createOwnToken, revokeOwnToken };
const { inviteBuyer, ...invitationsOfUsers } = invitations;

/**
 * Every call of the API in its area: all that the modules of the area define. The server binds each exactly once, and OpenAPI
 * describes each.
 */
export const callAreas: readonly CallArea[] = [
  {
    name: 'Session',
    description: 'Sign in and out, the own account and its sessions',
    calls: callsOf(session, ownSessions, secondFactors, securityMails, googleSignIn, accountLinks, ownTokens),
  },
  { name: 'Console', description: 'Home, search and saved views', calls: callsOf(home, dashboard, boards, search, savedViews, losses) },
  {
    name: 'Settings and time',
    description: 'What the console is configured to, and the time of its server',
    calls: callsOf(serverTime, settings),
  },
  {
    name: 'Apps',
    description: 'Apps, their domains and statistics',
    calls: callsOf(apps, appForm, appDomains, appPushFile, appHistory, { listPickApps, findPickApps }),
  },
  {
    name: "An app's traffic",
    description: 'Events, pushes and conversions of one app',
    calls: callsOf(postbacks, pushes, conversions, deliveryExports, { downloadPostbacks, streamPostbacks, topOfPostbacks }),
  },
  {
    name: 'All requests',
    description: 'Requests of all apps within the scope of the caller',
    calls: callsOf(allRequests, requestById, { downloadAllRequests, streamAllRequests, topOfAllRequests }),
  },
  {
    name: 'Clients and addresses',
    description: 'What one client or one address did in the apps within the scope of the caller',
    calls: callsOf(subjects),
  },
  { name: 'Reports', description: 'Traffic grouped, summed and compared', calls: callsOf(reports, schedules) },
  {
    name: 'Roles',
    description: 'Roles and the permissions they grant, service accounts',
    calls: callsOf(roles, roleHistory, serviceAccounts, signInRules, { whoCan, listHolders }, viewAs),
  },
  {
    name: 'Users',
    description: 'Staff accounts, their access to apps and their sessions',
    calls: callsOf(users, { getUserBelongings }, userHistory, accountActivity, accountTokens, invitationsOfUsers),
  },
  {
    name: 'Buyers',
    description: 'Accounts of buyers and their streams',
    calls: callsOf(buyers, { getBuyerBelongings }, buyerHistory, { listPickBuyers, findPickBuyers, inviteBuyer }),
  },
  { name: 'Servers', description: 'Traffic servers and their secrets', calls: callsOf(trafficServers, serverHistory, { listPickServers }) },
  { name: 'Autonomous systems', description: 'Autonomous systems and their bans', calls: callsOf(asns) },
  { name: 'Black list', description: 'Addresses and networks that are black-listed', calls: callsOf(blackIps, blackList, blackListImport) },
  { name: 'Bulk changes', description: 'Changes of many rows with a check before and an undo after', calls: callsOf(bulk) },
  { name: 'Alerts', description: 'Rules, incidents and silences', calls: callsOf(alerts, incidentLists) },
  { name: 'Channels', description: 'Destinations for messages', calls: callsOf(channels) },
  { name: 'Marks', description: 'Changes, incidents and notes over time, and the traffic around changes', calls: callsOf(marks) },
  { name: 'Audit trail', description: 'Who changed what', calls: callsOf(audit, auditSeals) },
  { name: 'Logs', description: 'Daily log files of the console and of the app service', calls: callsOf(consoleLog, appLog, logSearch) },
  {
    name: 'Developer tools',
    description: 'Encode and decode requests, and the documentation for apps',
    calls: callsOf(devTools),
  },
  {
    name: 'Ingestion',
    description: 'Calls of traffic servers: ingestion and configuration',
    calls: callsOf(ingest, edge),
  },
  { name: 'Operations', description: 'Health, metrics and the description of the API', calls: callsOf(operations) },
];

export const allEndpoints: readonly Endpoint[] = callAreas.flatMap(({ calls }) => calls);

/** The calls among these exports, by number. */
function callsOf(...exports: readonly object[]): Endpoint[] {
  return exports
    .flatMap((module): unknown[] => Object.values(module))
    .filter(isEndpoint)
    .toSorted((one, other) => one.number - other.number);
}

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'number' in value && 'method' in value && 'path' in value;
}
