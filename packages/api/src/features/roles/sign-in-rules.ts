import type { BodyOf } from '@switchyard/contract/endpoint';
import { signInRuleMessages, type SignInRules, type saveSignInRules as saveCall } from '@switchyard/contract/sign-in-rules';
import { unknownIdMessage } from '@switchyard/contract/text-fields';
import { changesBetween, recordAudit, transaction, unchanged } from '../../database/transaction.ts';
import { FieldErrors, forbidden, stale } from '../../errors.ts';
import type { RequestContext, SessionCaller } from '../../http/bind.ts';
import type { RoleDependencies } from './role-commands.ts';
import { isSameSet, requireRoles, requireTouchable, roleDenial } from './role-rules.ts';
import { findHeld, listStoredRoles, lockRoles, type Held, type StoredRole } from './roles-store.ts';
import { readStoredRules, writeStoredRules } from './sign-in-rules-store.ts';

/** Who needs a second factor, and how many accounts would have to set one up, as far as the caller may change the rule. */
export async function readSignInRules(db: RoleDependencies['db'], caller: SessionCaller): Promise<SignInRules> {
  const held = await findHeld(db, caller.account.id);
  const roles = await listStoredRoles(db, { scope: held.scope });
  const rule = await readStoredRules(db, caller.account.id);
  const isStaffLocked = !mayChangeStaff(held, roles);
  return {
    all_staff: rule.all_staff,
    role_ids: rule.role_ids,
    roles: roles.map((role) => {
      const isLocked = roleDenial(held, role) !== null;
      const { id, label, panel } = role;
      return { id, label, panel, read_only: isLocked, without_factor: isLocked ? null : (rule.withoutFactor.get(id) ?? 0) };
    }),
    staff: { read_only: isStaffLocked, without_factor: isStaffLocked ? null : rule.staff },
    own_factor: rule.own_factor,
    version: rule.version,
  };
}

type Call = {
  body: BodyOf<typeof saveCall>;
  caller: SessionCaller;
  request: RequestContext;
  matchesIfMatch: (version: number) => boolean;
};

/**
 * Sets who needs a second factor, from the next call of each account on. Rejects, in this order: a caller without the
 * permission for roles with 403, a version that `matchesIfMatch` does not allow with 412, unknown roles with 422, changed
 * rules of roles above the caller with 403, and a caller who did not sign in recently with 403.
 */
export async function saveSignInRules(
  { db, requireRecentSignIn }: RoleDependencies,
  { body, caller, request, matchesIfMatch }: Call,
): Promise<SignInRules> {
  return transaction(db, async (tx) => {
    await lockRoles(tx);
    const held = await findHeld(tx, caller.account.id);
    requireRoles(held);
    const before = await readSignInRules(tx, caller);
    if (!matchesIfMatch(before.version)) throw stale(before);
    const roles = await listStoredRoles(tx, { scope: held.scope });
    const unknown = body.role_ids.find((id) => !roles.some((role) => role.id === id));
    if (unknown !== undefined) throw new FieldErrors({ role_ids: [unknownIdMessage('role_ids', unknown)] });
    for (const role of roles) {
      if (body.role_ids.includes(role.id) !== before.role_ids.includes(role.id)) requireTouchable(held, role);
    }
    if (body.all_staff !== before.all_staff && !mayChangeStaff(held, roles)) throw forbidden(signInRuleMessages.allStaff);
    if (body.all_staff === before.all_staff && isSameSet(body.role_ids, before.role_ids)) return unchanged(before);
    await requireRecentSignIn(tx, caller);

    await writeStoredRules(tx, body);
    const labels = (ids: readonly number[]) => roles.filter(({ id }) => ids.includes(id)).map(({ label }) => label);
    const fields = (rules: { all_staff: boolean; role_ids: readonly number[] }) => ({
      all_staff: rules.all_staff,
      roles: labels(rules.role_ids),
    });
    const changes = changesBetween(fields(before), fields(body));
    const event = {
      actor: caller.account,
      entity: 'second_factor',
      action: 'require',
      entityId: null,
      entityLabel: null,
      request,
    } as const;
    return recordAudit(tx, { ...event, changes }, await readSignInRules(tx, caller));
  });
}

/** The rule for all staff is about accounts with any role and app, so it takes somebody who may change every role of staff. */
function mayChangeStaff(held: Held, roles: readonly StoredRole[]): boolean {
  return held.scope === 'all' && roles.every((role) => role.panel !== 'user' || roleDenial(held, role) === null);
}
