import { googleMessages } from '@switchyard/contract/google-sign-in';

/** Next step of the console after the redirect from Google. */
export type CallbackStep =
  | { readonly kind: 'login' }
  | { readonly kind: 'rejected'; readonly message: string }
  | { readonly kind: 'exchange'; readonly body: { readonly code: string; readonly state?: string } };

/** Shown if the person cancelled on the consent page. */
export const cancelledMessage = 'Sign-in with Google was cancelled';

/**
 * Reads the query of the redirect. The state is sent only if it is the one that this tab stored, so the server rejects a
 * sign-in that somebody else started. The provider's message is not shown, because anybody can put one into a link.
 */
export function readCallback(query: string, storedState: string | null): CallbackStep {
  const parameters = new URLSearchParams(query);
  const error = parameters.get('error');
  if (error !== null) return { kind: 'rejected', message: error === 'access_denied' ? cancelledMessage : googleMessages.failed };
  const code = parameters.get('code') ?? '';
  if (code === '') return { kind: 'login' };
  const isOurs = storedState !== null && storedState === parameters.get('state');
  return { kind: 'exchange', body: isOurs ? { code, state: storedState } : { code } };
}
