import { Anchor, Title } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useStore } from '../../shared/external-store.ts';
import { AppLink } from '../../shared/navigation.tsx';
import { useDocumentTitle } from '../../shared/page/use-document-title.ts';
import { paths } from '../../shared/paths.ts';
import { authErrorStore, type Session } from '../../shared/session/session-store.ts';
import { useSessionPhase, useSessionUser } from '../../shared/session/use-session.ts';
import { useSettings } from '../../shared/settings.ts';
import { Wordmark } from '../../shared/ui/brand/wordmark.tsx';
import { EmailForm } from './email-form.tsx';
import { GoogleLink } from './google-link.tsx';
import classes from './login-page.module.css';
import { Tracks } from './tracks.tsx';

/** The login screen: stored auth error, e-mail form, and who is signed in already (spec 1 §2, AMB-005). */
export function LoginPage({ onSignedIn }: { onSignedIn: (session: Session) => void }) {
  const { productName, loginMethods } = useSettings();
  const authError = useStore(authErrorStore);
  useDocumentTitle('Login');
  return (
    <main className={classes['screen']}>
      <Tracks className={classes['tracks'] ?? ''} />
      <div className={classes['column']}>
        <div className={classes['brand']}>
          <Wordmark productName={productName} size={32} />
        </div>
        <div className={classes['card']}>
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
        </div>
        <SignedInLine />
      </div>
    </main>
  );
}

function SignedInLine() {
  const user = useSessionUser();
  const phase = useSessionPhase();
  if (user === null || phase !== 'live') return null;
  return (
    <div className={classes['foot']}>
      You are signed in as {user.name} —{' '}
      <Anchor component={AppLink} href={paths.home()} inherit>
        back to the console
      </Anchor>
    </div>
  );
}
