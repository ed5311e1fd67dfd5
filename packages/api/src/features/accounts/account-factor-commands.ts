import type {
  AccountFactors,
  FactorState,
  listAccountFactors as listCall,
  resetAccountFactors as resetCall,
} from '@switchyard/contract/account-activity';
import { wireDate } from '@switchyard/contract/dates';
import type { Databases } from '../../database/connect.ts';
import { recordAudits, transaction } from '../../database/transaction.ts';
import { notFound, unauthorized } from '../../errors.ts';
import type { Call, SessionCaller } from '../../http/bind.ts';
import { revokeTokensOf } from '../api-tokens/account-tokens-lookup.ts';
import { findFactorRule, listFactors, listFactorStates, removeAllFactors } from '../second-factors/second-factors-lookup.ts';
import type { NotifyOwner } from '../security-mails/security-mails-lookup.ts';
import { rejectIfDenied, sessionDenial } from './access-rules-lookup.ts';
import { standingOf, stateOf, writerOf } from './account-mapper.ts';
import { lockTarget } from './account-target.ts';
import { deleteSessions, findAccount, listRoles, getAccount } from './accounts-store.ts';
import { listChangeableAccounts } from './changeable-accounts-lookup.ts';

type Dependencies = { db: Databases['db']; now: () => Date };

/**
 * The second factors of an account that the caller may reset. Throws 404 for an unknown account, and 403 if the account ranks above
 * the caller.
 */
export async function listAccountFactors(
  { db, now }: Dependencies,
  { params: { id }, caller }: Call<typeof listCall>,
): Promise<AccountFactors> {
  const account = await getAccount(db, { id });
  const self = await findAccount(db, { id: caller.account.id });
  if (!self) throw unauthorized();
  const roles = await listRoles(db, account.panel);
  rejectIfDenied(sessionDenial(writerOf(self), standingOf(stateOf(account), { panel: account.panel, roles })));
  const factors = await listFactors(db, id);
  return {
    factors: factors.map(({ id: factorId, kind, created_at: createdAt, last_used_at: lastUsedAt }) => ({
      id: factorId,
      kind,
      created_at: wireDate(createdAt),
      last_used_at: lastUsedAt && wireDate(lastUsedAt),
    })),
    required: (await findFactorRule(db, id, now())).required,
  };
}

/** Whether the accounts whose factors the caller may reset have one. Demo accounts cannot and are left out. */
export async function listFactorStatesFor({ db, now }: Dependencies, caller: SessionCaller): Promise<FactorState[]> {
  const ids = new Set((await listChangeableAccounts(db, caller)).map(({ id }) => id));
  return (await listFactorStates(db, now())).filter(({ id }) => ids.has(id));
}

/**
 * Removes the second factors and recovery codes of an account of either panel, ends its sessions and revokes its API tokens. Throws
 * in the order of `lockTarget`, then the errors of the rules on accounts, 404 for an account without factors, and last 403 if the
 * caller did not sign in recently.
 */
export async function resetFactors(
  deps: Dependencies & { notifyOwner: NotifyOwner },
  { params: { id }, ...call }: Call<typeof resetCall>,
): Promise<void> {
  const { caller, request } = call;
  await transaction(deps.db, async (tx) => {
    const { writer, account, before, roles } = await lockTarget(tx, { id, ...call, apps: null, mayUnlinkAny: false });
    rejectIfDenied(sessionDenial(writer, standingOf(before, { panel: account.panel, roles })));
    if (!(await removeAllFactors(tx, id))) throw notFound();
    const facts = [['Removed', 'All second factors']] as const;
    await deps.notifyOwner(tx, { event: 'factor_removed', accountId: id, actor: caller.account, request, facts });
    await deleteSessions(tx, id, id === caller.account.id ? caller.by.sessionId : null);
    const event = { actor: caller.account, entity: 'second_factor', action: 'reset', id, label: account.email, request } as const;
    const revocations = await revokeTokensOf(tx, { ownerId: id, actor: caller.account, request });
    return recordAudits(tx, [event, ...revocations], undefined);
  });
}
