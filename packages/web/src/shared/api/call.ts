import { createStore, type Store } from '../external-store.ts';
import { askFactor } from '../session/factor-request.ts';
import { askIdentity } from '../session/identity-request.ts';
import { endSession, waitForSignIn } from '../session/ended-session.ts';
import { authErrorStore, sessionStore } from '../session/session-store.ts';
import { closeNotificationOf, notify } from '../ui/notifications/notification-center.ts';
import { correctedClock } from '../time/corrected-clock.ts';
import { connectionStore, countRequest } from './connection.ts';
import { createCall, type Call, type CallDependencies, type CallInit } from './create-call.ts';
import { createOpen, type Open } from './create-open.ts';
import type { Reaction } from './call-error.ts';

/** Number of calls answered with 403. The permissions of the session may be outdated then (`refreshOnForbidden`). */
export const forbiddenCount: Store<number> = createStore(0);

/** Applies a failure to the console: session, auth error, notification. */
function react(reaction: Reaction, usedToken: string | null, key: string): void {
  // A late 401 of a previous session must not end the current one; a call that a page made as it was left has none to end.
  const isCurrent = usedToken !== null && usedToken === sessionStore.get()?.token.accessToken;
  if (reaction.authError !== undefined) authErrorStore.set(reaction.authError);
  if (reaction.endsSession && isCurrent) endSession();
  if (reaction.toast !== null) notify({ type: 'danger', message: reaction.toast, closeOnClick: true, key });
}

const dependencies: CallDependencies = {
  send: (url, init, onProgress) => (onProgress === undefined ? fetch(url, init) : sendWithProgress(url, init, onProgress)),
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

/** The answer's header lines as the browser gives them: `name: value`, one a line. */
function readHeaders(lines: string): Headers {
  const headers = new Headers();
  for (const line of lines.split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return headers;
}

/**
 * Sends like `fetch`, and reports the share of the body that was sent, from 0 to 1, which `fetch` cannot. Rejects with a
 * TypeError when no answer came and with the signal's reason when it was broken off.
 */
function sendWithProgress(url: string, init: CallInit, onProgress: (share: number) => void): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stop = (): void => request.abort();
    request.open(init.method, url);
    for (const [name, value] of Object.entries(init.headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded: loadedBytes, total }) => onProgress(total > 0 ? loadedBytes / total : 0));
    request.addEventListener('load', () => {
      const body = request.status === 204 ? null : request.responseText;
      resolve(new Response(body, { status: request.status, headers: readHeaders(request.getAllResponseHeaders()) }));
    });
    request.addEventListener('error', () => reject(new TypeError('The server could not be reached')));
    request.addEventListener('abort', () => reject(init.signal.reason));
    request.addEventListener('loadend', () => init.signal.removeEventListener('abort', stop));
    init.signal.addEventListener('abort', stop);
    if (init.signal.aborted) reject(init.signal.reason);
    else request.send(init.body ?? null);
  });
}

/** Options of a call whose part of the page shows a failure. A 401 still ends the session. */
export const failingInPlace = { showsFailureItself: (status: number | null): boolean => status !== 401 } as const;

/** Options of a call beside the page: no progress bar, and its part of the page shows a failure. */
export const inBackground = { isSilent: true, ...failingInPlace } as const;
