import { Button, PasswordInput } from '@mantine/core';
import { accountLabels } from '@switchyard/contract/account-texts';
import { passwordCharacters } from '@switchyard/contract/account-rules';
import { useState } from 'react';
import { CopyIcon } from '../ui/copy-icon.tsx';
import { generatePassword } from './generate-password.ts';
import classes from './new-password-input.module.css';

type Props = {
  id: string;
  value: string;
  onChange: (password: string) => void;
  /** Called when the field loses focus: the password is then likely complete. */
  onLeave: () => void;
  error: string | undefined;
  placeholder?: string;
  isLocked?: boolean;
  isRequired?: boolean;
};

/** A new password with a button that draws one, which is then shown and can be copied (USER-015, USER-017, USER-044). */
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
        maxLength={passwordCharacters.max}
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
