import { apiTokenOf } from '@switchyard/contract/api-token-text';
import { randomBytes } from 'node:crypto';
import { tokenHash } from '../../secret-token.ts';

const shownCharacters = 4;
const enoughBytes = 128;

/** A new token, and what is stored of it. */
export function newTokenSecret(): { secret: string; stored: { token_hash: Buffer; ends_with: string } } {
  for (;;) {
    const secret = apiTokenOf(randomBytes(enoughBytes));
    if (secret !== null) return { secret, stored: { token_hash: tokenHash(secret), ends_with: secret.slice(-shownCharacters) } };
  }
}
