import { type Belongings, getBuyerBelongings, getUserBelongings } from '@switchyard/contract/belongings';
import * as links from '@switchyard/contract/invitations';
import * as tokens from '@switchyard/contract/account-tokens';
import * as activity from '@switchyard/contract/account-activity';
import { passwordError } from '@switchyard/contract/account-rules';
import * as buyers from '@switchyard/contract/buyers';
import { pageForm } from '@switchyard/contract/envelope';
import * as losses from '@switchyard/contract/losses';
import * as ownSessions from '@switchyard/contract/own-sessions';
import type { Panel } from '@switchyard/contract/permissions';
import { findPickBuyers, listPickBuyers } from '@switchyard/contract/pick-lists';
import { signInMessages } from '@switchyard/contract/session';
import * as users from '@switchyard/contract/users';
import { createAddressLimit } from '../../overload/address-limit.ts';
import type { CallCounts } from '../../database/call-counts.ts';
import { coversApps } from '@switchyard/contract/app-scope';
import { FieldErrors, forbidden, notFound } from '../../errors.ts';
import type { AccountCaller, Bind, Feature } from '../../http/bind.ts';
import { openLists } from '../saved-views/saved-views-lookup.ts';
import { bindAccountHistory } from './account-history.ts';
import { endAccountSession, listAccountPermissions, listAccountSessions } from './account-session-commands.ts';
import { arrangeTokens } from './arrange-tokens.ts';
import { listAccountTokens, listTokens, revokeToken } from './account-token-commands.ts';
import {
  changeAccountApps,
  changeOwnPassword,
  createAccount,
  deleteAccount,
  saveAccount,
  switchAccess,
  type SaveDependencies,
} from './account-commands.ts';
import { toAccount, toAccountRow, toBuyer, toBuyerRow, toEither } from './account-mapper.ts';
import { listAccounts, findTaken, listStaffToPick, getAccount, getShownAccount } from './accounts-store.ts';
import { findBelongings } from './belongings-store.ts';
import { requireChangeable } from './changeable-accounts-lookup.ts';
import { dismissLosses } from './loss-commands.ts';
import { listLosses } from './losses-store.ts';
import { listBuyers, listBuyersPage } from './buyers-lookup.ts';
import { isReadOnly, listAccountsPage } from './accounts-page-lookup.ts';
import {
  getInvitation,
  inviteAccount,
  renewInvitation,
  requirePasswords,
  withdrawInvitation,
  type InviteDependencies,
} from './invitation-commands.ts';
import { listAccountFactors, listFactorStatesFor, resetFactors } from './account-factor-commands.ts';

/** Rate limit of password checks for one address; the window is in milliseconds. */
const checks = { calls: 60, window: 60_000 };

/**
 * Calls on staff accounts and buyers, with their apps, streams, permissions and sessions, and on the caller's own password.
 * A session without a call for `idleMinutes` is over.
 */
export function createAccounts(deps: InviteDependencies & { idleMinutes: number; callCounts: CallCounts; serverOffset: string }): Feature {
  const admitCheck = createAddressLimit({ name: 'password-check', ...checks, counts: deps.callCounts });
  return {
    bindRoutes(bind) {
      bindUsers(bind, deps);
      bindBuyers(bind, deps);
      bindInvitations(bind, deps);
      bindAccountHistory(bind, deps);
      bind(activity.listAccountSessions, async (call) => listAccountSessions(deps, call));
      bind(activity.endAccountSession, async (call) => endAccountSession(deps, call));
      bind(activity.listFactorStates, async ({ caller }) => listFactorStatesFor(deps, caller));
      bind(activity.listAccountFactors, async (call) => listAccountFactors(deps, call));
      bind(losses.listLosses, async ({ caller: { account } }) => listLosses(deps.db, account.id, openLists(account)));
      bind(losses.dismissLosses, async (call) => dismissLosses(deps, call));
      bind(tokens.listTokens, async ({ caller }) => listTokens(deps, caller));
      bind(tokens.listTokensPage, async ({ query, caller }) => {
        const { data, pagination } = arrangeTokens(await listTokens(deps, caller), query);
        return { rows: data, pagination };
      });
      bind(tokens.listAccountTokens, async (call) => listAccountTokens(deps, call));
      bind(tokens.revokeToken, async (call) => revokeToken(deps, call));
      bind(activity.resetAccountFactors, async (call) => resetFactors(deps, call));
      bind(ownSessions.changeOwnPassword, async (call) => changeOwnPassword(deps, call));
      bind(ownSessions.checkPassword, async ({ body: { password, email }, request }) => {
        admitCheck(request.ip);
        return { error: passwordError(password) ?? deps.passwordPolicy.error(password, email) };
      });
      bind(activity.listAccountPermissions, async ({ params }) => listAccountPermissions(deps, params.id));
    },
  };
}

