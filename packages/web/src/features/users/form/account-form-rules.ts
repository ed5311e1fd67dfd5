import { accountMessages, accountNameError, emailError, passwordError, passwordNameError } from '@switchyard/contract/account-rules';
import type { AccountField, AccountFormValues } from './account-form-values.ts';

/** What other accounts use: trimmed names of the same panel in their exact case, addresses of both in lower case (AMB-177). */
export type Taken = { readonly names: ReadonlySet<string>; readonly emails: ReadonlySet<string> };

type Judged = { readonly taken: Taken; /** A new account needs a password. */ readonly isNew: boolean; readonly productName: string };

/** The message of every field that breaks a rule (USER-024 to USER-032, BUY-010). */
export function accountErrors(values: AccountFormValues, { taken, isNew, productName }: Judged): Partial<Record<AccountField, string>> {
  const [name, email] = [values.name.trim(), values.email.trim()];
  const messages: Record<AccountField, string | null> = {
    name: accountNameError(name) ?? (taken.names.has(name) ? accountMessages.nameTaken : null),
    email: emailError(email) ?? (taken.emails.has(email.toLowerCase()) ? accountMessages.emailTaken : null),
    password:
      values.password === '' && !isNew
        ? null
        : (passwordError(values.password) ?? passwordNameError(values.password, { email, productName })),
    currentPassword: null,
    hasAccess: null,
    roles: values.roles.length === 0 ? accountMessages.roles : null,
    appIds: null,
  };
  const errors: Partial<Record<AccountField, string>> = {};
  for (const field of ['name', 'email', 'password', 'roles'] as const) {
    const message = messages[field];
    if (message !== null) errors[field] = message;
  }
  return errors;
}

/** Whether everything is set without which the account cannot be saved (USER-034, USER-036, USER-037). */
export function isComplete(values: AccountFormValues, isNew: boolean): boolean {
  return values.name.trim() !== '' && values.email.trim() !== '' && values.roles.length > 0 && (!isNew || values.password !== '');
}
