import { Button } from '@mantine/core';
import { IconBrandGoogle } from '@tabler/icons-react';
import type { MouseEvent } from 'react';
import { notify } from '../../shared/ui/notifications/notification-center.ts';

/** Where the provider sends the browser back to (AUTH-008). */
const callbackPath = '/oauth/google';

function explain(event: MouseEvent): void {
  event.preventDefault();
  notify({ type: 'info', message: 'Sign-in with Google is not available on this server yet. Use e-mail and password.' });
}

/** The way to the external sign-in; shown only where the deployment offers it (AUTH-004 to AUTH-006). */
export function GoogleLink() {
  return (
    <Button
      component="a"
      href={callbackPath}
      variant="default"
      size="md"
      fullWidth
      leftSection={<IconBrandGoogle size={18} aria-hidden />}
      onClick={explain}
    >
      Sign in with Google
    </Button>
  );
}
