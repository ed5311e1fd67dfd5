import { Button } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import type { SignedIn } from '@switchyard/contract/session';
import { useState } from 'react';
import { passkeyFailure, signInByPasskey } from '../../shared/session/passkey.ts';
import { authErrorStore } from '../../shared/session/session-store.ts';

/** Signs in with a passkey alone. */
export function PasskeyButton({ onSignedIn }: { onSignedIn: (session: SignedIn) => void }) {
  const [isRunning, setIsRunning] = useState(false);
  async function run(): Promise<void> {
    setIsRunning(true);
    authErrorStore.set(null);
    try {
      onSignedIn(await signInByPasskey());
    } catch (error) {
      authErrorStore.set(passkeyFailure(error));
    } finally {
      setIsRunning(false);
    }
  }
  return (
    <Button
      variant="default"
      size="md"
      fullWidth
      disabled={isRunning}
      leftSection={<IconFingerprint size={18} aria-hidden />}
      onClick={() => void run()}
    >
      Sign in with a passkey
    </Button>
  );
}
