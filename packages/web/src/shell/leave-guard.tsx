import { Button, Group, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { sessionStore } from '../shared/session/session-store.ts';
import { unsavedWork } from '../shared/unsaved-work.ts';
import { Popup } from '../shared/ui/popup.tsx';

type Place = { readonly pathname: string; readonly search: unknown };

function tabOf({ search }: Place): unknown {
  return typeof search === 'object' && search !== null && 'startTabName' in search ? search.startTabName : undefined;
}

/** Another page, or another tab of the same one: either takes the form away. Other parameters leave it standing. */
function takesFormAway(current: Place, next: Place): boolean {
  return current.pathname !== next.pathname || tabOf(current) !== tabOf(next);
}

/**
 * Asks before unsaved input is lost: by going elsewhere in the console, here; by closing or reloading the page, in the
 * browser's own words. Stands once in the layout; forms say with `useUnsavedWork` that they hold something.
 */
export function LeaveGuard() {
  const { status, proceed, reset } = useBlocker({
    // Once the session is over the login page must open, whatever the form holds.
    shouldBlockFn: ({ current, next }) => unsavedWork.isHeld() && sessionStore.phase() === 'live' && takesFormAway(current, next),
    enableBeforeUnload: unsavedWork.isHeld,
    withResolver: true,
  });
  const stay = (): void => reset?.();
  return (
    <Popup isOpen={status === 'blocked'} onClose={stay} title="Leave without saving?">
      <Text>What you have changed on this page is not saved and will be lost.</Text>
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="default" onClick={stay} data-autofocus>
          Stay here
        </Button>
        <Button color="danger" onClick={() => proceed?.()}>
          Leave
        </Button>
      </Group>
    </Popup>
  );
}
