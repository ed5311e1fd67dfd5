import { Anchor } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { AppLink } from '../../shared/navigation.tsx';
import { paths } from '../../shared/paths.ts';
import { LoginFrame } from './login-frame.tsx';
import classes from './login-page.module.css';

/** Shown instead of a form whose link is unknown, used or expired; `children` is a way on besides signing in. */
export function EndedLink({ title, reason, children }: { title: string; reason: string; children?: ReactNode }) {
  return (
    <LoginFrame title={title}>
      <div className={classes['error']} role="alert">
        <IconAlertCircle size={18} stroke={1.8} aria-hidden />
        {reason}
      </div>
      {children}
      <SignInLink />
    </LoginFrame>
  );
}

/** The way to the login page. */
export function SignInLink() {
  return (
    <Anchor component={AppLink} href={paths.login()} className={classes['link'] ?? ''}>
      Go to sign-in
    </Anchor>
  );
}
