import { getConsentUrl } from '@switchyard/contract/google-sign-in';
import { Button } from '@mantine/core';
import { IconBrandGoogle } from '@tabler/icons-react';
import { useState, type MouseEvent } from 'react';
import { call } from '../../shared/api/call.ts';
import { paths } from '../../shared/paths.ts';
import { keepGoogleState } from './google-state.ts';

/**
 * The way to the external sign-in: asks for the consent page's address and goes there (AUTH-048, AUTH-049).
 * Shown only where the deployment offers it (AUTH-004 to AUTH-006).
 */
export function GoogleLink() {
  const [isLeaving, setIsLeaving] = useState(false);

  async function leave(): Promise<void> {
    setIsLeaving(true);
    try {
      const { data } = await call(getConsentUrl);
      keepGoogleState(data.state);
      window.location.assign(data.url);
    } catch {
      // The error policy has said why; the link can be tried again.
      setIsLeaving(false);
    }
  }

  const onClick = (event: MouseEvent): void => {
    event.preventDefault();
    if (!isLeaving) void leave();
  };
  return (
    <Button
      component="a"
      href={paths.googleCallback()}
      variant="default"
      size="md"
      fullWidth
      data-disabled={isLeaving}
      leftSection={<IconBrandGoogle size={18} aria-hidden />}
      onClick={onClick}
    >
      Sign in with Google
    </Button>
  );
}
