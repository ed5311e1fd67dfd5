import { signInWithGoogle } from '@switchyard/contract/google-sign-in';
import { Center, Loader, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { call } from '../../shared/api/call.ts';
import { useOpenPath, useQueryText } from '../../shared/navigation.tsx';
import { useDocumentTitle } from '../../shared/page/use-document-title.ts';
import { paths } from '../../shared/paths.ts';
import { authErrorStore, type Session } from '../../shared/session/session-store.ts';
import { takeGoogleState } from './google-state.ts';

/**
 * Where the provider sends the browser back to: signs in with the code it brought; without one the login
 * page opens, and after a failure home (AUTH-043 to AUTH-047, AMB-019).
 */
export function GoogleCallbackPage({ onSignedIn }: { onSignedIn: (session: Session) => void }) {
  const query = new URLSearchParams(useQueryText());
  const code = query.get('code') ?? '';
  const state = query.get('state');
  const openPath = useOpenPath();
  const hasBegun = useRef(false);
  useDocumentTitle('Login');

  async function enter(withCode: string): Promise<void> {
    try {
      const { data } = await call(signInWithGoogle, { body: { code: withCode, state: takeGoogleState(state) } });
      authErrorStore.set(null);
      onSignedIn(data);
    } catch {
      // The login page, where a guest ends, shows the reason.
      openPath(paths.home(), { replace: true });
    }
  }

  useEffect(() => {
    // Code and state count once, so they are sent once, however often the effect runs.
    if (hasBegun.current) return;
    hasBegun.current = true;
    if (code === '') {
      openPath(paths.login(), { replace: true });
      return;
    }
    void enter(code);
  });

  return (
    <Center component="main" mih="100dvh">
      <Loader size="sm" mr="sm" />
      <Text component="output">Signing in…</Text>
    </Center>
  );
}
