const key = 'switchyard_google_state';

/** Keeps the state of a sign-in that is under way at the provider, for this tab only (api [8]). */
export function keepGoogleState(state: string): void {
  sessionStorage.setItem(key, state);
}

/**
 * The state to send with what the provider gave back: the kept one when the address carries the same,
 * otherwise none, which the server refuses (api [8], S4). It is gone afterwards.
 */
export function takeGoogleState(addressState: string | null): string {
  const kept = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  return kept !== null && kept === addressState ? kept : '';
}
