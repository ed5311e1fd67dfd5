import { createStore, type Store } from '../external-store.ts';
import { askFactor } from '../session/factor-request.ts';
import { askIdentity } from '../session/identity-request.ts';
import { endSession, waitForSignIn } from '../session/ended-session.ts';
import { authErrorStore, sessionStore } from '../session/session-store.ts';
import { closeNotificationOf, notify } from '../ui/notifications/notification-center.ts';
import { correctedClock } from '../time/corrected-clock.ts';
import { connectionStore, countRequest } from './connection.ts';
import { createCall, type Call, type CallDependencies } from './create-call.ts';
import { createOpen, type Open } from './create-open.ts';
import type { Reaction } from './call-error.ts';

/** Number of calls answered with 403. The permissions of the session may be outdated then (`refreshOnForbidden`). */
export const forbiddenCount: Store<number> = createStore(0);

/** Applies a failure to the console: session, auth error, notification. */
function react(reaction: Reaction, usedToken: string | null, key: string): void {
  // A late 401 of a previous session must not end the current one.
  const isCurrent = usedToken === sessionStore.get()?.token.accessToken;
  if (reaction.authError !== undefined) authErrorStore.set(reaction.authError);
  if (reaction.endsSession && isCurrent) endSession();
  if (reaction.toast !== null) notify({ type: 'danger', message: reaction.toast, closeOnClick: true, key });
}

const dependencies: CallDependencies = {
  send: (url, init) => fetch(url, init),
  accessToken: () => sessionStore.get()?.token.accessToken ?? null,
  count: countRequest,
  react,
  // Closes the earlier error of the same call.
  onSucceeded: closeNotificationOf,
  confirmIdentity: askIdentity,
  setUpFactor: askFactor,
  signInAgain: waitForSignIn,
  observe: (outcome) => {
    connectionStore.set(outcome.kind === 'answer' ? 'up' : outcome.kind);
    if (outcome.kind !== 'answer') return;
    correctedClock.observe(outcome.date);
    if (outcome.status === 403) forbiddenCount.set(forbiddenCount.get() + 1);
  },
};

/** Calls an endpoint of the contract as the signed-in account; see `createCall`. */
export const call: Call = createCall(dependencies);

/** Opens a file or a stream of the contract as the signed-in account; see `createOpen`. */
export const open: Open = createOpen(dependencies);

/** Options of a call whose part of the page shows a failure. A 401 still ends the session. */
export const failingInPlace = { showsFailureItself: (status: number | null): boolean => status !== 401 } as const;

/** Options of a call beside the page: no progress bar, and its part of the page shows a failure. */
export const inBackground = { isSilent: true, ...failingInPlace } as const;
