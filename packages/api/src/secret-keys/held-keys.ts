import { createAuditMac, deriveAuditKey, type AuditKey, type AuditMac } from '../adapters/audit-mac.ts';
import { deriveOwnRequestKey } from '../adapters/request-cipher.ts';
import { createSecretBox, keyFingerprint, keyId, type SecretBox } from '../adapters/secret-box.ts';

/** The keys that the settings or the data folder give: SECRET_KEY, and the one that it replaces. */
export type GivenKeys = { key: string; previous: string | null };

/** A secret key that this process has, and what is derived from it. */
export type HeldKey = {
  fingerprint: string;
  /** Encrypts with this key, and decrypts with any that the process has. */
  box: SecretBox;
  auditKey: AuditKey;
  auditMac: AuditMac;
  /** Encodes requests of devices where there is no REQUEST_KEY. */
  requestKey: Buffer;
};

/** The secret keys that this process has. */
export type HeldKeys = {
  /** SECRET_KEY. */
  main: HeldKey;
  /** SECRET_KEY_PREVIOUS. */
  previous: HeldKey | null;
  all: readonly HeldKey[];
  find: (fingerprint: string) => HeldKey | undefined;
  open: SecretBox['open'];
};

/** Derives everything from the keys of this process. */
export function holdKeys({ key, previous }: GivenKeys): HeldKeys {
  const mainKey = deriveKey(key, previous);
  const previousKey = previous === null ? null : deriveKey(previous, key);
  const all = previousKey === null ? [mainKey] : [mainKey, previousKey];
  return {
    main: mainKey,
    previous: previousKey,
    all,
    find: (fingerprint) => all.find((candidate) => candidate.fingerprint === fingerprint),
    open: (sealed, place) => mainKey.box.open(sealed, place),
  };
}

function deriveKey(key: string, otherKey: string | null): HeldKey {
  const auditKey = deriveAuditKey(key);
  return {
    fingerprint: keyFingerprint(key),
    box: createSecretBox(otherKey === null ? [key] : [key, otherKey]),
    auditKey,
    auditMac: createAuditMac(auditKey),
    requestKey: deriveOwnRequestKey(key),
  };
}

/** A key in messages, by the id that encrypted texts name. */
export function keyName(fingerprint: string): string {
  return `key ${keyId(fingerprint)}`;
}

/** The database is encrypted with a key that this process does not have. */
class MissingKey extends Error {
  override name = 'MissingKey';
}

/** The key with this fingerprint. @throws MissingKey if this process does not have it. */
export function requireKey(keys: HeldKeys, fingerprint: string): HeldKey {
  const key = keys.find(fingerprint);
  if (key) return key;
  throw new MissingKey(
    `SECRET_KEY: this database is encrypted with ${keyName(fingerprint)}, which this process does not have (restart it with that key)`,
  );
}
