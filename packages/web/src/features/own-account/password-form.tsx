import { Button } from '@mantine/core';
import { passwordError, passwordNameError } from '@switchyard/contract/account-rules';
import { changeOwnPassword } from '@switchyard/contract/own-sessions';
import { useId, useState } from 'react';
import { CurrentPasswordInput } from '../../shared/accounts/current-password-input.tsx';
import { NewPasswordInput } from '../../shared/accounts/new-password-input.tsx';
import { usePasswordCheck } from '../../shared/accounts/use-password-check.ts';
import type { CallError } from '../../shared/api/call-error.ts';
import { call } from '../../shared/api/call.ts';
import { FieldLabel } from '../../shared/form/field-label.tsx';
import { FormSection } from '../../shared/form/form-section.tsx';
import { PageForm } from '../../shared/form/page-form.tsx';
import { refusedFields } from '../../shared/form/refused-fields.ts';
import { useSaving } from '../../shared/form/use-saving.ts';
import { useSettings } from '../../shared/settings.ts';
import classes from './account-page.module.css';

type Field = 'current' | 'password';
type Passwords = Readonly<Record<Field, string>>;

const empty: Passwords = { current: '', password: '' };
const fieldOf = (key: string): Field | undefined => (key === 'current_password' ? 'current' : key === 'password' ? 'password' : undefined);

/** Changes the own password; the current one proves that it is the holder of the account who asks (O39). */
export function PasswordForm({ email, onSaved }: { email: string; onSaved: () => void }) {
  const id = useId();
  const { productName } = useSettings();
  const [values, setValues] = useState(empty);
  const [refused, setRefused] = useState<Partial<Record<Field, string>>>({});
  const changed = Object.values(values).filter((typed) => typed !== '');
  const begin = (): void => {
    setValues(empty);
    setRefused({});
  };
  const saving = useSaving<null>(
    {
      changed,
      origin: null,
      begin,
      refuse: (error: CallError) =>
        refusedFields(error, fieldOf, (field, message) => setRefused((shown) => ({ ...shown, [field]: message }))),
    },
    { onSaved },
  );
  const broken =
    values.password === '' ? null : (passwordError(values.password) ?? passwordNameError(values.password, { email, productName }));
  const passwordCheck = usePasswordCheck({ password: values.password, email });
  const passwordMessage = refused.password ?? broken ?? passwordCheck.error ?? undefined;
  const isEnabled = values.current !== '' && values.password !== '' && passwordMessage === undefined && refused.current === undefined;

  const set = (field: Field, typed: string): void => {
    setValues((before) => ({ ...before, [field]: typed }));
    setRefused((before) => ({ ...before, [field]: undefined }));
  };
  const save = async (): Promise<null> => {
    const body = { current_password: values.current, password: values.password };
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
        <CurrentPasswordInput value={values.current} onChange={(typed) => set('current', typed)} error={refused.current} />
        <div>
          <FieldLabel
            label="New password"
            help="At least 12 characters with a digit and letters in lower and upper case. Common passwords and your own name are rejected"
            htmlFor={`${id}-password`}
            isRequired
          />
          <NewPasswordInput
            id={`${id}-password`}
            value={values.password}
            onChange={(typed) => set('password', typed)}
            onLeave={() => {
              if (broken === null) void passwordCheck.check();
            }}
            error={passwordMessage}
            isRequired
          />
        </div>
        {saving.strays.map((text) => (
          <p key={text} role="alert" className={classes['strays']}>
            {text}
          </p>
        ))}
        <div className={classes['buttons']}>
          <Button type="submit" disabled={!isEnabled || saving.isBusy} aria-busy={saving.isBusy || undefined}>
            Change password
          </Button>
          {changed.length > 0 && (
            <Button variant="subtle" color="neutral" onClick={saving.discard}>
              Discard
            </Button>
          )}
        </div>
      </FormSection>
    </PageForm>
  );
}
