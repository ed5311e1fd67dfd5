import type { Account, CreateAccountBody, SaveAccountBody } from '@switchyard/contract/accounts';
import { testerBadge } from '@switchyard/contract/account-rules';
import { seededRoles } from '@switchyard/contract/permissions';
import { isSame } from '../../../shared/form/conflict/three-states.ts';

/** The form's own shape: roles by label, app ids in ascending order, the password empty while it stays as it is. */
export type AccountFormValues = {
  name: string;
  email: string;
  password: string;
  /** The reader's own, asked for with a new password of the own account (O39). */
  currentPassword: string;
  hasAccess: boolean;
  roles: readonly string[];
  appIds: readonly number[];
};
export type AccountField = keyof AccountFormValues;

/** What the fields are called. */
export const fieldLabels: Record<AccountField, string> = {
  name: 'Name',
  email: 'Email',
  password: 'Password',
  currentPassword: 'Current password',
  hasAccess: 'Has Access',
  roles: 'Roles',
  appIds: 'Apps',
};
const fields = ['name', 'email', 'password', 'hasAccess', 'roles', 'appIds'] as const satisfies readonly AccountField[];

/** What the form shows of an account, or of a new one (USER-018); `password` is what a new one begins with. */
export function valuesOf(account: Account | undefined, password = ''): AccountFormValues {
  if (account === undefined) return { name: '', email: '', password, currentPassword: '', hasAccess: true, roles: [], appIds: [] };
  const { name, email, hasAccess, roles, appIds } = account;
  return { name, email, password: '', currentPassword: '', hasAccess, roles, appIds };
}

/** Which fields differ from what was loaded; the current password changes nothing by itself. */
export function changedFields(loaded: AccountFormValues, values: AccountFormValues): AccountField[] {
  const [before, now] = [settled(loaded), settled(values)];
  return fields.filter((field) => !isSame(before[field], now[field]));
}

function settled(values: AccountFormValues): AccountFormValues {
  return {
    ...values,
    name: values.name.trim(),
    email: values.email.trim(),
    roles: values.roles.toSorted(),
    appIds: values.appIds.toSorted((a, b) => a - b),
  };
}

const testerRole = seededRoles.find(({ badge }) => badge === testerBadge)?.name;

/** Whether the roles chosen make a tester (AMB-175). */
function isTester(roles: readonly string[]): boolean {
  return testerRole !== undefined && roles.includes(testerRole);
}

/**
 * The body of a new account. A password is sent only where people sign in with one (USER-033), apps only for a buyer:
 * a new user's follow from who creates it (api 0.11).
 */
export function createBody(values: AccountFormValues, sends: { password: boolean; apps: boolean }): CreateAccountBody {
  const { name, email, roles, hasAccess, appIds, password } = settled(values);
  return {
    name,
    email,
    roles: [...roles],
    has_access: hasAccess,
    isQa: isTester(roles),
    ...(sends.password ? { password } : {}),
    ...(sends.apps ? { app_ids: [...appIds] } : {}),
  };
}

/** The body of a change: what is not changed is left out, so that it stays as whoever else saved it. */
export function saveBody(loaded: AccountFormValues, values: AccountFormValues): SaveAccountBody {
  const changed = changedFields(loaded, values);
  const { name, email, roles, hasAccess, password, currentPassword } = settled(values);
  return {
    ...(changed.includes('name') ? { name } : {}),
    ...(changed.includes('email') ? { email } : {}),
    ...(changed.includes('password') ? { password } : {}),
    ...(changed.includes('password') && currentPassword !== '' ? { current_password: currentPassword } : {}),
    ...(changed.includes('hasAccess') ? { has_access: hasAccess } : {}),
    ...(changed.includes('roles') ? { roles: [...roles], isQa: isTester(roles) } : {}),
  };
}

/** The field that a key of a 422 answer means; undefined when the form has none. */
export function fieldOf(key: string): AccountField | undefined {
  if (key === 'has_access') return 'hasAccess';
  if (key === 'app_ids') return 'appIds';
  if (key === 'current_password') return 'currentPassword';
  return fields.find((field) => field === key);
}
