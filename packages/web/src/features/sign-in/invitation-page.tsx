import { acceptInvitation, accountLinkMessages, showInvitation } from '@switchyard/contract/account-links';
import type { SecondStep } from '@switchyard/contract/session';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CallError } from '../../shared/api/call-error.ts';
import { call } from '../../shared/api/call.ts';
import { useFragment, useOpenPath } from '../../shared/navigation.tsx';
import { paths } from '../../shared/paths.ts';
import { authErrorStore, type Session } from '../../shared/session/session-store.ts';
import { useSettings } from '../../shared/settings.ts';
import { VisibleText } from '../../shared/ui/visible-text.tsx';
import { EndedLink } from './ended-link.tsx';
import { LinkCheck } from './link-check.tsx';
import { LoginFrame } from './login-frame.tsx';
import { SignedInLine } from './login-page.tsx';
import { NewPasswordForm } from './new-password-form.tsx';
import { SecondStepCard } from './second-step-card.tsx';
import classes from './login-page.module.css';

const showsFailureItself = (): boolean => true;
const title = 'Welcome';

/** The page of an invitation link: the invited person chooses a password and is signed in. */
export function InvitationPage({ onSignedIn }: { onSignedIn: (session: Session) => void }) {
  const openPath = useOpenPath();
  const { productName } = useSettings();
  const token = useFragment();
  const [step, setStep] = useState<SecondStep | null>(null);
  const [endReason, setEndReason] = useState<string | null>(token === '' ? accountLinkMessages.unknownInvitation : null);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => call(showInvitation, { body: { token }, signal, showsFailureItself }),
    enabled: token !== '',
    retry: false,
    refetchOnWindowFocus: false,
    gcTime: 0,
  });

  async function accept(password: string): Promise<void> {
    const answer = await call(acceptInvitation, { body: { token, password }, showsFailureItself });
    authErrorStore.set(null);
    if ('second_factor' in answer.data) setStep(answer.data.second_factor);
    else onSignedIn(answer.data);
  }

  if (step !== null) {
    const back = (reason: string | null): void => {
      authErrorStore.set(reason);
      openPath(paths.login(), { replace: true });
    };
    return <SecondStepCard step={step} onSignedIn={onSignedIn} onBack={back} />;
  }
  const reason = endReason ?? (error instanceof CallError && error.status === 404 ? error.message : null);
  if (reason !== null) return <EndedLink title="Invitation" reason={reason} />;
  return (
    <LoginFrame title={title} foot={<SignedInLine />}>
      {data === undefined ? (
        <LinkCheck what="invitation" error={error} isFetching={isFetching} onRetry={() => void refetch()} />
      ) : (
        <>
          <p className={classes['text']}>
            Hello{' '}
            <strong>
              <VisibleText text={data.data.name} />
            </strong>
            . Choose a password for your account on {productName}. You sign in with{' '}
            <strong>
              <VisibleText text={data.data.email} />
            </strong>
            .
          </p>
          <NewPasswordForm email={data.data.email} submitLabel="Set password and sign in" onSubmit={accept} onEnded={setEndReason} />
        </>
      )}
    </LoginFrame>
  );
}
