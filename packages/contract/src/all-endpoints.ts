import { listAllRequests } from './all-requests.ts';
import { archiveApp, getAppsTotal, listApps, listVerticals, restoreApp } from './apps.ts';
import type { Endpoint } from './endpoint.ts';
import { getConsentUrl, signInWithGoogle } from './google-sign-in.ts';
import { ingestEvents } from './ingest.ts';
import { getLiveness, getMetrics, getOpenApi, getReadiness, getReference } from './operations.ts';
import { endOwnSession, listOwnSessions } from './own-sessions.ts';
import { getServerTime } from './server-time.ts';
import { getSessionUser, signIn, signOut, signOutByGet } from './session.ts';
import { getSettings } from './settings.ts';

/** Every call of the API; the server binds each exactly once and OpenAPI describes each. */
export const allEndpoints: readonly Endpoint[] = [
  signIn,
  signOutByGet,
  signOut,
  getSessionUser,
  listOwnSessions,
  endOwnSession,
  signInWithGoogle,
  getConsentUrl,
  getServerTime,
  getSettings,
  listApps,
  archiveApp,
  restoreApp,
  getAppsTotal,
  listVerticals,
  listAllRequests,
  ingestEvents,
  getLiveness,
  getReadiness,
  getMetrics,
  getOpenApi,
  getReference,
];
