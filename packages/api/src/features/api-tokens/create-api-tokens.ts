import * as contract from '@switchyard/contract/api-tokens';
import type { CallCounts } from '../../database/call-counts.ts';
import type { Databases } from '../../database/connect.ts';
import type { Feature, TokenCaller } from '../../http/bind.ts';
import { createOwnToken, listOwnTokens, revokeOwnToken, type TokenDependencies } from './personal-token-commands.ts';
import {
  createServiceAccount,
  deleteServiceAccount,
  listServiceAccounts,
  renewServiceSecret,
  updateServiceAccount,
} from './service-account-commands.ts';
import { createTokenLookup } from './token-caller-read-model.ts';

const minute = 60_000;

export type ApiTokensFeature = Feature & {
  /** The caller behind an API token, read again for each call. A wrong checksum costs no query. */
  authenticate: (token: string, ip: string) => Promise<TokenCaller | null>;
  /** Counts a call in the current minute of a token; processes exchange their counts. */
  countCall: (tokenId: number) => { calls: number; secondsLeft: number };
};

/** Calls on API tokens and service accounts, and what makes them work. */
export function createApiTokens({
  databases,
  demoIsOn,
  callCounts,
  onWrongNetwork,
  ...rest
}: Omit<TokenDependencies, 'db'> & {
  databases: Pick<Databases, 'db' | 'pools'>;
  demoIsOn: boolean;
  callCounts: CallCounts;
  /** Called when a token is used from a wrong network, once a minute at most. */
  onWrongNetwork: (use: { token_id: number; ip: string }) => void;
}): ApiTokensFeature {
  const deps = { ...rest, db: databases.db };
  const authenticate = createTokenLookup({
    pool: databases.pools.sessions,
    now: deps.now,
    demoIsOn,
    onWrongNetwork(use) {
      if (callCounts.count(`token-network:${use.token_id}`, minute).calls === 1) onWrongNetwork(use);
    },
  });

  return {
    authenticate,
    countCall: (tokenId) => callCounts.count(`token:${tokenId}`, minute),
    bindRoutes(bind) {
      bind(contract.listOwnTokens, async ({ caller }) => listOwnTokens(deps, caller));
      bind(contract.createOwnToken, async (call) => createOwnToken(deps, call));
      bind(contract.revokeOwnToken, async (call) => revokeOwnToken(deps, call));
      bind(contract.listServiceAccounts, async ({ caller }) => listServiceAccounts(deps, caller));
      bind(contract.createServiceAccount, async (call) => createServiceAccount(deps, call));
      bind(contract.updateServiceAccount, async (call) => updateServiceAccount(deps, call));
      bind(contract.renewServiceSecret, async (call) => renewServiceSecret(deps, call));
      bind(contract.deleteServiceAccount, async (call) => deleteServiceAccount(deps, call));
    },
  };
}
