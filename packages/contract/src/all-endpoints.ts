import {
  endAccountSession,
  listAccountFactors,
  listFactorStates,
  listAccountPermissions,
  listAccountSessions,
  resetAccountFactors,
} from './account-activity.ts';
import { listAccountTokens, listTokens, revokeToken } from './account-tokens.ts';
import {
  acceptInvitation,
  getPasswordResetOptions,
  requestPasswordReset,
  resetPassword,
  showInvitation,
  showPasswordReset,
} from './account-links.ts';
import { getInvitation, inviteBuyer, inviteUser, renewInvitation, withdrawInvitation } from './invitations.ts';
import { countAllRequests, listAllRequests } from './all-requests.ts';
import { checkNotTaken, createApp, getApp, saveApp } from './app-form.ts';
import { archiveApp, downloadApps, getAppDays, getAppsTotal, listApps, listVerticals, restoreApp } from './apps.ts';
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
import {
  downloadAddressTimeline,
  downloadClientTimeline,
  getAddressSummary,
  getClientSummary,
  listAddressTimeline,
  listClientTimeline,
} from './subjects.ts';
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
import {
  createOwnToken,
  createServiceAccount,
  deleteServiceAccount,
  listOwnTokens,
  listServiceAccounts,
  renewServiceSecret,
  revokeOwnToken,
  updateServiceAccount,
} from './api-tokens.ts';
import { getHome } from './home.ts';
import { getRequest } from './investigation.ts';
import { listAudit } from './audit.ts';
import { acknowledgeSealLoss, downloadAudit, getAuditSeal, verifyAuditSeals } from './audit-seals.ts';
import { downloadConversions, downloadPushes } from './delivery-exports.ts';
import { ingestConversions, ingestPushes, ingestEvents, ingestStreams } from './ingest.ts';
import { getLiveness, getMetrics, getOpenApi, getReadiness, getReference } from './operations.ts';
import { changeOwnPassword, checkPassword, endOtherSessions, endOwnSession, listOwnSessions } from './own-sessions.ts';
import { countPostbacks, listPostbackFilters, listPostbacks } from './postbacks.ts';
import { listPickApps, listPickBuyers, listPickServers } from './pick-lists.ts';
import { listPushes } from './pushes.ts';
import { downloadReport, getReport } from './reports.ts';
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
import { listSecurityMails, switchSecurityMail } from './security-mails.ts';
import { getSignInRules, saveSignInRules } from './sign-in-rules.ts';
import { getServerTime } from './server-time.ts';
import { searchConsole } from './search.ts';
import { chooseDefaultView, createView, deleteView, listViews, updateView } from './saved-views.ts';
import {
  beginPasskey,
  beginPasskeySignIn,
  beginTotp,
  confirmPasskey,
  confirmTotp,
  finishSignIn,
  getOwnPasskeyOptions,
  getPasskeyOptionsOfSignIn,
  listOwnFactors,
  reauthenticate,
  removeFactor,
  renameFactor,
  renewRecoveryCodes,
  signInWithPasskey,
} from './second-factors.ts';
import { getSessionUser, signIn, signOut, signOutByGet } from './session.ts';
import { getSettings } from './settings.ts';
import { topOfAllRequests, topOfPostbacks } from './top-values.ts';
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

/** Calls that the API reference shows together. */
export type CallArea = { readonly name: string; readonly description: string; readonly calls: readonly Endpoint[] };

