import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Where a secret is stored. Encrypted text can be decrypted only for the same place. */
export type SecretPlace = { table: string; column: string; id: number };

/** Encrypts secrets for the database with AES-256-GCM, which detects changed or moved texts. */
export type SecretBox = {
  /** Text to store: `v1.<key id>.<nonce>.<ciphertext and tag>`; different on every call. */
  seal(secret: string, place: SecretPlace): string;
  /** Decrypts a secret. @throws UnreadableSecret if the text was changed, moved or encrypted with an unknown key. */
  open(sealed: string, place: SecretPlace): string;
};

/** An encrypted text cannot be decrypted. The message has the reason and no part of the secret. */
export class UnreadableSecret extends Error {
  override name = 'UnreadableSecret';
}

const version = 'v1';
const shortestKey = 16;
const nonceBytes = 12;
const tagBytes = 16;
const sealedText = /^v1\.([0-9a-f]{8})\.([A-Za-z0-9_-]{16})\.([A-Za-z0-9_-]+)$/;

/**
 * Creates a box that encrypts with the first key and decrypts with any of them. To rotate, put the new key first and keep the
 * old one until all secrets were encrypted again. A key is a text of at least 16 characters, preferably 32 random bytes in
 * hex or base64; there is no default.
 */
export function createSecretBox(keys: readonly [string, ...string[]]): SecretBox {
  const [current, ...older] = keys.map(deriveKey);
  if (!current) throw new Error('A secret key is required.');
  const byId = new Map([current, ...older].map((key) => [key.id, key.bytes]));

  return {
    seal(secret, place) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', current.bytes, nonce, { authTagLength: tagBytes });
      cipher.setAAD(associatedData(place));
      const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return [version, current.id, nonce.toString('base64url'), sealed.toString('base64url')].join('.');
    },

    open(sealed, place) {
      const [, id = '', nonce = '', rest = ''] = sealedText.exec(sealed) ?? [];
      const bytes = Buffer.from(rest, 'base64url');
      if (bytes.length < tagBytes) throw new UnreadableSecret('The stored secret has no known form.');
      const key = byId.get(id);
      if (!key) throw new UnreadableSecret(`The stored secret was sealed with another key (${id}).`);
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'), { authTagLength: tagBytes });
      decipher.setAAD(associatedData(place));
      decipher.setAuthTag(bytes.subarray(-tagBytes));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()]).toString('utf8');
      } catch {
        throw new UnreadableSecret(`The stored secret of ${place.table}.${place.column} was changed or belongs to another row.`);
      }
    },
  };
}

function deriveKey(text: string): { id: string; bytes: Buffer } {
  if (text.length < shortestKey) throw new Error(`A secret key must have at least ${shortestKey} characters.`);
  return { id: keyId(keyFingerprint(text)), bytes: derive(text, 'secret box v1', 32) };
}

/** Tells secret keys apart, without telling what they are: 32 hex digits. */
export function keyFingerprint(secretKey: string): string {
  return derive(secretKey, 'secret key id', 16).toString('hex');
}

/** The part of a fingerprint that encrypted texts and messages name. */
export function keyId(fingerprint: string): string {
  return fingerprint.slice(0, 8);
}

function derive(secretKey: string, purpose: string, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', `switchyard ${purpose}`, length));
}

function associatedData({ table, column, id }: SecretPlace): Buffer {
  return Buffer.from(`${table}.${column}:${id}`, 'utf8');
}
