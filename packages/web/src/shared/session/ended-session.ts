import type { SessionUser } from '@switchyard/contract/session';
import { createStore, type Store } from '../external-store.ts';
import { localSettings, onOtherTabChange } from '../local-settings.ts';
import { unsavedWork } from '../unsaved-work.ts';
import { isLoginPage } from './safe-path.ts';
import { sessionStore } from './session-store.ts';
import { viewAs } from './view-as.ts';

/** A session that ended while its page stays open. */
export type EndedSession = {
  readonly user: SessionUser;
  /** Whether the server rejected it; otherwise its time is over. */
  readonly isRejected: boolean;
};

/** The ended session for which the page asks a new sign-in; null if there is none. `SessionWatch` shows it. */
export const endedSession: Store<EndedSession | null> = createStore<EndedSession | null>(null);

// A sign-in of the same account, here or in another tab, continues the page.
sessionStore.subscribe(() => {
  const endedSignIn = endedSession.get();
  if (endedSignIn !== null && isLiveAs(endedSignIn.user)) endedSession.set(null);
});

function isLiveAs(user: SessionUser): boolean {
  return sessionStore.phase() === 'live' && sessionStore.get()?.user.id === user.id;
}

/** Asks for a new sign-in over the page. Does nothing without an account. */
export function askSignIn(isRejected = false): void {
  if (viewAs.end()) return;
  const user = sessionStore.get()?.user;
  const endedSignIn = endedSession.get();
  if (user === undefined || endedSignIn?.isRejected === true || (endedSignIn !== null && !isRejected)) return;
  endedSession.set({ user, isRejected });
}

/** Removes the stored session; the page and its input stay. */
function keepPage(): void {
  askSignIn(true);
  sessionStore.suspend();
}

/** Gives up the page whose session has ended. Calls that wait for the sign-in fail. */
export function leaveEndedPage(): void {
  // Another account may have signed in in another tab.
  if (sessionStore.phase() !== 'live') sessionStore.close();
  endedSession.set(null);
}

/**
 * Ends the session after a 401: removes token and user, and remembers the page for the next sign-in. A page with unsaved
 * input asks for that sign-in at once; any other is left. A view that ended gives way to the reader's own session.
 */
export function endSession(): void {
  if (viewAs.end()) return;
  const { pathname, search } = window.location;
  if (!isLoginPage(pathname)) localSettings.redirect.set(pathname + search);
  if (unsavedWork.isHeld()) {
    keepPage();
    return;
  }
  sessionStore.close();
  endedSession.set(null);
}

/** Waits for the sign-in over the page. Resolves to false if the page was left, or asks for none. */
export function waitForSignIn(): Promise<boolean> {
  const endedSignIn = endedSession.get();
  if (endedSignIn === null) return Promise.resolve(false);
  return new Promise((resolve) => {
    const stop = endedSession.subscribe(() => {
      if (endedSession.get() !== null) return;
      stop();
      resolve(isLiveAs(endedSignIn.user));
    });
  });
}

/** Milliseconds within which all values that another tab wrote together arrive. */
const settleTime = 50;

/** Loads the session that another tab stored. A page with unsaved input stays, however the session ended there. */
function followStorage(): void {
  if (localSettings.token.get() === null && unsavedWork.isHeld()) {
    keepPage();
    return;
  }
  sessionStore.reload();
  if (sessionStore.get() === null) endedSession.set(null);
}

/** Follows sign-in and sign-out in other tabs of this browser; call the result to stop. */
export function followOtherTabs(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = onOtherTabChange(() => {
    // User and token arrive in two steps; in between, the token would belong to another account.
    clearTimeout(timer);
    timer = setTimeout(followStorage, settleTime);
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}
