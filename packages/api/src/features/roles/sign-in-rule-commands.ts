import type { BodyOf } from '@switchyard/contract/endpoint';
import { signInRuleMessages, type SignInRules, type saveSignInRules as saveCall } from '@switchyard/contract/sign-in-rules';
import { dayOf, dayRange, fromDate } from '@switchyard/contract/dates';
import { unknownIdMessage } from '@switchyard/contract/text-fields';
import { changesBetween, recordAudit, transaction, unchanged } from '../../database/transaction.ts';
import { FieldErrors, forbidden, stale } from '../../errors.ts';
import type { Call, SessionCaller } from '../../http/bind.ts';
import type { RoleDependencies } from './role-commands.ts';
import { requireRoles, requireTouchable, roleDenial } from './role-rules.ts';
import { findHeld, listStoredRoles, lockRoles, type HeldRights, type StoredRole } from './roles-store.ts';
import { getStoredRules, updateStoredRules } from './sign-in-rules-store.ts';

type RuleDependencies = {
  db: RoleDependencies['db'];
  /** A day begins at midnight in this offset, as the console shows it. */
  serverOffset: string;
};

/** Who needs a second factor, and how many accounts would have to set one up, as far as the caller may change the rule. */
export async function readSignInRules({ db, serverOffset }: RuleDependencies, caller: SessionCaller): Promise<SignInRules> {
  const holder = await findHeld(db, caller.account.id);
  const roles = await listStoredRoles(db, { scope: holder.scope });
  const rule = await getStoredRules(db, caller.account.id);
  const isStaffLocked = !mayChangeStaff(holder, roles);
  const dayIn = (start: Date): string => dayOf(fromDate(start), serverOffset);
  return {
    all_staff: rule.all_staff,
    all_staff_from: rule.all_staff_from && dayIn(rule.all_staff_from),
    role_ids: rule.role_ids,
    roles_from: rule.roles_from.map(({ id, from }) => ({ id, from: dayIn(from) })),
    roles: roles.map((role) => {
      const isLocked = roleDenial(holder, role) !== null;
      const { id, label, panel } = role;
      return { id, label, panel, read_only: isLocked, without_factor: isLocked ? null : (rule.withoutFactor.get(id) ?? 0) };
    }),
    staff: { read_only: isStaffLocked, without_factor: isStaffLocked ? null : rule.staff },
    own_factor: rule.own_factor,
    version: rule.version,
  };
}

/**
 * Sets who needs a second factor, from the next call of each account on or from the named day. Rejects, in this order: a caller without the
 * permission for roles with 403, a version that `matchesIfMatch` does not allow with 412, unknown roles with 422, changed
 * rules of roles above the caller with 403, and a caller who did not sign in recently with 403.
 */
export async function saveSignInRules(
  { db, serverOffset }: RuleDependencies,
  { body: sentRules, caller, request, matchesIfMatch }: Call<typeof saveCall>,
): Promise<SignInRules> {
  return transaction(db, async (tx) => {
    await lockRoles(tx);
    const holder = await findHeld(tx, caller.account.id);
    requireRoles(holder);
    const before = await readSignInRules({ db: tx, serverOffset }, caller);
    const body = completeRules(sentRules);
    if (!matchesIfMatch(before.version)) throw stale(before);
    const roles = await listStoredRoles(tx, { scope: holder.scope });
    const unknown = body.role_ids.find((id) => !roles.some((role) => role.id === id));
    if (unknown !== undefined) throw new FieldErrors({ role_ids: [unknownIdMessage('role_ids', unknown)] });
    const outdatedRule = sentRules.roles_from?.find(({ id }) => !body.role_ids.includes(id));
    if (outdatedRule !== undefined) throw new FieldErrors({ roles_from: [unknownIdMessage('roles_from', outdatedRule.id)] });
    const changedRoles = roles.filter(({ id }) => roleStart(body, id) !== roleStart(before, id));
    for (const role of changedRoles) requireTouchable(holder, role);
    const isStaffChanged = body.all_staff !== before.all_staff || body.all_staff_from !== before.all_staff_from;
    if (isStaffChanged && !mayChangeStaff(holder, roles)) throw forbidden(signInRuleMessages.allStaff);
    if (!isStaffChanged && changedRoles.length === 0) return unchanged(before);

    const startIn = (day: string): Date => new Date(dayRange(day, serverOffset).from / 1000);
    await updateStoredRules(tx, {
      all_staff: body.all_staff,
      all_staff_from: body.all_staff_from === null ? null : startIn(body.all_staff_from),
      role_ids: body.role_ids,
      roles_from: body.roles_from.map(({ id, from }) => ({ id, from: startIn(from) })),
    });
    const changesOf = (rules: Rules, text: (label: string, day: string | undefined) => string | null) =>
      roles.flatMap(({ id, label }) => (rules.role_ids.includes(id) ? (text(label, dayOfRole(rules, id)) ?? []) : []));
    const fields = (rules: Rules) => ({
      all_staff: rules.all_staff,
      all_staff_from: rules.all_staff_from,
      roles: changesOf(rules, (label) => label),
      roles_from: changesOf(rules, (label, day) => (day === undefined ? null : `${label}: ${day}`)),
    });
    const changes = changesBetween(fields(before), fields(body));
    const event = { actor: caller.account, entity: 'second_factor', action: 'require', id: null, label: null, request, changes } as const;
    return recordAudit(tx, event, await readSignInRules({ db: tx, serverOffset }, caller));
  });
}

type Rules = Pick<SignInRules, 'all_staff' | 'all_staff_from' | 'role_ids' | 'roles_from'>;

/** The rules of a body; the day of a rule that is off is dropped. */
function completeRules({ all_staff, role_ids, all_staff_from = null, roles_from = [] }: BodyOf<typeof saveCall>): Rules {
  const days = new Map(roles_from.map(({ id, from }) => [id, from]));
  const roles = role_ids.flatMap((id) => {
    const from = days.get(id);
    return from === undefined ? [] : [{ id, from }];
  });
  return { all_staff, all_staff_from: all_staff ? all_staff_from : null, role_ids, roles_from: roles };
}

function dayOfRole({ roles_from }: Rules, roleId: number): string | undefined {
  return roles_from.find(({ id }) => id === roleId)?.from;
}

/** When the rule of a role applies, in a form that can be compared; null: never. */
function roleStart(rules: Rules, roleId: number): string | null {
  return rules.role_ids.includes(roleId) ? (dayOfRole(rules, roleId) ?? 'at once') : null;
}

/** The rule for all staff is about accounts with any role and app, so it takes somebody who may change every role of staff. */
function mayChangeStaff(holder: HeldRights, roles: readonly StoredRole[]): boolean {
  return holder.scope === 'all' && roles.every((role) => role.panel !== 'user' || roleDenial(holder, role) === null);
}
