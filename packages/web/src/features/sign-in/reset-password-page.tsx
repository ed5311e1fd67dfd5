import { Anchor } from '@mantine/core';
import { accountLinkMessages, resetPassword, showPasswordReset } from '@switchyard/contract/account-links';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CallError } from '../../shared/api/call-error.ts';
import { call } from '../../shared/api/call.ts';
import { AppLink, useFragment } from '../../shared/navigation.tsx';
import { paths } from '../../shared/paths.ts';
import { EndedLink, SignInLink } from './ended-link.tsx';
import { LinkCheck } from './link-check.tsx';
import { LoginFrame } from './login-frame.tsx';
import { NewPasswordForm } from './new-password-form.tsx';
import classes from './login-page.module.css';

const showsFailureItself = (): boolean => true;
const title = 'New password';

/** The page of a link for a forgotten password. It signs nobody in. */
export function ResetPasswordPage() {
  const token = useFragment();
  const [endReason, setEndReason] = useState<string | null>(token === '' ? accountLinkMessages.unknownReset : null);
  const [isDone, setIsDone] = useState(false);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['password-reset', token],
    queryFn: ({ signal }) => call(showPasswordReset, { body: { token }, signal, showsFailureItself }),
    enabled: token !== '',
    refetchOnWindowFocus: false,
    gcTime: 0,
  });

  async function reset(password: string): Promise<void> {
    await call(resetPassword, { body: { token, password }, showsFailureItself });
    setIsDone(true);
  }

  const reason = endReason ?? (error instanceof CallError && error.status === 404 ? error.message : null);
  if (reason !== null) {
    return (
      <EndedLink title={title} reason={reason}>
        <Anchor component={AppLink} href={paths.forgotPassword()} className={classes['link'] ?? ''}>
          Request a new link
        </Anchor>
      </EndedLink>
    );
  }
  return (
    <LoginFrame title={title}>
      {isDone ? (
        <>
          <output className={classes['text']}>
            Your password has been changed, and you have been signed out everywhere. Sign in with the new one.
          </output>
          <SignInLink />
        </>
      ) : data === undefined ? (
        <LinkCheck what="link" error={error} isFetching={isFetching} onRetry={() => void refetch()} />
      ) : (
        <>
          <p className={classes['text']}>Choose a new password. You will be signed out everywhere.</p>
          <NewPasswordForm email={data.data.email} submitLabel="Set new password" onSubmit={reset} onEnded={setEndReason} />
        </>
      )}
    </LoginFrame>
  );
}
