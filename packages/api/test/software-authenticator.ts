import type { NewPasskey, PasskeyProof } from '@switchyard/contract/passkeys';
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** An authenticator of WebAuthn that holds one passkey, for tests: ES256, user verified, no attestation. */
export type SoftwareAuthenticator = {
  id: string;
  /** The answer of a browser that makes the passkey. */
  create: (options: { challenge: string }, origin?: string) => NewPasskey;
  /** The answer of a browser that uses it. Each use counts; `count` overrides the count. */
  use: (options: { challenge: string }, how?: { origin?: string; count?: number; isVerified?: boolean }) => PasskeyProof;
};

const present = 0x01;
const verifiedFlag = 0x04;
const attestedFlag = 0x40;

function bytes(size: number, value: number): Buffer {
  const buffer = Buffer.alloc(size);
  buffer.writeUIntBE(value, 0, size);
  return buffer;
}

function clientData(type: string, challenge: string, origin: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

/** Makes a passkey for the console at an address. */
export function createSoftwareAuthenticator(site = 'https://console.example'): SoftwareAuthenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const credential = randomBytes(32);
  const id = credential.toString('base64url');
  let uses = 0;

  const authenticatorData = (flags: number, count: number): Buffer =>
    Buffer.concat([createHash('sha256').update(new URL(site).hostname).digest(), bytes(1, flags), bytes(4, count)]);
  // A COSE key: a map of kty 2, alg -7, crv 1, x and y.
  const coseKey = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ]);

  return {
    id,
    create({ challenge }, origin = site) {
      const data = Buffer.concat([
        authenticatorData(present | verifiedFlag | attestedFlag, 0),
        Buffer.alloc(16),
        bytes(2, credential.length),
        credential,
        coseKey,
      ]);
      // {"fmt": "none", "attStmt": {}, "authData": bytes}
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746159', 'hex'),
        bytes(2, data.length),
        data,
      ]);
      const response = {
        clientDataJSON: clientData('webauthn.create', challenge, origin).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      };
      return { id, rawId: id, type: 'public-key', response };
    },
    use({ challenge }, { origin = site, count = (uses += 1), isVerified = true } = {}) {
      const data = authenticatorData(present | (isVerified ? verifiedFlag : 0), count);
      const client = clientData('webauthn.get', challenge, origin);
      const signedBytes = Buffer.concat([data, createHash('sha256').update(client).digest()]);
      const response = {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signedBytes, privateKey).toString('base64url'),
      };
      return { id, rawId: id, type: 'public-key', response };
    },
  };
}
