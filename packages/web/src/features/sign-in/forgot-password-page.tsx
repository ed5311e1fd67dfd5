import { Button, TextInput } from '@mantine/core';
import { accountLinkMessages, requestPasswordReset } from '@switchyard/contract/account-links';
import { emailError } from '@switchyard/contract/account-rules';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { CallError } from '../../shared/api/call-error.ts';
import { call } from '../../shared/api/call.ts';
import { failureText } from '../../shared/session/failure-text.ts';
import { VisibleText } from '../../shared/ui/visible-text.tsx';
import { EndedLink, SignInLink } from './ended-link.tsx';
import { LoginFrame } from './login-frame.tsx';
import classes from './login-page.module.css';
import { passwordResetQuery } from './password-reset-query.ts';

const showsFailureItself = (): boolean => true;
const title = 'Forgot your password?';

/** Asks for a mail with a link for a new password. What it says is the same for every address. */
export function ForgotPasswordPage() {
  const [email, setEmail] = useState('');
  const [failure, setFailure] = useState<string | null>(null);
  const [isRunning, setIsRunning] = useState(false);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const { data } = useQuery(passwordResetQuery);

  async function submit(): Promise<void> {
    const trimmedEmail = email.trim();
    setFailure(emailError(trimmedEmail));
    if (emailError(trimmedEmail) !== null) return;
    setIsRunning(true);
    try {
      await call(requestPasswordReset, { body: { email: trimmedEmail }, showsFailureItself });
      setSentTo(trimmedEmail);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setFailure(failureText(error));
    } finally {
      setIsRunning(false);
    }
  }

  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (!isRunning) void submit();
  };
  if (data?.data.available === false) return <EndedLink title={title} reason={accountLinkMessages.resetOff} />;
  return (
    <LoginFrame title={title}>
      {sentTo === null ? (
        <form className={classes['form']} noValidate onSubmit={send}>
          <p className={classes['text']}>Enter the email address of your account. You get a link to choose a new password.</p>
          <TextInput
            label="Email"
            type="email"
            name="email"
            autoComplete="username"
            ref={input}
            size="md"
            value={email}
            error={failure}
            onChange={(event) => {
              setEmail(event.currentTarget.value);
              setFailure(null);
            }}
          />
          <Button type="submit" size="md" fullWidth disabled={email.trim() === ''} aria-busy={isRunning || undefined}>
            Send link
          </Button>
        </form>
      ) : (
        <output className={classes['text']}>
          If there is an account with the address{' '}
          <strong>
            <VisibleText text={sentTo} />
          </strong>
          , a message with a link is on its way. The link works for one hour. Look in the spam folder, too.
        </output>
      )}
      <SignInLink />
    </LoginFrame>
  );
}
