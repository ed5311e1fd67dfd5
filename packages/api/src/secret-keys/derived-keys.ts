import { z } from 'zod';
import { createAuditMac, type AuditKeys, type SealingKey } from '../adapters/audit-mac.ts';
import { UnreadableSecret, type SecretPlace } from '../adapters/secret-box.ts';
import type { Databases } from '../database/connect.ts';
import { requireKey, type HeldKey, type HeldKeys } from './held-keys.ts';
import { keyInState, listKeys, type StoredKey } from './secret-keys-store.ts';

const base64 = z.base64().transform((text) => Buffer.from(text, 'base64'));

/** Secrets of a replaced key that stay in use. */
const derivedForm = z.object({
  auditKeyId: z.string(),
  auditKey: base64,
  /** Number of the last seal that the key made. Whoever has got the old key cannot make later ones with it. */
  lastSeal: z.string().transform(BigInt),
  requestKey: base64,
});

const placeOf = (id: number): SecretPlace => ({ table: 'secret_keys', column: 'derived_sealed', id });

/** Encrypts what stays in use of a key, for its row in the database. */
export function sealDerived({ id, key, lastSeal, by }: { id: number; key: HeldKey; lastSeal: bigint; by: HeldKey }): string {
  const derived: z.input<typeof derivedForm> = {
    auditKeyId: key.auditKey.id,
    auditKey: key.auditKey.bytes.toString('base64'),
    lastSeal: String(lastSeal),
    requestKey: key.requestKey.toString('base64'),
  };
  return by.box.seal(JSON.stringify(derived), placeOf(id));
}

/** Decrypts what stays in use of a key; null if nothing does, or it was encrypted with a key that this process does not have. */
export function openDerived(
  { id, derived_sealed: sealed }: StoredKey,
  { open }: Pick<HeldKeys, 'open'>,
): z.output<typeof derivedForm> | null {
  if (sealed === null) return null;
  try {
    return derivedForm.parse(JSON.parse(open(sealed, placeOf(id))));
  } catch (error) {
    if (!(error instanceof UnreadableSecret)) throw error;
    return null;
  }
}

/** Reads the keys of the audit trail as they are now. */
export type LoadAuditKeys = (db: Databases['db']) => Promise<AuditKeys>;

/** Those of a process: the current key, and what is kept of those that it replaced. */
export function createLoadAuditKeys(keys: HeldKeys): LoadAuditKeys {
  return async (db) => {
    const storedKeys = await listKeys(db);
    const current = keyInState(storedKeys, 'current')?.fingerprint ?? keys.main.fingerprint;
    const replacedKeys = storedKeys.flatMap((key): [string, SealingKey][] => {
      const derived = openDerived(key, keys);
      if (derived === null) return [];
      const { auditKeyId: id, auditKey: bytes, lastSeal } = derived;
      return [[id, { mac: createAuditMac({ id, bytes }), lastSeal }]];
    });
    const currentKey = keys.find(current);
    const sealingKeys = new Map<string, SealingKey>(replacedKeys);
    if (currentKey) sealingKeys.set(currentKey.auditKey.id, { mac: currentKey.auditMac, lastSeal: null });
    return { current: () => requireKey(keys, current).auditMac, find: (keyId) => sealingKeys.get(keyId) };
  };
}

/**
 * The key of requests in an installation without REQUEST_KEY: the one derived from its first secret key, so that a replacement
 * does not change it.
 */
export async function findRequestKey(db: Databases['db'], keys: HeldKeys): Promise<Buffer> {
  for (const key of await listKeys(db)) {
    if (key.state === 'current') return requireKey(keys, key.fingerprint).requestKey;
    const derived = openDerived(key, keys);
    if (derived) return derived.requestKey;
  }
  return keys.main.requestKey;
}
