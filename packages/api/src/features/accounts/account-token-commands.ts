import type { AccountToken, listAccountTokens as listCall, revokeToken as revokeCall } from '@switchyard/contract/account-tokens';
import type { Databases } from '../../database/connect.ts';
import { recordAudits, transaction } from '../../database/transaction.ts';
import { notFound } from '../../errors.ts';
import type { Call, SessionCaller } from '../../http/bind.ts';
import { findTokenOwner, listTokensOf, revokeTokensOf, type TokenOwner } from '../api-tokens/account-tokens-lookup.ts';
import { rejectIfDenied, sessionDenial } from './access-rules-lookup.ts';
import { standingOf } from './account-mapper.ts';
import { lockTarget } from './account-target.ts';
import { listChangeableAccounts, requireChangeable } from './changeable-accounts-lookup.ts';
import { getAccount, type StoredAccount } from './accounts-store.ts';

type Dependencies = { db: Databases['db']; now: () => Date };

/** API tokens of all accounts that the caller may change, and service accounts that these own, newest first. */
export async function listTokens({ db, now }: Dependencies, caller: SessionCaller): Promise<AccountToken[]> {
  const changeable = await listChangeableAccounts(db, caller);
  return listTokensOf(db, { owners: new Map(changeable.map((account) => [account.id, toOwner(account)])), caller, now: now() });
}

/** API tokens of an account of either panel. Throws 404 for an unknown account, and 403 if the account ranks above the caller. */
export async function listAccountTokens(
  { db, now }: Dependencies,
  { params: { id }, caller }: Call<typeof listCall>,
): Promise<AccountToken[]> {
  const account = await getAccount(db, { id });
  await requireChangeable(db, caller, account);
  return listTokensOf(db, { ownerId: id, owners: new Map([[id, toOwner(account)]]), caller, now: now() });
}

/**
 * Revokes a personal token of an account: it is unknown from the next call on. Throws 404 for an unknown token, then in the order
 * of `lockTarget`, then the errors of the rules on accounts.
 */
export async function revokeToken({ db }: Dependencies, { params: { id }, ...call }: Call<typeof revokeCall>): Promise<void> {
  await transaction(db, async (tx) => {
    const ownerId = await findTokenOwner(tx, id);
    if (ownerId === undefined) throw notFound();
    const { writer, account, before, roles } = await lockTarget(tx, { ...call, id: ownerId, apps: null, mayUnlinkAny: false });
    rejectIfDenied(sessionDenial(writer, standingOf(before, { panel: account.panel, roles })));
    const events = await revokeTokensOf(tx, { ownerId, id, actor: call.caller.account, request: call.request });
    if (events.length === 0) throw notFound();
    return recordAudits(tx, events, undefined);
  });
}

function toOwner({ id, name, email, panel }: StoredAccount): TokenOwner {
  return { id, name, email, panel };
}
