import { Button, Checkbox, TextInput } from '@mantine/core';
import { accountLinkHours } from '@switchyard/contract/account-links';
import { emailCharacters, nameCharacters } from '@switchyard/contract/account-rules';
import { accountLabels, accountTooltips } from '@switchyard/contract/account-texts';
import { useId } from 'react';
import { CurrentPasswordInput, NewPasswordInput } from '../../../shared/accounts/password-inputs.tsx';
import { FieldLabel } from '../../../shared/form/field-label.tsx';
import { limitProps } from '../../../shared/form/limited.ts';
import { useSessionUser } from '../../../shared/session/use-session.ts';
import { TooltipIcon } from '../../../shared/ui/hover-tooltip.tsx';
import classes from './account-form.module.css';
import { fieldLabels } from './account-model.ts';
import { accessLock } from './account-rights.ts';
import type { AccountDraft } from './use-account-draft.ts';

type Props = { form: AccountDraft; /** Whether all fields are read-only. */ isLocked: boolean };

const help = {
  otherEmail: `${accountTooltips.email}. A new address signs the person out everywhere`,
  name: 'Name shown in the console: at least 3 characters, unique in this panel',
  newPassword: 'At least 12 characters with a digit and letters in lower and upper case. It is never shown again after saving',
  password: 'Leave empty to keep the current one. A new password signs the person out everywhere',
  access: 'Allows the user to sign in to the platform. Without it, current users of the account are signed out',
} as const;

/** Name and e-mail address. Only some accounts may change the address of an existing one. */
export function NameFields({ form, isLocked }: Props) {
  const id = useId();
  const mayChangeEmail = useMayChangeEmail();
  const isEmailLocked = isLocked || (!form.isNew && !mayChangeEmail);
  return (
    <>
      <div>
        <FieldLabel label={fieldLabels.name} help={help.name} htmlFor={`${id}-name`} isRequired />
        <TextInput
          id={`${id}-name`}
          name="name"
          value={form.values.name}
          onChange={(event) => form.set({ name: event.currentTarget.value })}
          error={form.errorOf('name')}
          {...limitProps(form.values.name, nameCharacters.max)}
          readOnly={isLocked}
          data-locked={isLocked || undefined}
          aria-required
          autoComplete="off"
          spellCheck={false}
        />
      </div>
      <div>
        <FieldLabel
          label={fieldLabels.email}
          help={form.isNew ? accountTooltips.email : help.otherEmail}
          htmlFor={`${id}-email`}
          isRequired
        />
        <TextInput
          id={`${id}-email`}
          name="email"
          inputMode="email"
          value={form.values.email}
          onChange={(event) => form.set({ email: event.currentTarget.value })}
          error={form.errorOf('email')}
          maxLength={emailCharacters}
          readOnly={isEmailLocked}
          data-locked={isEmailLocked || undefined}
          aria-required
          autoComplete="off"
          spellCheck={false}
        />
      </div>
    </>
  );
}

/** Whether the reader holds the Super Admin or the Admin role. */
function useMayChangeEmail(): boolean {
  const user = useSessionUser();
  return user !== null && (user.isSuperAdmin || user.roles.some((label) => label === 'Admin' || label === 'Super Admin'));
}

/** A new password, or for a new account an invitation instead; only shown where people sign in with passwords. */
export function PasswordField({ form, isLocked }: Props) {
  const id = useId();
  if (!form.hasPassword) return null;
  return (
    <>
      <div>
        {form.isInvited ? (
          <p className="note">The person chooses the password through a link that works once, for {accountLinkHours.invitation} hours.</p>
        ) : (
          <>
            <FieldLabel
              label={fieldLabels.password}
              help={form.isNew ? help.newPassword : help.password}
              htmlFor={`${id}-password`}
              isRequired={form.isNew}
            />
            <NewPasswordInput
              id={`${id}-password`}
              value={form.values.password}
              onChange={(password) => form.set({ password })}
              onLeave={form.leavePassword}
              error={form.errorOf('password')}
              placeholder={form.isNew ? '' : 'Unchanged'}
              isLocked={isLocked}
              isRequired={form.isNew}
            />
          </>
        )}
        {form.isNew && (
          <Button variant="subtle" size="compact-sm" ml={-8} disabled={isLocked} onClick={() => form.setInvited(!form.isInvited)}>
            {form.isInvited ? 'Set a password instead' : 'Invite by link instead'}
          </Button>
        )}
      </div>
      {form.asksCurrentPassword && (
        <CurrentPasswordInput
          value={form.values.currentPassword}
          onChange={(currentPassword) => form.set({ currentPassword })}
          error={form.errorOf('currentPassword')}
        />
      )}
    </>
  );
}

/** Whether the account may sign in at all. */
export function AccessField({ form, isLocked }: Props) {
  const reader = useSessionUser();
  const lock = reader === null ? null : accessLock(form.origin, reader);
  return (
    <div className={classes['check']}>
      <Checkbox
        label={accountLabels.hasAccess}
        checked={form.values.hasAccess}
        disabled={isLocked || lock !== null}
        error={form.errorOf('hasAccess')}
        onChange={(event) => form.set({ hasAccess: event.currentTarget.checked })}
      />
      <TooltipIcon label={lock ?? help.access} size="s" />
    </div>
  );
}
