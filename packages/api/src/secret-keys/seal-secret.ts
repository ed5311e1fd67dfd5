import type { SecretPlace } from '../adapters/secret-box.ts';
import type { OpenTransaction } from '../database/transaction.ts';
import { requireKey, type HeldKeys } from './held-keys.ts';
import { lockCurrentKey } from './secret-keys-store.ts';

/**
 * Encrypts a secret for its place. The database names the key, because consoles with and without a new one run side by side; until
 * the transaction ends, no other key takes its place. @throws MissingKey if this process does not have the key.
 */
export type SealSecret = (tx: OpenTransaction, secret: string, place: SecretPlace) => Promise<string>;

/** Creates the one of a process. */
export function createSealSecret(keys: HeldKeys): SealSecret {
  return async (tx, secret, place) => requireKey(keys, await lockCurrentKey(tx)).box.seal(secret, place);
}
