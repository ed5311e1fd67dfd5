import { servesTokens, servesViews, type Access, type Endpoint } from '@switchyard/contract/endpoint';
import { holdsAny } from '@switchyard/contract/permissions';
import { viewAsMessages } from '@switchyard/contract/view-as';
import { factorSetUpRequired, forbidden, peopleOnly, unauthorized, viewIsReadOnly, type HttpError } from '../errors.ts';
import type { AccountCaller, ServerCaller } from './bind.ts';

/**
 * The caller behind a token. Accounts and traffic servers are looked up in different places, so a token of one world is unknown in
 * the other (api 0.1). Null: unknown, expired or ended.
 */
export type Authenticators = {
  account: (token: string, ip: string) => Promise<AccountCaller | null>;
  trafficServer: (token: string) => Promise<ServerCaller | null>;
  /** Authentication for calls that come every second from every server. */
  pollingServer: (token: string) => Promise<ServerCaller | null>;
};

export type Caller = AccountCaller | ServerCaller | null;

const bearer = /^Bearer +(\S(?:.*\S)?) *$/i;

/** The token of an `Authorization: Bearer` header (RFC 6750), or null; no other place is ever read. */
export function bearerToken(authorization: string | undefined): string | null {
  return bearer.exec(authorization ?? '')?.[1] ?? null;
}

/** The part of an endpoint that decides who may call it. */
type CheckedEndpoint = Pick<Endpoint, 'method' | 'access' | 'answer'>;

type Credentials = { authorization: string | undefined; ip: string };

/** Authenticates the caller of an endpoint. Throws 401 or 403 if its access does not admit the caller. Public calls have none. */
export async function authenticate(endpoint: CheckedEndpoint, credentials: Credentials, authenticators: Authenticators): Promise<Caller> {
  const caller = await identify(endpoint.access, credentials, authenticators);
  requireAccess(endpoint, caller);
  return caller;
}

/** Identifies the caller. Throws 401 if the token is missing or unknown. */
export async function identify(access: Access, { authorization, ip }: Credentials, authenticators: Authenticators): Promise<Caller> {
  if (access.kind === 'public') return null;
  const token = bearerToken(authorization);
  if (token === null) throw unauthorized();

  if (access.kind === 'traffic-server') {
    const server = await (access.polls === true ? authenticators.pollingServer(token) : authenticators.trafficServer(token));
    if (!server) throw unauthorized();
    return server;
  }
  const caller = await authenticators.account(token, ip);
  if (!caller) throw unauthorized();
  return caller;
}

/** The part of a caller that decides whether an account may make a call. */
export type Claimant = Pick<AccountCaller, 'mustSetUpFactor' | 'scope'> & {
  by: Pick<AccountCaller['by'], 'kind'>;
  account: Pick<AccountCaller['account'], 'permissions'>;
};

/**
 * Gives the error with which the call of an account or its token is rejected; null if it may make the call. The error is made on demand:
 * making one takes longer than the check, which *Who can* does for every account.
 */
export function accessDenial(access: Access, { by, mustSetUpFactor, account, scope }: Claimant): (() => HttpError) | null {
  if (by.kind === 'token' && !servesTokens(access)) return peopleOnly;
  if (mustSetUpFactor && !(access.kind === 'session' && access.ownSecurity === true)) return factorSetUpRequired;
  if (access.kind !== 'permissions') return null;
  if (!holdsAny(account.permissions, access.anyOf)) return () => forbidden();
  return access.allApps === undefined || scope === 'all' ? null : () => forbidden(access.allApps);
}

/** The reason why a view may not make a call, whatever its permissions; null if it may. */
function viewDenial(endpoint: CheckedEndpoint): HttpError | null {
  if (servesViews(endpoint)) return null;
  return servesTokens(endpoint.access) || endpoint.method !== 'GET' ? viewIsReadOnly() : forbidden(viewAsMessages.notShown);
}

/** Throws 403 if the account may not make the call. */
export function requireAccess(endpoint: CheckedEndpoint, caller: Caller): void {
  if (caller?.kind !== 'account') return;
  const ofView = caller.by.kind === 'view-as' ? viewDenial(endpoint) : null;
  if (ofView !== null) throw ofView;
  const denial = accessDenial(endpoint.access, caller);
  if (denial !== null) throw denial();
}
