import { trimText } from '@switchyard/contract/text-fields';
import { account as accountSchema, type Account, type CreateAccountBody, type SaveAccountBody } from '@switchyard/contract/accounts';
import { testerBadge } from '@switchyard/contract/account-rules';
import { seededRoles } from '@switchyard/contract/permissions';
import { changedLabels, mergeFields, type ComparedField } from '../../../shared/form/conflict.ts';
import type { EntityModel } from '../../../shared/form/use-draft.ts';
import type { AccountPanel } from '../account-panels.ts';

/** The form of an account: roles by label, app ids in ascending order, an empty password to keep the stored one. */
export type AccountValues = {
  name: string;
  email: string;
  password: string;
  /** The reader's own password, required with a new password of the own account. */
  currentPassword: string;
  hasAccess: boolean;
  roles: readonly string[];
  appIds: readonly number[];
};
export type AccountField = keyof AccountValues;

export const fieldLabels: Record<AccountField, string> = {
  name: 'Name',
  email: 'Email',
  password: 'Password',
  currentPassword: 'Current password',
  hasAccess: 'Has Access',
  roles: 'Roles',
  appIds: 'Apps',
};

/** The form of an account, or of a new one; `password` is what a new one starts with. */
export function valuesOf(account: Account | undefined, password = ''): AccountValues {
  if (account === undefined) return { name: '', email: '', password, currentPassword: '', hasAccess: true, roles: [], appIds: [] };
  const { name, email, hasAccess, roles, appIds } = account;
  return { name, email, password: '', currentPassword: '', hasAccess, roles, appIds };
}

/** The values as they are stored: without surrounding spaces, sets in a fixed order. */
function normalize(values: AccountValues): AccountValues {
  return {
    ...values,
    name: trimText(values.name),
    email: trimText(values.email),
    roles: values.roles.toSorted(),
    appIds: values.appIds.toSorted((a, b) => a - b),
  };
}

// The current password changes nothing by itself, so it is not compared.
const fields: readonly ComparedField<AccountValues>[] = [
  { label: fieldLabels.name, value: (values) => normalize(values).name },
  { label: fieldLabels.email, value: (values) => normalize(values).email },
  { label: fieldLabels.password, value: ({ password }) => password, text: ({ password }) => (password === '' ? '' : '••••••••') },
  { label: fieldLabels.hasAccess, value: ({ hasAccess }) => hasAccess, text: ({ hasAccess }) => (hasAccess ? 'yes' : 'no') },
  { label: fieldLabels.roles, value: (values) => normalize(values).roles, text: ({ roles }) => roles.join(', ') },
  { label: fieldLabels.appIds, value: (values) => normalize(values).appIds, text: ({ appIds }) => `${appIds.length} chosen` },
];

/** Labels of the fields that differ. */
export function changedFields(loadedValues: AccountValues, values: AccountValues): string[] {
  return changedLabels(fields, loadedValues, values);
}

/** How an account of a panel is edited. */
export function accountModel({ noun }: Pick<AccountPanel, 'noun'>): EntityModel<Account, AccountValues> {
  return {
    noun,
    schema: accountSchema,
    valuesOf,
    fieldsOf: () => fields,
    merge: ({ loaded, theirs, mine }) => mergeFields({ loaded: normalize(loaded), theirs: normalize(theirs), mine: normalize(mine) }),
  };
}

const testerRole = seededRoles.find(({ badge }) => badge === testerBadge)?.name;

/** Whether the chosen roles make the account a tester. */
function isTester(roles: readonly string[]): boolean {
  return testerRole !== undefined && roles.includes(testerRole);
}

/**
 * The body of a new account. A password is sent only if people sign in with one, apps only for a buyer: a new user gets
 * the apps of its creator.
 */
export function createBody(values: AccountValues, sends: { password: boolean; apps: boolean }): CreateAccountBody {
  const { name, email, roles, hasAccess, appIds, password } = normalize(values);
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

/** The body of a change. Unchanged fields are left out, so they keep what somebody else may have saved. */
export function saveBody(loadedValues: AccountValues, values: AccountValues): SaveAccountBody {
  const labels = changedFields(loadedValues, values);
  const isChanged = (field: AccountField): boolean => labels.includes(fieldLabels[field]);
  const { name, email, roles, hasAccess, password, currentPassword } = normalize(values);
  return {
    ...(isChanged('name') ? { name } : {}),
    ...(isChanged('email') ? { email } : {}),
    ...(isChanged('password') ? { password } : {}),
    ...(isChanged('password') && currentPassword !== '' ? { current_password: currentPassword } : {}),
    ...(isChanged('hasAccess') ? { has_access: hasAccess } : {}),
    ...(isChanged('roles') ? { roles: [...roles], isQa: isTester(roles) } : {}),
  };
}

const fieldByKey: Readonly<Record<string, AccountField>> = {
  name: 'name',
  email: 'email',
  password: 'password',
  current_password: 'currentPassword',
  has_access: 'hasAccess',
  hasAccess: 'hasAccess',
  roles: 'roles',
  app_ids: 'appIds',
  appIds: 'appIds',
};

/** The field of a key of a 422 response; undefined if the form has none for it. */
export function fieldOf(key: string): AccountField | undefined {
  return Object.hasOwn(fieldByKey, key) ? fieldByKey[key] : undefined;
}
