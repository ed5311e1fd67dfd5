import { Anchor, Title } from '@mantine/core';
import { accountLinkMessages, resetPassword } from '@switchyard/contract/account-links';
import { useState } from 'react';
import { call } from '../../shared/api/call.ts';
import { AppLink, useFragment } from '../../shared/navigation.tsx';
import { paths } from '../../shared/paths.ts';
import { EndedLink, SignInLink } from './ended-link.tsx';
import { LoginFrame } from './login-frame.tsx';
import { NewPasswordForm } from './new-password-form.tsx';
import classes from './login-page.module.css';

const showsFailureItself = (): boolean => true;
const title = 'New password';

/** The page of a link for a forgotten password. It signs nobody in. */
export function ResetPasswordPage() {
  const token = useFragment();
  const [ended, setEnded] = useState<string | null>(token === '' ? accountLinkMessages.unknownReset : null);
  const [isDone, setIsDone] = useState(false);

  async function reset(password: string): Promise<void> {
    await call(resetPassword, { body: { token, password }, showsFailureItself });
    setIsDone(true);
  }

  if (ended !== null) {
    return (
      <EndedLink title={title} reason={ended}>
        <Anchor component={AppLink} href={paths.forgotPassword()} className={classes['link'] ?? ''}>
          Request a new link
        </Anchor>
      </EndedLink>
    );
  }
  return (
    <LoginFrame title={title}>
      <Title order={1} className={classes['heading'] ?? ''}>
        {title}
      </Title>
      {isDone ? (
        <>
          <output className={classes['text']}>
            Your password has been changed, and you have been signed out everywhere. Sign in with the new one.
          </output>
          <SignInLink />
        </>
      ) : (
        <>
          <p className={classes['text']}>Choose a new password. You will be signed out everywhere.</p>
          <NewPasswordForm email="" submitLabel="Set new password" onSubmit={reset} onEnded={setEnded} />
        </>
      )}
    </LoginFrame>
  );
}
