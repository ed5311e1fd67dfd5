import type { SessionUser } from '@switchyard/contract/session';
import { createStore, type Store } from '../external-store.ts';
import { localSettings, onOtherTabChange } from '../local-settings.ts';
import { pageLoad } from '../page-load.ts';
import { unsavedWork } from '../unsaved-work.ts';
import { isLoginPage } from './safe-path.ts';
import { sessionStore } from './session-store.ts';
import { viewAs } from './view-as.ts';

/** A session that ended while its page stays open. */
export type EndedSession = {
  readonly user: SessionUser;
  /** Whether the server rejected it; otherwise its time is over. */
  readonly isRejected: boolean;
  /** Another account that has signed in in another tab; the page must not continue as that one. */
  readonly other: SessionUser | null;
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
export function askSignIn(): void {
  if (viewAs.end()) return;
  const user = sessionStore.get()?.user;
  if (user !== undefined && endedSession.get() === null) endedSession.set({ user, isRejected: false, other: null });
}

/** Removes the stored session; the page and its input stay. */
function keepPage(other: SessionUser | null): void {
  const user = sessionStore.get()?.user;
  if (user !== undefined) endedSession.set({ user, isRejected: true, other });
  sessionStore.suspend();
}

/** Gives up the page whose session has ended. Calls that wait for the sign-in fail. */
export function leaveEndedPage(): void {
  sessionStore.close();
  endedSession.set(null);
}

/**
 * Ends the session after a 401: removes token and user, and remembers the page for the next sign-in. A page with unsaved
 * input asks for that sign-in at once; any other is left. A view that ended gives way to the reader's own session.
 */
export function endSession(): void {
  if (viewAs.end()) return;
  // The call was sent before another tab signed in.
  if (sessionStore.isReplaced()) {
    followSoon();
    return;
  }
  const { pathname, search } = window.location;
  if (!isLoginPage(pathname)) localSettings.redirect.set(pathname + search);
  if (unsavedWork.isHeld()) {
    keepPage(null);
    return;
  }
  leaveEndedPage();
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

let timer: ReturnType<typeof setTimeout> | undefined;

/** Follows the storage once all of it has arrived. In between, the token would belong to another account. */
function followSoon(): void {
  clearTimeout(timer);
  timer = setTimeout(followStorage, settleTime);
}

/**
 * Continues with a session of the same account that another tab stored. Otherwise a page with unsaved input, or one that asks for a sign-in,
 * stays with its own account; any other is left for the login page, or loaded anew as the other account.
 */
function followStorage(): void {
  const next = sessionStore.stored();
  const isViewOver = viewAs.isOver();
  if (next !== null && !isViewOver && sessionStore.adopt(next)) return;
  const hasAccount = sessionStore.get() !== null && !isViewOver;
  if (hasAccount && (unsavedWork.isHeld() || (next !== null && endedSession.get() !== null))) {
    keepPage(next?.user ?? null);
    return;
  }
  if (next !== null) pageLoad.replace();
  leaveEndedPage();
}

/** Follows sign-in and sign-out in other tabs of this browser; call the result to stop. */
export function followOtherTabs(): () => void {
  // A page that Back restores has missed what other tabs and later pages stored.
  const followRestored = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) followSoon();
  };
  window.addEventListener('pageshow', followRestored);
  const stop = onOtherTabChange(followSoon);
  return () => {
    clearTimeout(timer);
    window.removeEventListener('pageshow', followRestored);
    stop();
  };
}
