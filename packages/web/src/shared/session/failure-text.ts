import { messages } from '@switchyard/contract/envelope';
import type { CallError } from '../api/call-error.ts';

/** Why a call failed, for the field of a form that shows it itself. */
export function failureText(error: CallError): string {
  if (error.status === null) return 'The server did not answer. Try again.';
  if (error.status === 429 && error.retryAfter !== null) return retryText('Too many attempts', error.retryAfter);
  return Object.values(error.fields).flat().join(' ') || error.message || messages.somethingWrong;
}

/** States the limit that was reached, and when the reader may try again, as a duration and as a time of day on this device. */
export function retryText(what: string, seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  const at = new Date(Date.now() + seconds * 1_000).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  return `${what}. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}, at ${at}.`;
}
