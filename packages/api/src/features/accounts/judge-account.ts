import { accountMessages, buyerRoleLabel } from '@switchyard/contract/account-rules';
import { disagree, type SaveAccountBody } from '@switchyard/contract/accounts';
import { permissionCatalogue, type Panel } from '@switchyard/contract/permissions';
import { requiredMessage, unknownIdMessage } from '@switchyard/contract/text-fields';
import type { PasswordPolicy } from '../../adapters/common-passwords.ts';
import { brokenUniqueIndex } from '../../database/database-errors.ts';
import { FieldErrors } from '../../errors.ts';
import type { Writer } from '../access-rules/account-rules-lookup.ts';
import { findTaken, type StoredRole } from './accounts-read-model.ts';
import type { AccountState, Tx } from './accounts-store.ts';

/** Fields of a form that were sent and fit by themselves. */
export type SentAccount = Readonly<Partial<SaveAccountBody>>;

/** The app ids of a form, and by which of their two names they were sent. */
export function sentApps({ appIds, app_ids: same }: SentAccount): { field: string; ids: readonly number[] } | null {
  if (appIds !== undefined) return { field: 'appIds', ids: appIds };
  return same === undefined ? null : { field: 'app_ids', ids: same };
}

/** Ids of the roles that a form names by label, name or id (AMB-163), ascending; and the first that is none of the panel. */
export function resolveRoles(given: readonly (string | number)[], roles: readonly StoredRole[]) {
  const idOf = (one: string | number) => roles.find((role) => role.id === one || role.label === one || role.name === one)?.id;
  const ids = given.flatMap((one) => idOf(one) ?? []);
  return { ids: [...new Set(ids)].sort((a, b) => a - b), unknown: given.find((one) => idOf(one) === undefined) };
}

type Judged = {
  sent: SentAccount;
  panel: Panel;
  /** Null for a new account. */
  before: (AccountState & { id: number }) | null;
  caller: Writer & { roleIds: readonly number[] };
  /** Roles of the panel. */
  roles: readonly StoredRole[];
  /** Those of the sent app ids that exist. */
  knownApps: ReadonlySet<number>;
  /** Without a password nobody could sign in by e-mail. */
  needsPassword: boolean;
  passwordPolicy: PasswordPolicy;
  /** Whether the current password that came with a new one of the caller's own is right; null where none is needed. */
  isProven: boolean | null;
};

/** What only the server knows to be wrong with the values of a form, by field (api [47], [49]). */
export async function findAccountErrors(tx: Tx, form: Judged): Promise<Record<string, string>> {
  const { sent, before } = form;
  const errors: Record<string, string> = {};
  const taken = await findTaken(tx, { panel: form.panel, name: sent.name, email: sent.email, exceptId: before?.id });
  if (taken.name) errors['name'] = accountMessages.nameTaken;
  if (taken.email) errors['email'] = accountMessages.emailTaken;
  if (before && sent.email !== undefined && sent.email !== before.email && !mayChangeEmail(form.caller)) {
    errors['email'] = accountMessages.emailLocked;
  }
  const password = passwordMessage(form);
  if (password !== null) errors['password'] = password;
  if (form.isProven === false)
    errors['current_password'] = hasText(sent.current_password) ? accountMessages.currentPassword : requiredMessage('current_password');
  if (disagree(sent.hasAccess, sent.has_access)) errors['hasAccess'] = 'The selected hasAccess is invalid.';
  const roles = rolesMessage(form);
  if (roles !== null) errors['roles'] = roles;
  const apps = unknownAppMessage(form);
  if (apps !== null) errors[apps.field] = apps.message;
  return errors;
}

/** The field errors of a write that lost a race for a name or an address (O34); other errors stay what they are. */
export function asLostRace(error: unknown): unknown {
  const index = brokenUniqueIndex(error);
  if (index === 'accounts_name_key') return new FieldErrors({ name: [accountMessages.nameTaken] });
  return index === 'accounts_email_key' ? new FieldErrors({ email: [accountMessages.emailTaken] }) : error;
}

/** Holders of the roles Super Admin and Admin (AMB-168). */
function mayChangeEmail({ roleIds }: Judged['caller']): boolean {
  return roleIds.some((id) => id === 1 || id === 2);
}

function passwordMessage({ sent: { password, email }, before, needsPassword, passwordPolicy }: Judged): string | null {
  if (password === undefined || password === null) return before === null && needsPassword ? accountMessages.password : null;
  return passwordPolicy.error(password, email ?? before?.email ?? '');
}

function hasText(typed: string | null | undefined): boolean {
  return typed !== undefined && typed !== null && typed !== '';
}

const statistics = permissionCatalogue.find(({ label }) => label === 'manager_app_statistics')?.id ?? 0;

function rolesMessage({ sent, before, caller, roles }: Judged): string | null {
  if (sent.roles === undefined) return null;
  const { ids, unknown } = resolveRoles(sent.roles, roles);
  if (unknown !== undefined) return unknownIdMessage('roles', unknown);
  if (before !== null || caller.permissionIds.has(statistics)) return null;
  const isBuyerOnly = roles.every((role) => !ids.includes(role.id) || role.label === buyerRoleLabel);
  return isBuyerOnly ? null : accountMessages.onlyBuyerRole;
}

/** Whoever does not see all apps is refused unknown ones as apps that are not his (api 0.11). */
function unknownAppMessage({ sent, caller, knownApps }: Judged): { field: string; message: string } | null {
  const apps = sentApps(sent);
  const unknown = caller.scope === 'all' ? apps?.ids.find((id) => !knownApps.has(id)) : undefined;
  return apps && unknown !== undefined ? { field: apps.field, message: unknownIdMessage(apps.field, unknown) } : null;
}
