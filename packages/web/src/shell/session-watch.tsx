import { messages } from '@switchyard/contract/envelope';
import { spans } from '@switchyard/contract/limits';
import { Button, Group, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { localSettings } from '../shared/local-settings.ts';
import { useCurrentPath, useOpenPath } from '../shared/navigation.tsx';
import { paths } from '../shared/paths.ts';
import { sessionStore } from '../shared/session/session-store.ts';
import { Popup } from '../shared/ui/popup.tsx';

const nothing = (): void => undefined;

/**
 * Looks every five minutes whether the session has run out, and then says so in a popup that only leads to
 * the login page and back (AUTH-060 to AUTH-065, AMB-023). It stands in the layout, so never on a login page.
 */
export function SessionWatch() {
  const [isOver, setIsOver] = useState(false);
  const openPath = useOpenPath();
  const currentPath = useCurrentPath();

  useEffect(() => {
    const timer = setInterval(() => {
      if (sessionStore.phase() === 'expired') setIsOver(true);
    }, spans.sessionCheck);
    return () => clearInterval(timer);
  }, []);

  const goToLogin = (): void => {
    localSettings.redirect.set(currentPath);
    setIsOver(false);
    openPath(paths.login());
  };
  return (
    <Popup
      isOpen={isOver}
      onClose={nothing}
      title={messages.unauthorized}
      closeOnEscape={false}
      closeOnBackdrop={false}
      hasCloseIcon={false}
    >
      <Text c="dimmed">Your session has ended. Sign in again and you will be back on this page.</Text>
      <Group justify="flex-end" mt="lg">
        <Button onClick={goToLogin} data-autofocus>
          Login
        </Button>
      </Group>
    </Popup>
  );
}
