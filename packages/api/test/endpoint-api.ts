import type { Endpoint } from '@switchyard/contract/endpoint';
import fastify, { type FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import { buildApi, type ApiDependencies } from '../src/build-api.ts';
import { createAdmission } from '../src/http/admission.ts';
import { timeoutFactor } from './test-database.ts';
import type { AccountCaller, Bind } from '../src/http/bind.ts';

/** Tokens that the fake authenticators know. */
export const knownTokens = { account: 'account-token', powerless: 'powerless-token', server: 'server-token' } as const;

/** An account that sees all apps. */
export function callerWith(permissions: string[]): AccountCaller {
  const account = { id: 7, name: 'Olga', email: 'olga@example.com', panel: 'user' as const, roles: [], badges: [], permissions };
  return {
    kind: 'account',
    by: { kind: 'session', sessionId: 1, authenticatedAt: new Date() },
    mustSetUpFactor: false,
    account: { ...account, hasAllApps: true, isSuperAdmin: false },
    scope: 'all',
  };
}

const silent = fastify({ logger: false }).log;

/** An API of the given calls only, without a database: for tests of the HTTP layer itself. */
export async function buildEndpointApi(
  endpoints: readonly Endpoint[],
  bindRoutes: (bind: Bind) => void,
  changes: Partial<ApiDependencies> = {},
): Promise<FastifyInstance> {
  const api = await buildApi({
    logger: silent,
    isProduction: false,
    authenticators: {
      account: async (token) =>
        token === knownTokens.account
          ? callerWith(['manager_app_edit'])
          : token === knownTokens.powerless
            ? callerWith(['manager_app_create'])
            : null,
      trafficServer: async (token) => (token === knownTokens.server ? { kind: 'traffic-server', serverId: 3, serverName: 'edge' } : null),
      pollingServer: async () => null,
    },
    features: [{ bindRoutes }],
    faults: {
      isDatabaseUnavailable: () => false,
      isPoolTimeout: () => false,
      isDatabaseReachable: async () => true,
      isStorageFull: () => false,
      isStatementTimeout: () => false,
    },
    admission: createAdmission({ timeoutFactor }),
    trustedProxies: [],
    isHttps: false,
    webOrigin: null,
    isStopping: () => false,
    onFinished: () => undefined,
    streamOpened: () => () => undefined,
    findReauthentication: async () => null,
    tokenCall: () => ({ calls: 1, secondsLeft: 60 }),
    appHost: null,
    queryFrame: null,
    reference: null,
    webRoot: null,
    loadsPushImages: true,
    endpoints,
    ...changes,
  });
  onTestFinished(() => api.close());
  return api;
}

/** The header that shows a token. */
export function bearer(token: string): { authorization: string } {
  return { authorization: `Bearer ${token}` };
}
