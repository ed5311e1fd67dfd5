import { Anchor, Title } from '@mantine/core';
import type { SecondStep, SignInAnswer } from '@switchyard/contract/session';
import { IconAlertCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useStore } from '../../shared/external-store.ts';
import { AppLink } from '../../shared/navigation.tsx';
import { paths } from '../../shared/paths.ts';
import { deniedPage } from '../../shared/session/denied-page.ts';
import { authErrorStore, type Session } from '../../shared/session/session-store.ts';
import { useSessionPhase, useSessionUser } from '../../shared/session/use-session.ts';
import { canUsePasskeys } from '../../shared/session/passkey.ts';
import { useSettings } from '../../shared/settings.ts';
import { DeniedCard } from './denied-card.tsx';
import { EmailForm } from './email-form.tsx';
import { GoogleLink } from './google-link.tsx';
import { LoginFrame } from './login-frame.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { passwordResetQuery } from './password-reset-query.ts';
import { SecondStepCard } from './second-step-card.tsx';
import classes from './login-page.module.css';
import { VisibleText } from '../../shared/ui/visible-text.tsx';

/**
 * The login screen: the stored error, the sign-in methods of this deployment, and who is signed in already. An account that
 * was led here from a page closed to it sees the permission it lacks, and the form on request.
 */
export function LoginPage({ onSignedIn }: { onSignedIn: (session: Session) => void }) {
  const { loginMethods } = useSettings();
  const authError = useStore(authErrorStore);
  const deniedPath = useStore(deniedPage);
  const user = useSessionUser();
  const phase = useSessionPhase();
  const [isOtherAccount, setIsOtherAccount] = useState(false);
  const [step, setStep] = useState<SecondStep | null>(null);
  const onAnswer = (answer: SignInAnswer): void => {
    if ('second_factor' in answer) setStep(answer.second_factor);
    else onSignedIn(answer);
  };
  const back = (reason: string | null): void => {
    authErrorStore.set(reason);
    setStep(null);
  };
  if (step !== null) return <SecondStepCard step={step} onSignedIn={onSignedIn} onBack={back} />;
  if (deniedPath !== null && user !== null && phase === 'live' && !isOtherAccount) {
    return <DeniedCard page={deniedPath} user={user} onOtherAccount={() => setIsOtherAccount(true)} />;
  }
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
      {loginMethods !== 'google' && <EmailForm onAnswer={onAnswer} />}
      {loginMethods !== 'google' && <ForgotPasswordLink />}
      {loginMethods !== 'google' && canUsePasskeys() && <PasskeyButton onSignedIn={onSignedIn} />}
      {loginMethods === 'both' && <div className={classes['or']}>or</div>}
      {loginMethods !== 'email' && <GoogleLink />}
    </LoginFrame>
  );
}

/** Leads to the page for forgotten passwords, where they can be reset by e-mail. */
function ForgotPasswordLink() {
  const { data } = useQuery(passwordResetQuery);
  if (data?.data.available !== true) return null;
  return (
    <Anchor component={AppLink} href={paths.forgotPassword()} className={classes['link'] ?? ''}>
      Forgot your password?
    </Anchor>
  );
}

/** Who is signed in already, with the way back. */
export function SignedInLine() {
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
