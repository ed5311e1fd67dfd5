import { signIn, type SignInAnswer } from '@switchyard/contract/session';
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { CallError } from '../../shared/api/call-error.ts';
import { call } from '../../shared/api/call.ts';
import { retryText } from '../../shared/session/failure-text.ts';
import { authErrorStore } from '../../shared/session/session-store.ts';
import classes from './login-page.module.css';

/**
 * Signs in with e-mail and password. A failure with a message clears the password and marks both fields as invalid until one
 * of them changes. The browser's own validation is off.
 */
export function EmailForm({ onAnswer }: { onAnswer: (answer: SignInAnswer) => void }) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [isMarked, setIsMarked] = useState(false);
  const [isRunning, setIsRunning] = useState(false);
  const first = useRef<HTMLInputElement>(null);
  const second = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);

  const change = (set: (text: string) => void) => (text: string) => {
    set(text);
    setIsMarked(false);
    authErrorStore.set(null);
  };

  async function submit(): Promise<void> {
    setIsRunning(true);
    try {
      const { data } = await call(signIn, { body: { email, password } });
      authErrorStore.set(null);
      onAnswer(data);
    } catch (error) {
      if (!(error instanceof CallError) || !error.hasServerMessage) return;
      if (error.status === 429 && error.retryAfter !== null) authErrorStore.set(retryText('Too many failed sign-ins', error.retryAfter));
      setPassword('');
      setIsMarked(true);
      second.current?.focus();
    } finally {
      setIsRunning(false);
    }
  }

  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isRunning) void submit();
  };
  return (
    <form className={classes['form']} noValidate onSubmit={onSubmit}>
      <TextInput
        label="Email"
        type="email"
        name="email"
        autoComplete="username"
        ref={first}
        size="md"
        value={email}
        error={isMarked}
        onChange={(event) => change(setEmail)(event.currentTarget.value)}
      />
      <PasswordInput
        label="Password"
        ref={second}
        name="password"
        autoComplete="current-password"
        size="md"
        value={password}
        error={isMarked}
        visibilityToggleFocusable
        aria-invalid={isMarked}
        onChange={(event) => change(setPassword)(event.currentTarget.value)}
      />
      <Button type="submit" size="md" fullWidth disabled={isRunning}>
        Login
      </Button>
    </form>
  );
}
