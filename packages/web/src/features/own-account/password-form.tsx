import { Button, Checkbox } from '@mantine/core';
import { passwordError, passwordNameError } from '@switchyard/contract/account-rules';
import { changeOwnPassword } from '@switchyard/contract/own-sessions';
import { useId, useState } from 'react';
import { passwordBans, passwordNeeds } from '../../shared/accounts/password-help.ts';
import { CurrentPasswordInput, NewPasswordInput } from '../../shared/accounts/password-inputs.tsx';
import { usePasswordCheck } from '../../shared/accounts/use-password-check.ts';
import type { CallError } from '../../shared/api/call-error.ts';
import { call } from '../../shared/api/call.ts';
import { FieldLabel } from '../../shared/form/field-label.tsx';
import { FormSection } from '../../shared/form/form-section.tsx';
import { PageForm } from '../../shared/form/page-form.tsx';
import { showRejectedFields } from '../../shared/form/rejected-fields.ts';
import { useSaving } from '../../shared/form/use-saving.ts';
import { useSettings } from '../../shared/settings.ts';
import { revokeTokensLabel } from './other-sessions.ts';
import classes from './account-page.module.css';

type Field = 'current' | 'password';
type Passwords = Readonly<Record<Field, string>>;

const empty: Passwords = { current: '', password: '' };
const fieldOf = (key: string): Field | undefined => (key === 'current_password' ? 'current' : key === 'password' ? 'password' : undefined);

/** Changes the reader's own password. The current one proves that the owner of the account is asking. */
export function PasswordForm({ email, onSaved }: { email: string; onSaved: () => void }) {
  const id = useId();
  const { productName } = useSettings();
  const [values, setValues] = useState(empty);
  const [revokesTokens, setRevokesTokens] = useState(true);
  const [rejections, setRejections] = useState<Partial<Record<Field, string>>>({});
  const changes = Object.values(values).filter((text) => text !== '');
  const reset = (): void => {
    setValues(empty);
    setRejections({});
  };
  const saving = useSaving<null>(
    {
      changedFields: changes,
      origin: null,
      reset,
      reject: (error: CallError) =>
        showRejectedFields(error, fieldOf, (field, message) => setRejections((messages) => ({ ...messages, [field]: message }))),
    },
    { onSaved },
  );
  const invalid =
    values.password === '' ? null : (passwordError(values.password) ?? passwordNameError(values.password, { email, productName }));
  const passwordCheck = usePasswordCheck({ password: values.password, email });
  const passwordMessage = rejections.password ?? invalid ?? passwordCheck.error ?? undefined;
  const isEnabled = values.current !== '' && values.password !== '' && passwordMessage === undefined && rejections.current === undefined;

  const set = (field: Field, text: string): void => {
    setValues((before) => ({ ...before, [field]: text }));
    setRejections((before) => ({ ...before, [field]: undefined }));
  };
  const save = async (): Promise<null> => {
    const body = { current_password: values.current, password: values.password, revoke_tokens: revokesTokens };
    await call(changeOwnPassword, { body, showsFailureItself: (status) => status === 422 });
    return null;
  };
  return (
    <PageForm
      label="Change password"
      takeElement={saving.takeElement}
      onSubmit={() => {
        if (isEnabled) void saving.whileBusy(() => saving.store(save));
      }}
    >
      <FormSection title="Password" summary="A new password ends all your other sessions.">
        <CurrentPasswordInput value={values.current} onChange={(text) => set('current', text)} error={rejections.current} />
        <div>
          <FieldLabel label="New password" help={`${passwordNeeds} ${passwordBans}`} htmlFor={`${id}-password`} isRequired />
          <NewPasswordInput
            id={`${id}-password`}
            value={values.password}
            onChange={(text) => set('password', text)}
            onLeave={() => {
              if (invalid === null) void passwordCheck.check();
            }}
            error={passwordMessage}
            isRequired
          />
        </div>
        <Checkbox
          label={revokeTokensLabel}
          checked={revokesTokens}
          onChange={({ currentTarget }) => setRevokesTokens(currentTarget.checked)}
        />
        {saving.unmatchedMessages.map((text) => (
          <p key={text} role="alert" className={classes['unmatched']}>
            {text}
          </p>
        ))}
        <div className="wrap">
          <Button type="submit" disabled={!isEnabled || saving.isBusy} aria-busy={saving.isBusy || undefined}>
            Change password
          </Button>
          {changes.length > 0 && (
            <Button variant="subtle" color="neutral" onClick={() => saving.discard(null)}>
              Discard
            </Button>
          )}
        </div>
      </FormSection>
    </PageForm>
  );
}
