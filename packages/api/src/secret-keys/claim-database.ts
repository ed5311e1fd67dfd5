import type { Databases } from '../database/connect.ts';
import { transaction, unaudited, unchanged } from '../database/transaction.ts';
import type { HeldKeys } from './held-keys.ts';
import { assertKeys, type KeyMatch } from './match-keys.ts';
import { findKeyState, insertCurrentKey, lockKeys } from './secret-keys-store.ts';

/**
 * Stores the fingerprint of the key in a database that has none, and compares the keys with one that has. The database must have
 * every migration. Of processes that start at once with different keys, one succeeds.
 * @throws BadSetting if the keys do not fit the database.
 */
export async function claimDatabase({ opsDb, announceKeys }: Pick<Databases, 'opsDb' | 'announceKeys'>, keys: HeldKeys): Promise<KeyMatch> {
  // Before they are compared, so that a replacement that begins now either knows of this process or is seen below. If the
  // connection cannot be opened now, the next attempt announces them.
  await announceKeys(keys.all.map(({ fingerprint }) => fingerprint)).catch(() => undefined);
  return transaction(opsDb, async (tx) => {
    await lockKeys(tx);
    const match = assertKeys(await findKeyState(tx), keys);
    if (match.since !== null) return unchanged(match);
    await insertCurrentKey(tx, match.current.fingerprint);
    return unaudited('the key encrypts this database already', match);
  });
}
