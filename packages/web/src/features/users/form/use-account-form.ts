import { useForm } from '@mantine/form';
import type { Account } from '@switchyard/contract/accounts';
import { useState } from 'react';
import { generatePassword } from '../../../shared/accounts/generate-password.ts';
import { usePasswordCheck } from '../../../shared/accounts/use-password-check.ts';
import type { CallError } from '../../../shared/api/call-error.ts';
import { refusedFields } from '../../../shared/form/refused-fields.ts';
import { useSessionUser } from '../../../shared/session/use-session.ts';
import { useSettings } from '../../../shared/settings.ts';
import type { AccountPanel } from '../account-panels.ts';
import { accountErrors, isComplete } from './account-form-rules.ts';
import { changedFields, fieldOf, valuesOf, type AccountField, type AccountFormValues } from './account-form-values.ts';
import { useTaken } from './use-taken.ts';

/**
 * State of the form of an account. A field shows what is wrong with it from its first change on (AMB-181); what the
 * server refused stays until the field is edited. `origin` is the account that the form began with.
 */
export function useAccountForm(panel: AccountPanel, account: Account | undefined) {
  const { loginMethods, productName } = useSettings();
  const reader = useSessionUser();
  const hasPassword = loginMethods !== 'google';
  const isNew = account === undefined;
  const [origin, setOrigin] = useState(account);
  // Where nobody signs in with a password, a new account gets one that nobody sees (USER-016, AMB-176).
  const [silentPassword] = useState(() => (isNew && !hasPassword ? generatePassword() : ''));
  const loaded = valuesOf(origin, silentPassword);
  const form = useForm<AccountFormValues>({ mode: 'controlled', initialValues: loaded, clearInputErrorOnChange: false });
  const taken = useTaken(panel, account?.id);
  const { values } = form;
  const broken = accountErrors(values, { taken, isNew, productName });
  const passwordCheck = usePasswordCheck({ password: values.password, email: values.email.trim() });
  const asksCurrentPassword = hasPassword && values.password !== '' && account !== undefined && account.id === reader?.id;

  const errorOf = (field: AccountField): string | undefined => {
    const refused = form.errors[field];
    if (typeof refused === 'string') return refused;
    if (!form.isTouched(field)) return undefined;
    return broken[field] ?? (field === 'password' ? (passwordCheck.error ?? undefined) : undefined);
  };
  const errorCount = (['name', 'email', 'password', 'currentPassword', 'hasAccess', 'roles', 'appIds'] as const).filter(
    (field) => errorOf(field) !== undefined,
  ).length;

  return {
    isNew,
    hasPassword,
    /** Whether the current password has to come with the new one, which is the reader's own (O39). */
    asksCurrentPassword,
    values,
    loaded,
    origin,
    changed: changedFields(loaded, values),
    isComplete: isComplete(values, isNew) && (!asksCurrentPassword || values.currentPassword !== ''),
    errorOf,
    errorCount,
    /** Call when the password field loses focus: shows what only the server can reject before the form is saved. */
    leavePassword: (): void => {
      if (broken.password === undefined) void passwordCheck.check();
    },
    /** Takes over what was typed or picked. */
    set: (patch: Partial<AccountFormValues>): void => {
      const edited = Object.keys(patch);
      for (const field of edited) form.clearFieldError(field);
      form.setTouched((before) => ({ ...before, ...Object.fromEntries(edited.map((field) => [field, true])) }));
      form.setValues(patch);
    },
    /** Shows what the server refused; gives the messages that belong to no field. */
    refuse: (error: CallError): string[] => [
      ...refusedFields(error, fieldOf, form.setFieldError),
      ...(error.status === 403 ? [error.message] : []),
    ],
    /** Begins anew from an account, e.g. as it was saved. */
    begin: (next: Account | undefined): void => {
      setOrigin(next);
      form.setInitialValues(valuesOf(next, silentPassword));
      form.reset();
    },
  };
}
export type AccountFormState = ReturnType<typeof useAccountForm>;
