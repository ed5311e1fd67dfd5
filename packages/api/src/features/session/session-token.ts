import { createHash, randomBytes } from 'node:crypto';

const prefix = 'swy_';
const tokenForm = /^swy_[A-Za-z0-9_-]{43}$/;

/** A new token of 256 random bits (api 0.15); the prefix lets secret scanners find a lost one. */
export function newSessionToken(): string {
  return prefix + randomBytes(32).toString('base64url');
}

/** Whether a text can be a session token at all, so that nothing else reaches the database. */
export function isSessionToken(text: string): boolean {
  return tokenForm.test(text);
}

/** What is stored of a token; a fast hash is enough for 256 random bits. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
