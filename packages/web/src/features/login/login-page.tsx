import { Anchor, Title } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useStore } from '../../shared/external-store.ts';
import { AppLink } from '../../shared/navigation.tsx';
import { paths } from '../../shared/paths.ts';
import { authErrorStore, type Session } from '../../shared/session/session-store.ts';
import { useSessionPhase, useSessionUser } from '../../shared/session/use-session.ts';
import { useSettings } from '../../shared/settings.ts';
import { EmailForm } from './email-form.tsx';
import { GoogleLink } from './google-link.tsx';
import { LoginFrame } from './login-frame.tsx';
import classes from './login-page.module.css';
import { VisibleText } from '../../shared/ui/visible-text.tsx';

/** The login screen: the stored error, the sign-in methods of this deployment, and who is signed in already. */
export function LoginPage({ onSignedIn }: { onSignedIn: (session: Session) => void }) {
  const { loginMethods } = useSettings();
  const authError = useStore(authErrorStore);
  return (
    <LoginFrame foot={<SignedInLine />}>
      <Title order={1} className={classes['heading'] ?? ''}>
        Sign in
      </Title>
      {authError !== null && (
        <div className={classes['error']} role="alert">
          <IconAlertCircle size={18} stroke={1.8} aria-hidden />
          {authError}
        </div>
      )}
      {loginMethods !== 'google' && <EmailForm onSignedIn={onSignedIn} />}
      {loginMethods === 'both' && <div className={classes['or']}>or</div>}
      {loginMethods !== 'email' && <GoogleLink />}
    </LoginFrame>
  );
}

function SignedInLine() {
  const user = useSessionUser();
  const phase = useSessionPhase();
  if (user === null || phase !== 'live') return null;
  return (
    <div className={classes['foot']}>
      You are signed in as <VisibleText text={user.name} /> —{' '}
      <Anchor component={AppLink} href={paths.home()} inherit>
        back to the console
      </Anchor>
    </div>
  );
}