/** Every call of the API in its area. The server binds each exactly once, and OpenAPI describes each. */
export const callAreas: readonly CallArea[] = [
  {
    name: 'Session',
    description: 'Sign in and out, the own account and its sessions',
    calls: [
      signIn,
      signOutByGet,
      signOut,
      getSessionUser,
      listOwnSessions,
      endOwnSession,
      endOtherSessions,
      finishSignIn,
      getPasskeyOptionsOfSignIn,
      beginPasskeySignIn,
      signInWithPasskey,
      reauthenticate,
      getOwnPasskeyOptions,
      listOwnFactors,
      beginTotp,
      confirmTotp,
      beginPasskey,
      confirmPasskey,
      renameFactor,
      removeFactor,
      renewRecoveryCodes,
      listSecurityMails,
      switchSecurityMail,
      listOwnTokens,
      createOwnToken,
      revokeOwnToken,
      changeOwnPassword,
      checkPassword,
      signInWithGoogle,
      getConsentUrl,
      showInvitation,
      acceptInvitation,
      requestPasswordReset,
      resetPassword,
      showPasswordReset,
      getPasswordResetOptions,
    ],
  },
  {
    name: 'Console',
    description: 'Home, search and saved views',
    calls: [getHome, searchConsole, listViews, createView, updateView, deleteView, chooseDefaultView],
  },
  {
    name: 'Settings and time',
    description: 'What the console is configured to, and the time of its server',
    calls: [getServerTime, getSettings],
  },
  {
    name: 'Apps',
    description: 'Apps, their domains and statistics',
    calls: [
      listApps,
      createApp,
      getApp,
      saveApp,
      checkNotTaken,
      listPickApps,
      addAppDomain,
      removeAppDomain,
      savePushFile,
      archiveApp,
      restoreApp,
      getAppsTotal,
      getAppDays,
      downloadApps,
      listVerticals,
    ],
  },
  {
    name: "An app's traffic",
    description: 'Events, pushes and conversions of one app',
    calls: [
      listPostbacks,
      downloadPostbacks,
      streamPostbacks,
      countPostbacks,
      topOfPostbacks,
      listPostbackFilters,
      listPushes,
      downloadPushes,
      listConversions,
      downloadConversions,
      listConversionKinds,
      listConversionStatuses,
    ],
  },
  {
    name: 'All requests',
    description: 'Requests of all apps within the scope of the caller',
    calls: [listAllRequests, downloadAllRequests, streamAllRequests, countAllRequests, getRequest, topOfAllRequests],
  },
  {
    name: 'Clients and addresses',
    description: 'What one client or one address did in the apps within the scope of the caller',
    calls: [getClientSummary, listClientTimeline, downloadClientTimeline, getAddressSummary, listAddressTimeline, downloadAddressTimeline],
  },
  {
    name: 'Reports',
    description: 'Traffic grouped, summed and compared',
    calls: [getReport, downloadReport],
  },
  {
    name: 'Roles',
    description: 'Roles and the permissions they grant, service accounts',
    calls: [
      listServiceAccounts,
      createServiceAccount,
      updateServiceAccount,
      renewServiceSecret,
      deleteServiceAccount,
      listRoles,
      createRole,
      getRole,
      updateRole,
      listPermissions,
      listUserRoles,
      listBuyerRoles,
      listUserPermissions,
      listBuyerPermissions,
      getSignInRules,
      saveSignInRules,
    ],
  },
  {
    name: 'Users',
    description: 'Staff accounts, their access to apps and their sessions',
    calls: [
      listTokens,
      revokeToken,
      listAccountTokens,
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
      resetAccountFactors,
      listAccountFactors,
      listFactorStates,
      inviteUser,
      renewInvitation,
      withdrawInvitation,
      getInvitation,
    ],
  },
  {
    name: 'Buyers',
    description: 'Accounts of buyers and their streams',
    calls: [
      listPickBuyers,
      inviteBuyer,
      listBuyers,
      listReadOnlyBuyers,
      createBuyer,
      getBuyer,
      saveBuyer,
      deleteBuyer,
      switchBuyerAccess,
      listBuyerStreams,
    ],
  },
  {
    name: 'Servers',
    description: 'Traffic servers and their secrets',
    calls: [
      listPickServers,
      listServers,
      createServer,
      getServer,
      saveServer,
      deleteServer,
      listServerActivity,
      listServerDependants,
      getServerSecretDates,
    ],
  },
  {
    name: 'Autonomous systems',
    description: 'Autonomous systems and their bans',
    calls: [listAsns, banAsn, listAsnChanges],
  },
  {
    name: 'Black list',
    description: 'Addresses that are black-listed',
    calls: [listBlackIps, addBlackIps, removeBlackIp, checkBlackIps],
  },
  {
    name: 'Audit trail',
    description: 'Who changed what',
    calls: [listAudit, getAuditSeal, downloadAudit, verifyAuditSeals, acknowledgeSealLoss],
  },
  {
    name: 'Logs',
    description: 'Daily log files of the console and of the app service',
    calls: [...Object.values(consoleLog), ...Object.values(appLog)],
  },
  {
    name: 'Developer tools',
    description: 'Encode and decode requests, and the documentation for apps',
    calls: [encodeRequest, decodeRequest, getMobileDocs, sendDevRequest],
  },
  {
    name: 'Ingestion',
    description: 'Calls of traffic servers: what they hand in, and what they are configured to',
    calls: [ingestEvents, ingestPushes, ingestConversions, ingestStreams, getEdgeConfig],
  },
  {
    name: 'Operations',
    description: 'Health, metrics and the description of the API',
    calls: [getLiveness, getReadiness, getMetrics, getOpenApi, getReference],
  },
];

export const allEndpoints: readonly Endpoint[] = callAreas.flatMap(({ calls }) => calls);
