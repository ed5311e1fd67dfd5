import { randomToken } from '../../secret-keys/secret-token.ts';

const tokenForm = /^swv_[A-Za-z0-9_-]{43}$/;

/** A new token of 256 random bits. Its prefix keeps it out of the look-ups of sessions and API tokens. */
export function newViewAsToken(): string {
  return `swv_${randomToken()}`;
}

/** Whether a text has the form of the token of a view; others never reach the database. */
export function isViewAsToken(text: string): boolean {
  return tokenForm.test(text);
}
