import { trimText, plainForm } from '@switchyard/contract/text-fields';
import { useForm } from '@mantine/form';
import { accountMessages, accountNameError, emailError, passwordError, passwordNameError } from '@switchyard/contract/account-rules';
import type { Account } from '@switchyard/contract/accounts';
import { listPickBuyers } from '@switchyard/contract/pick-lists';
import { listPickUsers } from '@switchyard/contract/users';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { generatePassword } from '../../../shared/accounts/generate-password.ts';
import { usePasswordCheck } from '../../../shared/accounts/use-password-check.ts';
import { isForbidden, type CallError } from '../../../shared/api/call-error.ts';
import { call } from '../../../shared/api/call.ts';
import { showRejectedFields } from '../../../shared/form/rejected-fields.ts';
import { useSessionUser } from '../../../shared/session/use-session.ts';
import { useSettings } from '../../../shared/settings.ts';
import { takenKey } from '../account-cache.ts';
import type { AccountPanel } from '../account-panels.ts';
import { changedFields, fieldLabels, fieldOf, valuesOf, type AccountField, type AccountValues } from './account-model.ts';

/** Names and addresses of other accounts: trimmed names of the same panel in their exact case, addresses of both panels in lower case. */
type TakenNames = { readonly names: ReadonlySet<string>; readonly emails: ReadonlySet<string> };

type NamedAccount = { id: number; name: string; email: string };

async function loadNamed(signal: AbortSignal): Promise<{ user: NamedAccount[]; buyer: NamedAccount[] }> {
  const silently = { signal, isSilent: true } as const;
  const [users, buyers] = await Promise.all([call(listPickUsers, silently), call(listPickBuyers, silently)]);
  return { user: users.data, buyer: buyers.data };
}

const none: TakenNames = { names: new Set(), emails: new Set() };

/** Names and addresses of other accounts, loaded when a form opens. Empty until then; the server validates every save anyway. */
function useTaken({ panel }: AccountPanel, exceptId: number | undefined): TakenNames {
  const { data } = useQuery({ queryKey: takenKey, queryFn: ({ signal }) => loadNamed(signal), staleTime: 0 });
  return useMemo(() => {
    if (data === undefined) return none;
    const others = (list: NamedAccount[]): NamedAccount[] => list.filter(({ id }) => id !== exceptId);
    return {
      names: new Set(others(data[panel]).map(({ name }) => plainForm(trimText(name)))),
      emails: new Set(others([...data.user, ...data.buyer]).map(({ email }) => email.trim().toLowerCase())),
    };
  }, [data, panel, exceptId]);
}

type Rules = {
  readonly takenNames: TakenNames;
  /** A new account needs a password, unless it is invited. */ readonly needsPassword: boolean;
  readonly productName: string;
};

/** The message of every field that breaks a rule. */
function validateAccount(values: AccountValues, { takenNames, needsPassword, productName }: Rules): Partial<Record<AccountField, string>> {
  const [name, email] = [trimText(values.name), trimText(values.email)];
  const keepsPassword = values.password === '' && !needsPassword;
  const messages = {
    name: accountNameError(name) ?? (takenNames.names.has(plainForm(name)) ? accountMessages.nameTaken : null),
    email: emailError(email) ?? (takenNames.emails.has(email.toLowerCase()) ? accountMessages.emailTaken : null),
    password: keepsPassword ? null : (passwordError(values.password) ?? passwordNameError(values.password, { email, productName })),
    roles: values.roles.length === 0 ? accountMessages.roles : null,
  };
  const errors: Partial<Record<AccountField, string>> = {};
  for (const field of ['name', 'email', 'password', 'roles'] as const) {
    const message = messages[field];
    if (message !== null) errors[field] = message;
  }
  return errors;
}

const allFields = [
  'name',
  'email',
  'password',
  'currentPassword',
  'hasAccess',
  'roles',
  'appIds',
] as const satisfies readonly AccountField[];

/**
 * The draft of an account. A field shows its error from its first change on; a message of the server stays until the field
 * is edited.
 */
export function useAccountDraft(panel: AccountPanel, account: Account | undefined) {
  const { loginMethods, productName } = useSettings();
  const reader = useSessionUser();
  const hasPassword = loginMethods !== 'google';
  const isNew = account === undefined;
  const [origin, setOrigin] = useState(account);
  const [isInvited, setInvited] = useState(false);
  const needsPassword = isNew && !isInvited;
  // Where nobody signs in with a password, a new account gets a random one that nobody sees.
  const [silentPassword] = useState(() => (isNew && !hasPassword ? generatePassword() : ''));
  const form = useForm<AccountValues>({
    mode: 'controlled',
    initialValues: valuesOf(origin, silentPassword),
    clearInputErrorOnChange: false,
  });
  const takenValues = useTaken(panel, account?.id);
  const { values } = form;
  const invalid = validateAccount(values, { takenNames: takenValues, needsPassword, productName });
  const passwordCheck = usePasswordCheck({ password: values.password, email: values.email.trim() });
  const asksCurrentPassword = hasPassword && values.password !== '' && account !== undefined && account.id === reader?.id;

  const errorOf = (field: AccountField): string | undefined => {
    const rejection = form.errors[field];
    if (typeof rejection === 'string') return rejection;
    if (!form.isTouched(field)) return undefined;
    return invalid[field] ?? (field === 'password' ? (passwordCheck.error ?? undefined) : undefined);
  };

  return {
    isNew,
    hasPassword,
    /** Whether the owner of the new account sets the password through a link. */
    isInvited,
    setInvited: (next: boolean): void => {
      setInvited(next);
      form.clearFieldError('password');
      form.setValues({ password: '' });
    },
    /** Whether the reader's current password is required: the account is the reader's own and gets a new password. */
    asksCurrentPassword,
    values,
    origin,
    changedFields: changedFields(valuesOf(origin, silentPassword), values),
    missing: [
      ...(values.name.trim() === '' ? [fieldLabels.name] : []),
      ...(values.email.trim() === '' ? [fieldLabels.email] : []),
      ...(needsPassword && values.password === '' ? [fieldLabels.password] : []),
      ...(asksCurrentPassword && values.currentPassword === '' ? [fieldLabels.currentPassword] : []),
      ...(values.roles.length === 0 ? ['at least one role'] : []),
    ],
    errorOf,
    errorCount: allFields.filter((field) => errorOf(field) !== undefined).length,
    /** Call when the password field loses focus: shows what only the server can reject, before the form is saved. */
    leavePassword: (): void => {
      if (invalid.password === undefined) void passwordCheck.check();
    },
    /** Applies what was typed or picked. */
    set: (patch: Partial<AccountValues>): void => {
      const editedKeys = Object.keys(patch);
      for (const field of editedKeys) form.clearFieldError(field);
      form.setTouched((before) => ({ ...before, ...Object.fromEntries(editedKeys.map((field) => [field, true])) }));
      form.setValues(patch);
    },
    reject: (error: CallError): string[] => [
      ...showRejectedFields(error, fieldOf, form.setFieldError),
      ...(isForbidden(error) ? [error.message] : []),
    ],
    reset: (next: Account | undefined): void => {
      setOrigin(next);
      form.setInitialValues(valuesOf(next, silentPassword));
      form.reset();
    },
  };
}
export type AccountDraft = ReturnType<typeof useAccountDraft>;
