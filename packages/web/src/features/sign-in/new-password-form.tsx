import { Button, PasswordInput } from '@mantine/core';
import { passwordError, passwordNameError } from '@switchyard/contract/account-rules';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { passwordBans, passwordNeeds } from '../../shared/accounts/password-help.ts';
import { CallError } from '../../shared/api/call-error.ts';
import { failureText } from '../../shared/session/failure-text.ts';
import { useSettings } from '../../shared/settings.ts';
import classes from './login-page.module.css';

type Props = {
  /** Address of the account, which password managers store with the password; empty if the page does not know it. */
  email: string;
  submitLabel: string;
  /** Sets the password. Its failures are shown here. */
  onSubmit: (password: string) => Promise<void>;
  /** Called when the link turns out to be unknown, used or expired. */
  onEnded: (reason: string) => void;
};

/** Asks for a new password, with the rules on it. The server alone knows which ones are too common. */
export function NewPasswordForm({ email, submitLabel, onSubmit, onEnded }: Props) {
  const { productName } = useSettings();
  const [password, setPassword] = useState('');
  const [failure, setFailure] = useState<string | null>(null);
  const [isRunning, setIsRunning] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);

  async function submit(): Promise<void> {
    const weakness = passwordError(password) ?? passwordNameError(password, { email, productName });
    setFailure(weakness);
    if (weakness !== null) return;
    setIsRunning(true);
    try {
      await onSubmit(password);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      if (error.status === 404) onEnded(error.message);
      else setFailure(failureText(error));
    } finally {
      setIsRunning(false);
      input.current?.focus();
    }
  }

  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (!isRunning) void submit();
  };
  return (
    <form className={classes['form']} noValidate onSubmit={send}>
      {/* Password managers store the password under this name. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordInput
        label="New password"
        ref={input}
        name="password"
        autoComplete="new-password"
        size="md"
        value={password}
        error={failure}
        description={`${passwordNeeds} ${passwordBans}`}
        visibilityToggleFocusable
        aria-invalid={failure !== null}
        onChange={(event) => {
          setPassword(event.currentTarget.value);
          setFailure(null);
        }}
      />
      <Button type="submit" size="md" fullWidth disabled={password === ''} aria-busy={isRunning || undefined}>
        {submitLabel}
      </Button>
    </form>
  );
}
