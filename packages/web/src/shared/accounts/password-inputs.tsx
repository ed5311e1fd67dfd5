import { Button, PasswordInput } from '@mantine/core';
import { accountLabels } from '@switchyard/contract/account-texts';
import { useId, useState } from 'react';
import { FieldLabel } from '../form/field-label.tsx';
import { CopyIcon } from '../ui/copy.tsx';
import { generatePassword } from './generate-password.ts';
import classes from './password-inputs.module.css';

type Props = {
  id: string;
  value: string;
  onChange: (password: string) => void;
  /** Called when the field loses focus, because the password is then likely complete. */
  onLeave: () => void;
  error: string | undefined;
  placeholder?: string;
  isLocked?: boolean;
  isRequired?: boolean;
};

/** A new password, with a button that generates one, which is then shown and can be copied. */
export function NewPasswordInput({ id, value, onChange, onLeave, error, placeholder = '', isLocked = false, isRequired = false }: Props) {
  const [isShown, setShown] = useState(false);
  return (
    <div className={classes['password']}>
      <PasswordInput
        id={id}
        name="password"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        onBlur={onLeave}
        error={error}
        placeholder={placeholder}
        disabled={isLocked}
        aria-required={isRequired || undefined}
        aria-invalid={error !== undefined}
        autoComplete="new-password"
        visible={isShown}
        onVisibilityChange={setShown}
        visibilityToggleButtonProps={{ 'aria-label': isShown ? 'Hide the password' : 'Show the password', tabIndex: 0 }}
      />
      <Button
        variant="default"
        disabled={isLocked}
        onClick={() => {
          onChange(generatePassword());
          setShown(true);
        }}
      >
        {accountLabels.generatePassword}
      </Button>
      {isShown && value !== '' && <CopyIcon text={value} label="Copy the password" className={classes['copy']} />}
    </div>
  );
}

/** The reader's own password, which proves that the owner of the account is asking. */
export function CurrentPasswordInput({ value, onChange, error }: Pick<Props, 'value' | 'onChange' | 'error'>) {
  const id = useId();
  return (
    <div>
      <FieldLabel label="Current password" help="Your current password, to confirm that it is you" htmlFor={id} isRequired />
      <PasswordInput
        id={id}
        name="current_password"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={error}
        aria-required
        aria-invalid={error !== undefined}
        autoComplete="current-password"
        visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the current password', tabIndex: 0 }}
      />
    </div>
  );
}
