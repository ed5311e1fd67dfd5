import { trimText, plainForm } from '@switchyard/contract/text-fields';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { accountMessages, accountNameError, emailError, passwordError, passwordNameError } from '@switchyard/contract/account-rules';
import type { Account } from '@switchyard/contract/accounts';
import { checkAccountTaken } from '@switchyard/contract/users';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { generatePassword } from '../../../shared/accounts/generate-password.ts';
import { usePasswordCheck } from '../../../shared/accounts/use-password-check.ts';
import type { CallError } from '../../../shared/api/call-error.ts';
import { call } from '../../../shared/api/call.ts';
import { showRejectedFields } from '../../../shared/form/rejected-fields.ts';
import { useSessionUser } from '../../../shared/session/use-session.ts';
import { useSettings } from '../../../shared/settings.ts';
import { takenKey } from '../account-cache.ts';
import type { AccountPanel } from '../account-panels.ts';
import { changedFields, fieldLabels, fieldOf, valuesOf, type AccountField, type AccountValues } from './account-model.ts';

/** Whether other accounts use the typed name and address. */
type Taken = { readonly name: boolean; readonly email: boolean };

const free: Taken = { name: false, email: false };

/** Milliseconds without a key after which the server is asked. */
const typingPause = 300;

/** Whether the typed name and address are in use. Says that they are free until it is known; the server validates every save anyway. */
function useTaken({ panel }: AccountPanel, { name, email }: { name: string; email: string }, exceptId: number | undefined): Taken {
  const [askedName] = useDebouncedValue(trimText(name), typingPause);
  const [askedEmail] = useDebouncedValue(email.trim(), typingPause);
  const { data = free } = useQuery({
    queryKey: [...takenKey, panel, askedName, askedEmail, exceptId],
    queryFn: async ({ signal }) =>
      (await call(checkAccountTaken, { query: { panel, name: askedName, email: askedEmail, exceptId }, signal, isSilent: true })).data,
    enabled: askedName !== '' || askedEmail !== '',
    staleTime: 0,
  });
  return {
    name: data.name && plainForm(askedName) === plainForm(trimText(name)),
    email: data.email && askedEmail.toLowerCase() === email.trim().toLowerCase(),
  };
}

type Rules = {
  readonly taken: Taken;
  /** A new account needs a password, unless it is invited. */ readonly needsPassword: boolean;
  readonly productName: string;
};

/** The message of every field that breaks a rule. */
function validateAccount(values: AccountValues, { taken, needsPassword, productName }: Rules): Partial<Record<AccountField, string>> {
  const [name, email] = [trimText(values.name), trimText(values.email)];
  const keepsPassword = values.password === '' && !needsPassword;
  const messages = {
    name: accountNameError(name) ?? (taken.name ? accountMessages.nameTaken : null),
    email: emailError(email) ?? (taken.email ? accountMessages.emailTaken : null),
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
  const { values } = form;
  const taken = useTaken(panel, values, account?.id);
  const invalid = validateAccount(values, { taken, needsPassword, productName });
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
    reject: (error: CallError): string[] => showRejectedFields(error, fieldOf, form.setFieldError),
    reset: (next: Account | undefined, edited?: AccountValues): void => {
      setOrigin(next);
      form.setInitialValues(valuesOf(next, silentPassword));
      form.reset();
      if (edited !== undefined) form.setValues(edited);
    },
  };
}
export type AccountDraft = ReturnType<typeof useAccountDraft>;
