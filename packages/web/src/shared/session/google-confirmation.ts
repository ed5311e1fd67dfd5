import { getConsentUrl } from '@switchyard/contract/google-sign-in';
import { z } from 'zod';
import { call } from '../api/call.ts';
import { localSettings } from '../local-settings.ts';
import { passkeyFailure } from './passkey.ts';

/** Google's response; without a code, the person cancelled. */
type GoogleAnswer = { readonly state: string; readonly code: string | null };

const answer = z.object({ state: z.string(), code: z.string().nullable() });
const showsFailureItself = (): boolean => true;

/** The state for which a tab waits; with it the callback page knows that it is in the window of a confirmation. */
const awaitedState = localSettings.json('google_confirmation', z.string());

/** A channel and not `opener`: the opener policy of the console cuts the link between the two windows. */
const openPort = (): BroadcastChannel => new BroadcastChannel('switchyard-google-confirmation');

/** The browser did not open the window of Google. */
class WindowBlocked extends Error {
  override name = 'WindowBlocked';
}

/** Why a proof of identity failed; null if the person cancelled it. Throws what is no failure of a proof. */
export function proofFailure(error: unknown): string | null {
  if (error instanceof WindowBlocked) return 'The browser blocked the Google window. Allow pop-ups for this page and try again';
  return passkeyFailure(error);
}

/**
 * Lets the reader sign in with Google in a window of its own, so that the page stays as it is. Gives the code and its state,
 * or null if they cancelled there. Rejects with the reason of the signal: a closed window is not reported.
 */
export async function confirmWithGoogle(signal: AbortSignal): Promise<{ code: string; state: string } | null> {
  // Browsers open windows during the click only, so the address comes later.
  const popup = window.open('', '_blank', 'popup,width=520,height=680');
  if (popup === null) throw new WindowBlocked('The window was blocked');
  const { data } = await call(getConsentUrl, { signal, showsFailureItself }).catch((error: unknown) => {
    popup.close();
    throw error;
  });
  const port = openPort();
  awaitedState.set(data.state);
  try {
    popup.location.replace(data.url);
    const { code, state } = await answerOn(port, data.state, signal);
    return code === null ? null : { code, state };
  } finally {
    port.close();
    if (awaitedState.get() === data.state) awaitedState.remove();
  }
}

/** Waits for the answer to this state; other tabs may wait for others. */
function answerOn(port: BroadcastChannel, state: string, signal: AbortSignal): Promise<GoogleAnswer> {
  return new Promise((resolve, reject) => {
    port.addEventListener('message', ({ data }) => {
      const message = answer.safeParse(data);
      if (message.data?.state === state) resolve(message.data);
    });
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}

/** Hands what Google gave back to the tab that waits for it; false when none does, so that this is a sign-in. */
export function handOverToTab(query: string): boolean {
  const parameters = new URLSearchParams(query);
  const state = parameters.get('state');
  if (state === null || awaitedState.get() !== state) return false;
  awaitedState.remove();
  const port = openPort();
  port.postMessage({ state, code: parameters.get('code') } satisfies GoogleAnswer);
  port.close();
  return true;
}
