import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Where a secret is stored; sealed text opens in this very place only (S17). */
export type SecretPlace = { table: string; column: string; id: number };

/** Seals secrets for the database: AES-256-GCM, so that a changed or moved text does not open. */
export type SecretBox = {
  /** Text to store: `v1.<key id>.<nonce>.<ciphertext and tag>`; every call gives another text. */
  seal(secret: string, place: SecretPlace): string;
  /** The secret again; throws UnreadableSecret when the text was changed, moved or sealed with an unknown key. */
  open(sealed: string, place: SecretPlace): string;
};

/** A sealed text cannot be opened; the message says why and holds no part of the secret. */
export class UnreadableSecret extends Error {
  override name = 'UnreadableSecret';
}

const version = 'v1';
const shortestKey = 16;
const nonceBytes = 12;
const tagBytes = 16;
const sealedText = /^v1\.([0-9a-f]{8})\.([A-Za-z0-9_-]{16})\.([A-Za-z0-9_-]+)$/;

/**
 * A box that seals with the first key and opens with any of them: to rotate, put the new key in front
 * and keep the old one until everything was sealed anew. A key is any text of 16 characters or more,
 * best 32 random bytes in hex or base64; there is no default (S17).
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
      const [, keyId = '', nonce = '', rest = ''] = sealedText.exec(sealed) ?? [];
      const bytes = Buffer.from(rest, 'base64url');
      if (bytes.length < tagBytes) throw new UnreadableSecret('The stored secret has no known form.');
      const key = byId.get(keyId);
      if (!key) throw new UnreadableSecret(`The stored secret was sealed with another key (${keyId}).`);
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
  const derive = (purpose: string, length: number) => Buffer.from(hkdfSync('sha256', text, '', `switchyard ${purpose}`, length));
  return { id: derive('secret key id', 4).toString('hex'), bytes: derive('secret box v1', 32) };
}

function associatedData({ table, column, id }: SecretPlace): Buffer {
  return Buffer.from(`${table}.${column}:${id}`, 'utf8');
}
