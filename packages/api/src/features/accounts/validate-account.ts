import { lockName } from '../../database/lock-name.ts';
import { accountMessages, buyerRoleLabel } from '@switchyard/contract/account-rules';
import { disagree, type SaveAccountBody } from '@switchyard/contract/accounts';
import { permissionCatalogue, type Panel } from '@switchyard/contract/permissions';
import { requiredMessage, unknownIdMessage } from '@switchyard/contract/text-fields';
import type { PasswordPolicy } from '../../adapters/common-passwords.ts';
import { brokenUniqueIndex } from '@switchyard/traffic-store/database-errors';
import { FieldErrors } from '../../errors.ts';
import type { OpenTransaction } from '../../database/transaction.ts';
import type { AccountWriter } from './account-mapper.ts';
import { findTaken, type AccountState, type StoredRole } from './accounts-store.ts';

/** The fields of a form that were sent and fit the schema. */
export type SentAccount = Readonly<Partial<SaveAccountBody>>;

/** The app ids of a form, with the name of the field that they came in: there are two. */
export function sentApps({ appIds, app_ids: same }: SentAccount): { field: string; ids: readonly number[] } | null {
  if (appIds !== undefined) return { field: 'appIds', ids: appIds };
  return same === undefined ? null : { field: 'app_ids', ids: same };
}

/** Ids of the roles that a form names by label, name or id, ascending, and the first value that names no role of the panel. */
export function resolveRoles(names: readonly (string | number)[], roles: readonly StoredRole[]) {
  const idOf = (one: string | number) => roles.find((role) => role.id === one || role.label === one || role.name === one)?.id;
  const ids = names.flatMap((one) => idOf(one) ?? []);
  return { ids: [...new Set(ids)].sort((a, b) => a - b), unknown: names.find((one) => idOf(one) === undefined) };
}

type AccountForm = {
  fields: SentAccount;
  panel: Panel;
  /** Null for a new account. */
  before: (AccountState & { id: number }) | null;
  caller: AccountWriter;
  /** Roles of the panel. */
  roles: readonly StoredRole[];
  /** Those of the sent app ids that exist; the apps are locked. */
  knownApps: ReadonlySet<number>;
  /** Whether a new account needs a password, because accounts sign in by e-mail. */
  needsPassword: boolean;
  passwordPolicy: PasswordPolicy;
  /** Whether the current password that came with a new one is right; null where none is needed. */
  isProven: boolean | null;
};

/** Errors of the values of a form that only the server can find, by field. */
export async function findAccountErrors(tx: OpenTransaction, form: AccountForm): Promise<Record<string, string>> {
  const { fields, before } = form;
  const errors: Record<string, string> = {};
  if (fields.name !== undefined) await lockName(tx, 'accounts.name', fields.name);
  const takenFields = await findTaken(tx, { panel: form.panel, name: fields.name, email: fields.email, exceptId: before?.id });
  if (takenFields.name) errors['name'] = accountMessages.nameTaken;
  if (takenFields.email) errors['email'] = accountMessages.emailTaken;
  if (before && fields.email !== undefined && fields.email !== before.email && !mayChangeEmail(form.caller)) {
    errors['email'] = accountMessages.emailLocked;
  }
  const password = passwordMessage(form);
  if (password !== null) errors['password'] = password;
  if (form.isProven === false)
    errors['current_password'] = hasText(fields.current_password) ? accountMessages.currentPassword : requiredMessage('current_password');
  if (disagree(fields.hasAccess, fields.has_access)) errors['hasAccess'] = 'The selected hasAccess is invalid.';
  const roles = rolesMessage(form);
  if (roles !== null) errors['roles'] = roles;
  const apps = unknownAppMessage(form);
  if (apps !== null) errors[apps.field] = apps.message;
  return errors;
}

/** Turns the error of a unique index into field errors: another command took the name or the address first. Others stay. */
export function rejectTakenNames(error: unknown): never {
  const index = brokenUniqueIndex(error);
  if (index === 'accounts_name_key') throw new FieldErrors({ name: [accountMessages.nameTaken] });
  if (index === 'accounts_email_key') throw new FieldErrors({ email: [accountMessages.emailTaken] });
  throw error;
}

/** Holders of the roles Super Admin and Admin. */
function mayChangeEmail({ roleIds }: AccountForm['caller']): boolean {
  return roleIds.some((id) => id === 1 || id === 2);
}

function passwordMessage({ fields: { password, email }, before, needsPassword, passwordPolicy }: AccountForm): string | null {
  if (password === undefined || password === null) return before === null && needsPassword ? accountMessages.password : null;
  return passwordPolicy.error(password, email ?? before?.email ?? '');
}

function hasText(text: string | null | undefined): boolean {
  return text !== undefined && text !== null && text !== '';
}

const statistics = permissionCatalogue.find(({ label }) => label === 'manager_app_statistics')?.id ?? 0;

function rolesMessage({ fields, before, caller, roles }: AccountForm): string | null {
  if (fields.roles === undefined) return null;
  const { ids, unknown } = resolveRoles(fields.roles, roles);
  if (unknown !== undefined) return unknownIdMessage('roles', unknown);
  if (before !== null || caller.permissionIds.has(statistics)) return null;
  const isBuyerOnly = roles.every((role) => !ids.includes(role.id) || role.label === buyerRoleLabel);
  return isBuyerOnly ? null : accountMessages.onlyBuyerRole;
}

/** For callers with a restricted scope, unknown apps are rejected later, as apps outside of it. */
function unknownAppMessage({ fields, caller, knownApps }: AccountForm): { field: string; message: string } | null {
  const apps = sentApps(fields);
  const unknown = caller.scope === 'all' ? apps?.ids.find((id) => !knownApps.has(id)) : undefined;
  return apps && unknown !== undefined ? { field: apps.field, message: unknownIdMessage(apps.field, unknown) } : null;
}
