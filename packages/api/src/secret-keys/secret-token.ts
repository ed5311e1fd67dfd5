import { createHash, randomBytes } from 'node:crypto';

/** A new token of 256 random bits. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The only form in which a token is stored: its SHA-256. Tokens are too long to be guessed, so a fast hash is enough. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
