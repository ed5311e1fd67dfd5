import { signInWithGoogle } from '@switchyard/contract/google-sign-in';
import { Loader, Text, Title } from '@mantine/core';
import type { SecondStep } from '@switchyard/contract/session';
import { useEffect, useRef, useState } from 'react';
import { CallError } from '../../shared/api/call-error.ts';
import { call } from '../../shared/api/call.ts';
import { useOpenPath, useQueryText } from '../../shared/navigation.tsx';
import { paths } from '../../shared/paths.ts';
import { handOverToTab } from '../../shared/session/google-confirmation.ts';
import { authErrorStore, type Session } from '../../shared/session/session-store.ts';
import { tabSettings } from '../../shared/tab-settings.ts';
import { readCallback } from './google-callback.ts';
import { LoginFrame } from './login-frame.tsx';
import { SecondStepCard } from './second-step-card.tsx';
import classes from './login-page.module.css';

/**
 * The redirect target of Google: signs in, or on failure opens home, which leads a guest to login. In the window of a
 * confirmation it hands the code to the tab that waits for it.
 */
export function GoogleCallbackPage({ onSignedIn }: { onSignedIn: (session: Session) => void }) {
  const openPath = useOpenPath();
  const query = useQueryText();
  const hasBegun = useRef(false);
  const [secondStep, setSecondStep] = useState<SecondStep | null>(null);
  const [isHandedOver, setIsHandedOver] = useState(false);

  useEffect(() => {
    // A code can be exchanged once, even if React runs effects twice.
    if (hasBegun.current) return;
    hasBegun.current = true;
    const step = readCallback(query, tabSettings.googleState.get());
    tabSettings.googleState.remove();

    async function finish(): Promise<void> {
      if (handOverToTab(query)) {
        setIsHandedOver(true);
        window.close();
        return;
      }
      if (step.kind === 'login') {
        openPath(paths.login(), { replace: true });
        return;
      }
      if (step.kind === 'rejected') {
        authErrorStore.set(step.message);
        openPath(paths.home(), { replace: true });
        return;
      }
      try {
        const { data } = await call(signInWithGoogle, { body: step.body });
        authErrorStore.set(null);
        if ('second_factor' in data) setSecondStep(data.second_factor);
        else onSignedIn(data);
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        openPath(paths.home(), { replace: true });
      }
    }
    void finish();
  }, [onSignedIn, openPath, query]);

  const back = (reason: string | null): void => {
    authErrorStore.set(reason);
    openPath(paths.login(), { replace: true });
  };
  if (secondStep !== null) return <SecondStepCard step={secondStep} onSignedIn={onSignedIn} onBack={back} />;
  return (
    <LoginFrame>
      <Title order={1} className={classes['heading'] ?? ''}>
        {isHandedOver ? 'You can close this window' : 'Signing you in'}
      </Title>
      {isHandedOver ? (
        <Text size="sm">Continue in the window from which you came.</Text>
      ) : (
        <output className={classes['waiting']}>
          <Loader size="sm" /> Finishing the sign-in with Google…
        </output>
      )}
    </LoginFrame>
  );
}
