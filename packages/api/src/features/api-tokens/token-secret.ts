import { apiTokenOf } from '@switchyard/contract/api-token-text';
import { createHash, randomBytes } from 'node:crypto';

const shownCharacters = 4;
const enoughBytes = 128;

/** A new token, and what is stored of it. */
export function newTokenSecret(): { secret: string; stored: { token_hash: Buffer; ends_with: string } } {
  for (;;) {
    const secret = apiTokenOf(randomBytes(enoughBytes));
    if (secret !== null) return { secret, stored: { token_hash: hashOfApiToken(secret), ends_with: secret.slice(-shownCharacters) } };
  }
}

/** The stored form of a token; a fast hash is enough for 238 random bits. */
export function hashOfApiToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
