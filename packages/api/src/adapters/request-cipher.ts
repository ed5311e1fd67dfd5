import { encodingProblem } from '@switchyard/contract/dev-tools';
import { exactJson, writeExactly } from '@switchyard/contract/exact-json';
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Encodes JSON values as devices and the hosts of apps exchange them; docs/request-cipher.md describes the format. */
export type RequestCipher = {
  /** Base64 text; every call gives another one. The value is one that JSON can hold, or a `JsonText`. */
  encode(value: unknown): string;
  /** The value again, to the letter; white space around the text is ignored. Throws UndecodableText alike for every text that holds none. */
  decode(text: string): unknown;
};

/** The text was not encoded with this key. The reason is not disclosed. */
export class UndecodableText extends Error {
  override name = 'UndecodableText';
}

const version = Buffer.from([1]);
const nonceBytes = 12;
const tagBytes = 16;
const overhead = version.length + nonceBytes + tagBytes;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Derives the key of an installation without REQUEST_KEY from its secret key, which only the console knows. */
export function deriveOwnRequestKey(secretKey: string): Buffer {
  return derive(secretKey, 'switchyard own request v1');
}

/** Where the key comes from: a text that developers hold, too, or the key that `deriveOwnRequestKey` gave. */
export type RequestKey = { requestKey: string } | { ownKey: Buffer };

/** Creates an AES-256-GCM cipher. Different secrets always lead to different keys. */
export function createRequestCipher(source: RequestKey): RequestCipher {
  const key = 'ownKey' in source ? source.ownKey : derive(source.requestKey, 'switchyard request v1');

  function open(bytes: Buffer): string {
    const nonce = bytes.subarray(version.length, version.length + nonceBytes);
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
    decipher.setAAD(bytes.subarray(0, version.length));
    decipher.setAuthTag(bytes.subarray(-tagBytes));
    const sealedBytes = bytes.subarray(version.length + nonceBytes, -tagBytes);
    return utf8.decode(Buffer.concat([decipher.update(sealedBytes), decipher.final()]));
  }

  return {
    encode(value) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
      cipher.setAAD(version);
      const sealedParts = [cipher.update(writeExactly(value), 'utf8'), cipher.final(), cipher.getAuthTag()];
      return Buffer.concat([version, nonce, ...sealedParts]).toString('base64');
    },

    decode(text) {
      const trimmedText = text.trim();
      const bytes = Buffer.from(trimmedText, 'base64');
      // Rejects variants of base64 that only some decoders accept.
      const isOurs = bytes.length > overhead && bytes[0] === version[0] && bytes.toString('base64') === trimmedText;
      if (!isOurs) throw new UndecodableText();
      const value = valueOrUndefined(() => exactJson(open(bytes)));
      if (encodingProblem(value) !== null) throw new UndecodableText();
      return value;
    },
  };
}

/** Undefined, which JSON cannot hold, when it fails. */
function valueOrUndefined(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function derive(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
}
