import { Button, Group, Text } from '@mantine/core';
import { useRouter, type HistoryLocation, type RouterHistory } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { parseSearch } from '../shared/search-codec.ts';
import { sessionStore } from '../shared/session/session-store.ts';
import { unsavedWork } from '../shared/unsaved-work.ts';
import { Popup } from '../shared/ui/popup.tsx';

/** Where a page stands among those that Back and Forward lead to. */
const placeOf = ({ state: { __TSR_index: index } }: HistoryLocation): number => index;

/** Another page, or another tab of the same one: either takes the form away. Other parameters leave it standing. */
function takesFormAway(current: HistoryLocation, next: HistoryLocation): boolean {
  return current.pathname !== next.pathname || parseSearch(current.search)['startTabName'] !== parseSearch(next.search)['startTabName'];
}

/**
 * Asks before unsaved input is lost: by going elsewhere in the console, here; by closing or reloading the page, in the
 * browser's own words. Stands once in the layout; forms say with `useUnsavedWork` that they hold something.
 */
export function LeaveGuard() {
  const { history }: { history: RouterHistory } = useRouter();
  const [question, setQuestion] = useState<{ readonly answer: (leaves: boolean) => void } | null>(null);
  useEffect(
    () =>
      history.block({
        enableBeforeUnload: unsavedWork.isHeld,
        blockerFn: ({ currentLocation: current, nextLocation: next, action }) => {
          // Once the session is over the login page must open, whatever the form holds.
          if (!unsavedWork.isHeld() || sessionStore.phase() !== 'live' || !takesFormAway(current, next)) return false;
          if (action === 'PUSH' || action === 'REPLACE')
            return new Promise((resolve) => setQuestion({ answer: (leaves) => resolve(!leaves) }));
          // Back and Forward change the address first. Blocking them at once restores it while the question stands.
          const steps = placeOf(next) - placeOf(current);
          setQuestion({
            answer: (leaves) => {
              if (leaves) history.go(steps, { ignoreBlocker: true });
            },
          });
          return true;
        },
      }),
    [history],
  );
  const answer = (leaves: boolean): void => {
    question?.answer(leaves);
    setQuestion(null);
  };
  return (
    <Popup isOpen={question !== null} onClose={() => answer(false)} title="Leave without saving?">
      <Text>What you have changed on this page is not saved and will be lost.</Text>
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="default" onClick={() => answer(false)} data-autofocus>
          Stay here
        </Button>
        <Button color="danger" onClick={() => answer(true)}>
          Leave
        </Button>
      </Group>
    </Popup>
  );
}
