import { endAccountSession, listAccountPermissions, listAccountSessions } from './account-activity.ts';
import { countAllRequests, listAllRequests } from './all-requests.ts';
import { checkNotTaken, createApp, getApp, saveApp } from './app-form.ts';
import { archiveApp, getAppsTotal, listApps, listVerticals, restoreApp } from './apps.ts';
import {
  createBuyer,
  deleteBuyer,
  getBuyer,
  listBuyers,
  listBuyerStreams,
  listReadOnlyBuyers,
  saveBuyer,
  switchBuyerAccess,
} from './buyers.ts';
import { listConversionKinds, listConversions, listConversionStatuses } from './conversions.ts';
import { addAppDomain, removeAppDomain } from './app-domains.ts';
import { savePushFile } from './app-push-file.ts';
import { banAsn, listAsnChanges, listAsns } from './asns.ts';
import { addBlackIps, checkBlackIps, listBlackIps, removeBlackIp } from './black-ips.ts';
import { decodeRequest, encodeRequest, getMobileDocs, sendDevRequest } from './dev-tools.ts';
import { getEdgeConfig } from './edge.ts';
import type { Endpoint } from './endpoint.ts';
import { appLog, consoleLog } from './log-viewer.ts';
import { getConsentUrl, signInWithGoogle } from './google-sign-in.ts';
import { getHome } from './home.ts';
import { listAudit } from './audit.ts';
import { downloadConversions, downloadPushes } from './delivery-exports.ts';
import { ingestConversions, ingestPushes, ingestEvents, ingestStreams } from './ingest.ts';
import { getLiveness, getMetrics, getOpenApi, getReadiness, getReference } from './operations.ts';
import { changeOwnPassword, checkPassword, endOtherSessions, endOwnSession, listOwnSessions } from './own-sessions.ts';
import { countPostbacks, listPostbackFilters, listPostbacks } from './postbacks.ts';
import { listPickApps, listPickBuyers, listPickServers } from './pick-lists.ts';
import { listPushes } from './pushes.ts';
import { downloadAllRequests, downloadPostbacks } from './request-exports.ts';
import { streamAllRequests, streamPostbacks } from './request-streams.ts';
import {
  createRole,
  getRole,
  listBuyerPermissions,
  listBuyerRoles,
  listPermissions,
  listRoles,
  listUserPermissions,
  listUserRoles,
  updateRole,
} from './roles.ts';
import { getServerTime } from './server-time.ts';
import { getSessionUser, signIn, signOut, signOutByGet } from './session.ts';
import { getSettings } from './settings.ts';
import {
  createServer,
  deleteServer,
  getServer,
  getServerSecretDates,
  listServerActivity,
  listServerDependants,
  listServers,
  saveServer,
} from './traffic-servers.ts';
import {
  attachApps,
  createUser,
  deleteUser,
  detachApps,
  getUser,
  listPickUsers,
  listUsers,
  saveUser,
  switchUserAccess,
  syncApps,
} from './users.ts';

/** Every call of the API. The server binds each exactly once, and OpenAPI describes each. */
export const allEndpoints: readonly Endpoint[] = [
  signIn,
  signOutByGet,
  signOut,
  getSessionUser,
  listOwnSessions,
  endOwnSession,
  endOtherSessions,
  changeOwnPassword,
  checkPassword,
  signInWithGoogle,
  getConsentUrl,
  getServerTime,
  getSettings,
  getHome,
  listApps,
  createApp,
  getApp,
  saveApp,
  checkNotTaken,
  listPickApps,
  listPickBuyers,
  listPickServers,
  addAppDomain,
  removeAppDomain,
  savePushFile,
  archiveApp,
  restoreApp,
  getAppsTotal,
  listVerticals,
  listPostbacks,
  downloadPostbacks,
  streamPostbacks,
  countPostbacks,
  listPostbackFilters,
  listAllRequests,
  downloadAllRequests,
  streamAllRequests,
  countAllRequests,
  listPushes,
  downloadPushes,
  listConversions,
  downloadConversions,
  listConversionKinds,
  listConversionStatuses,
  listRoles,
  createRole,
  getRole,
  updateRole,
  listPermissions,
  listUserRoles,
  listBuyerRoles,
  listUserPermissions,
  listBuyerPermissions,
  listAudit,
  listServers,
  createServer,
  getServer,
  saveServer,
  deleteServer,
  listServerActivity,
  listServerDependants,
  getServerSecretDates,
  listAsns,
  banAsn,
  listAsnChanges,
  listBlackIps,
  addBlackIps,
  removeBlackIp,
  checkBlackIps,
  ...Object.values(consoleLog),
  ...Object.values(appLog),
  ingestEvents,
  ingestPushes,
  ingestConversions,
  ingestStreams,
  getEdgeConfig,
  listUsers,
  createUser,
  getUser,
  saveUser,
  deleteUser,
  switchUserAccess,
  listPickUsers,
  attachApps,
  detachApps,
  syncApps,
  listAccountSessions,
  endAccountSession,
  listAccountPermissions,
  listBuyers,
  listReadOnlyBuyers,
  createBuyer,
  getBuyer,
  saveBuyer,
  deleteBuyer,
  switchBuyerAccess,
  listBuyerStreams,
  encodeRequest,
  decodeRequest,
  getMobileDocs,
  sendDevRequest,
  getLiveness,
  getReadiness,
  getMetrics,
  getOpenApi,
  getReference,
];
