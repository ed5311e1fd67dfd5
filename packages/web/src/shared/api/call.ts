import { createStore, type Store } from '../external-store.ts';
import { authErrorStore, sessionStore } from '../session/session-store.ts';
import { closeNotificationOf, notify } from '../ui/notifications/notification-center.ts';
import { correctedClock } from '../time/corrected-clock.ts';
import { connectionStore } from './connection.ts';
import { createCall, type Call, type CallDependencies } from './create-call.ts';
import { createOpen, type Open } from './create-open.ts';
import type { Reaction } from './error-policy.ts';
import { countRequest } from './request-counter.ts';
import { sendWithProgress } from './send-with-progress.ts';

/** How many calls were answered with 403; the session's permissions may be old then (`refreshOnForbidden`). */
export const forbiddenCount: Store<number> = createStore(0);

/** Lets a failure act on the console: session, auth error, toast. */
function react(reaction: Reaction, usedToken: string | null, key: string): void {
  // A late 401 of a former session must not end the one that began since.
  const isCurrent = usedToken === (sessionStore.get()?.token.accessToken ?? null);
  if (reaction.endsSession && isCurrent) sessionStore.close();
  if (reaction.authError !== undefined) authErrorStore.set(reaction.authError);
  if (reaction.toast !== null) notify({ type: 'danger', message: reaction.toast, closeOnClick: true, key });
}

const dependencies: CallDependencies = {
  send: (url, init, onProgress) => (onProgress === undefined ? fetch(url, init) : sendWithProgress(url, init, onProgress)),
  accessToken: () => sessionStore.get()?.token.accessToken ?? null,
  count: countRequest,
  react,
  // An error that no longer holds would contradict the success that follows.
  onSucceeded: closeNotificationOf,
  observe: (outcome) => {
    connectionStore.set(outcome.kind === 'answer' ? 'up' : outcome.kind);
    if (outcome.kind !== 'answer') return;
    correctedClock.observe(outcome.date);
    if (outcome.status === 403) forbiddenCount.set(forbiddenCount.get() + 1);
  },
};

/** Calls an endpoint of the contract in the name of the signed-in account; see `createCall`. */
export const call: Call = createCall(dependencies);

/** Opens a file or a stream of the contract in the name of the signed-in account; see `createOpen`. */
export const open: Open = createOpen(dependencies);
