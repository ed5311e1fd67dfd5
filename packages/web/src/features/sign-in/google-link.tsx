import { getConsentUrl } from '@switchyard/contract/google-sign-in';
import { Button } from '@mantine/core';
import { IconBrandGoogle } from '@tabler/icons-react';
import { useState, type MouseEvent } from 'react';
import { CallError } from '../../shared/api/call-error.ts';
import { call } from '../../shared/api/call.ts';
import { paths } from '../../shared/paths.ts';
import { authErrorStore } from '../../shared/session/session-store.ts';
import { tabSettings } from '../../shared/tab-settings.ts';

/** Requests the consent page, stores its state for the redirect and opens it. */
async function goToConsentPage(): Promise<void> {
  try {
    // A 401 of this call does not mean that a session of this browser has ended.
    const { data } = await call(getConsentUrl, { showsFailureItself: (status) => status === 401 });
    tabSettings.googleState.set(data.state);
    window.location.assign(data.url);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    if (error.status === 401) authErrorStore.set(error.message);
  }
}

/** The link to the sign-in with Google. */
export function GoogleLink() {
  const [isRunning, setIsRunning] = useState(false);
  const follow = (event: MouseEvent): void => {
    event.preventDefault();
    if (isRunning) return;
    setIsRunning(true);
    authErrorStore.set(null);
    void goToConsentPage().finally(() => setIsRunning(false));
  };
  return (
    <Button
      component="a"
      href={paths.googleCallback()}
      variant="default"
      size="md"
      fullWidth
      leftSection={<IconBrandGoogle size={18} aria-hidden />}
      aria-disabled={isRunning}
      onClick={follow}
    >
      Sign in with Google
    </Button>
  );
}
