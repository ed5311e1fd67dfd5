import { messages } from '@switchyard/contract/envelope';
import type { CallError } from '../api/call-error.ts';

/** Why a sign-in failed, for the field of a form that shows it itself. */
export function failureText(error: CallError): string {
  if (error.status === null) return 'The server did not answer. Try again.';
  if (error.status === 429 && error.retryAfter !== null) return lockedOutText(error.retryAfter);
  return Object.values(error.fields).flat().join(' ') || error.message || messages.somethingWrong;
}

/** When the reader may try again, as a duration and as a time of day on this device. */
export function lockedOutText(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  const at = new Date(Date.now() + seconds * 1_000).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  return `Too many failed sign-ins. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}, at ${at}.`;
}