/** Calls on staff accounts, and those on the apps of accounts of either panel. */
function bindUsers(bind: Bind, deps: SaveDependencies): void {
  const panel = 'user';
  bind(users.listUsers, async ({ caller }) =>
    (await listAccounts(deps.db, { panel })).map((account) => toAccountRow(account, caller.scope)),
  );
  bind(users.listAccountsPage, async ({ query, caller }) => listAccountsPage(deps, query, caller));
  bind(users.checkAccountTaken, async ({ query }) => findTaken(deps.db, query));
  bind(users.listPickUsers, async () => listStaffToPick(deps.db));
  bind(users.createUser, async (call) => toAccount(await createAccount(deps, { ...call, panel })));
  bind(users.getUser, async ({ params, caller }) =>
    toAccount(await getShownAccount(deps.db, await getAccount(deps.db, { id: params.id, panel }), caller.scope)),
  );
  bind(users.saveUser, async ({ params, ...call }) => toAccount(await saveAccount(deps, { ...params, ...call, panel })));
  bind(users.deleteUser, async ({ params, body, ...call }) => deleteAccount(deps, { ...params, ...call, ...body, panel }));
  bind(getUserBelongings, async ({ params, caller }) => readBelongings(deps, { ...params, caller, panel }));
  bind(users.switchUserAccess, async ({ params, body, ...call }) =>
    toAccount(await switchAccess(deps, { ...params, ...call, ...body, panel })),
  );
  bind(users.attachApps, async ({ params, body: { appIds: ids }, ...call }) =>
    toEither(await changeAccountApps(deps, { ...params, ...call, kind: 'add', ids })),
  );
  bind(users.detachApps, async ({ params, query, body: { appIds: ids = query.appIds }, ...call }) => {
    if (ids === undefined) throw new FieldErrors({ appIds: ['The appIds field is required.'] });
    return toEither(await changeAccountApps(deps, { ...params, ...call, kind: 'remove', ids }));
  });
  bind(users.syncApps, async ({ params, body: { appIds: ids }, ...call }) =>
    toEither(await changeAccountApps(deps, { ...params, ...call, kind: 'set', ids })),
  );
}

/** Calls on invitations. Where accounts sign in with Google only there are none. */
function bindInvitations(bind: Bind, deps: InviteDependencies): void {
  const options = { admit: async () => requirePasswords(deps, signInMessages.emailOff) };
  bind(
    links.inviteUser,
    async (call) => {
      const { account, invitation } = await inviteAccount(deps, { ...call, panel: 'user' });
      return { ...toAccount(account), invitation };
    },
    options,
  );
  bind(
    links.inviteBuyer,
    async (call) => {
      const { account, invitation } = await inviteAccount(deps, { ...call, panel: 'buyer' });
      return { ...toBuyer(account), invitation };
    },
    options,
  );
  bind(links.getInvitation, async ({ params }) => getInvitation(deps, params.id));
  bind(links.renewInvitation, async (call) => renewInvitation(deps, call), options);
  bind(links.withdrawInvitation, async (call) => withdrawInvitation(deps, call));
}

/** Calls on buyers. */
function bindBuyers(bind: Bind, deps: SaveDependencies): void {
  const panel = 'buyer';
  bind(buyers.listBuyers, async ({ caller }) => (await listAccounts(deps.db, { panel })).map((buyer) => toBuyerRow(buyer, caller.scope)));
  bind(listPickBuyers, async () => listBuyers(deps.db));
  bind(findPickBuyers, async ({ query, caller: { scope, account } }) => {
    // The buyers of an app are shown to those who may open it.
    if (query.exceptApp !== undefined) {
      if (!account.permissions.includes('manager_app_edit')) throw forbidden();
      if (!coversApps(scope, [query.exceptApp])) throw notFound();
    }
    const page = await listBuyersPage(deps.db, query);
    return { rows: page.buyers, pagination: pageForm({ total: page.total, count: page.buyers.length, ...query }) };
  });
  bind(buyers.listReadOnlyBuyers, async ({ caller: { scope } }) => {
    if (scope === 'all') return [];
    const accounts = await listAccounts(deps.db, { panel });
    return accounts.filter((account) => isReadOnly(account, scope)).map(({ id }) => id);
  });
  bind(buyers.createBuyer, async (call) => toBuyer(await createAccount(deps, { ...call, panel })));
  bind(buyers.getBuyer, async ({ params, caller }) =>
    toBuyer(await getShownAccount(deps.db, await getAccount(deps.db, { id: params.id, panel }), caller.scope)),
  );
  bind(buyers.saveBuyer, async ({ params, ...call }) => toBuyer(await saveAccount(deps, { ...params, ...call, panel })));
  bind(buyers.deleteBuyer, async ({ params, body, ...call }) => deleteAccount(deps, { ...params, ...call, ...body, panel }));
  bind(getBuyerBelongings, async ({ params, caller }) => readBelongings(deps, { ...params, caller, panel }));
  bind(buyers.switchBuyerAccess, async ({ params, body, ...call }) =>
    toBuyer(await switchAccess(deps, { ...params, ...call, ...body, panel })),
  );
}

async function readBelongings(
  { db, now }: Pick<SaveDependencies, 'db' | 'now'>,
  { id, panel, caller }: { id: number; panel: Panel; caller: AccountCaller },
): Promise<Belongings> {
  const account = await getAccount(db, { id, panel });
  await requireChangeable(db, caller, account);
  return findBelongings(db, { id: account.id, showsNames: caller.scope === 'all', now: now() });
}
