import * as contract from '@switchyard/contract/view-as';
import type { Databases } from '../../database/connect.ts';
import type { AccountCaller, Feature } from '../../http/bind.ts';
import { beginView, endExpiredViews, stopView, type ViewAsDependencies } from './view-as-commands.ts';
import { createViewAsLookup, findNewCaller } from './view-as-read-model.ts';

export type ViewAsFeature = Feature & {
  /** The caller behind the token of a view, read again for each call. */
  authenticate: (token: string) => Promise<AccountCaller | null>;
};

/** Calls on read-only views of the console as a role or as an account. */
export function createViewAs({
  databases: { db, opsDb, pools },
  ...rest
}: {
  databases: Pick<Databases, 'db' | 'opsDb' | 'pools'>;
  now: () => Date;
  idleMinutes: number;
  demoIsOn: boolean;
}): ViewAsFeature {
  const { now } = rest;
  const authenticate = createViewAsLookup({ pool: pools.sessions, ...rest });
  const deps: ViewAsDependencies = { db, now, findCaller: async (tx, token) => findNewCaller(tx, token, rest) };
  return {
    authenticate,
    maintain: async () => endExpiredViews(opsDb, now()),
    bindRoutes(bind) {
      bind(contract.viewAsRole, async (call) => beginView(deps, 'role', call));
      bind(contract.viewAsAccount, async (call) => beginView(deps, 'account', call));
      bind(contract.stopViewAs, async (call) => stopView(deps, call));
    },
  };
}
