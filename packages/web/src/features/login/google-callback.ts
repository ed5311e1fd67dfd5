import { googleMessages } from '@switchyard/contract/google-sign-in';

/** What the callback of the provider asks the console to do. */
export type CallbackStep =
  | { readonly kind: 'login' }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'exchange'; readonly body: { readonly code: string; readonly state?: string } };

/** Said when the person turned back on the consent page. */
export const cancelledMessage = 'Sign-in with Google was cancelled';

/**
 * Reads the callback's query (AUTH-043 to AUTH-045, AUTH-047). The state is posted only when it is the one this tab
 * kept (api [8]): a sign-in that somebody else began is refused by the server. The provider's own words are not
 * shown, because anybody can write them into a link.
 */
export function readCallback(query: string, keptState: string | null): CallbackStep {
  const parameters = new URLSearchParams(query);
  const error = parameters.get('error');
  if (error !== null) return { kind: 'refused', message: error === 'access_denied' ? cancelledMessage : googleMessages.failed };
  const code = parameters.get('code') ?? '';
  if (code === '') return { kind: 'login' };
  const isOurs = keptState !== null && keptState === parameters.get('state');
  return { kind: 'exchange', body: isOurs ? { code, state: keptState } : { code } };
}
