import { Button, Group, Text } from '@mantine/core';
import { useRouter, type HistoryLocation, type RouterHistory } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { parseSearch } from '../shared/search-codec.ts';
import { askSignIn } from '../shared/session/ended-session.ts';
import { isLoginPage } from '../shared/session/safe-path.ts';
import { sessionStore } from '../shared/session/session-store.ts';
import { unsavedWork, useHoldsInput } from '../shared/unsaved-work.ts';
import { Popup } from '../shared/ui/popup.tsx';

/** The index of a page in the history. */
const historyIndexOf = ({ state: { __TSR_index: index } }: HistoryLocation): number => index;

/** The parameters of an address that choose which form its page shows: the tab, the board, and what a new entity is copied from. */
const formParameters = ['startTabName', 'board', 'copy'];

/** Whether the navigation unmounts the form: another page, or another form of the page. Other parameters keep it mounted. */
function unmountsForm(current: HistoryLocation, next: HistoryLocation): boolean {
  const [before, after] = [parseSearch(current.search), parseSearch(next.search)];
  return current.pathname !== next.pathname || formParameters.some((name) => String(before[name]) !== String(after[name]));
}

/**
 * Asks before unsaved input is lost: with a dialog when navigating within the console, with the prompt of the browser
 * when closing or reloading the page. Mount it once in the layout; forms register with `useUnsavedWork`.
 */
export function LeaveGuard() {
  const { history }: { history: RouterHistory } = useRouter();
  const [question, setQuestion] = useState<{ readonly answer: (leaves: boolean) => void } | null>(null);
  const holdsInput = useHoldsInput();
  // A save that was running has stored the input, and its form opens the page that follows: what asked is given up.
  if (question !== null && !holdsInput) setQuestion(null);
  useEffect(
    () =>
      history.block({
        enableBeforeUnload: unsavedWork.isHeld,
        blockerFn: ({ currentLocation: current, nextLocation: next, action }) => {
          if (!unsavedWork.isHeld()) return false;
          if (sessionStore.phase() !== 'live') {
            // The guard would lead any page to the login page, which opens only if the reader gives the input up.
            if (isLoginPage(next.pathname)) return false;
            askSignIn();
            return true;
          }
          if (!unmountsForm(current, next)) return false;
          if (action === 'PUSH' || action === 'REPLACE')
            return new Promise((resolve) => setQuestion({ answer: (leaves) => resolve(!leaves) }));
          // Back and Forward change the address first. Blocking them restores it while the dialog is open.
          const steps = historyIndexOf(next) - historyIndexOf(current);
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
      <Text>Your changes on this page are not saved and will be lost.</Text>
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
